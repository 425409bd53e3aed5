import type { Condition, Formula } from "hemgate/sdk";

/** What a limit is written with, by whether charging is stopped: by the last command, else by what is shown. */
export function unlessStopped(isOffering: Condition, running: Formula, stopped: Formula): Formula {
  const byCommand: Formula = {
    lookup: { lastWrite: "charger.enabled" },
    values: { true: running, false: stopped },
    otherwise: null,
  };
  return { first: [byCommand, { when: isOffering, gives: running, otherwise: stopped }, running] };
}
