import type { Condition, Formula } from "hemgate/sdk";

/** By then a reading shows a start or a stop, ms; what somebody changes later counts. */
export const SHOWN_WITHIN_MS = 15_000;

/** What a limit is written with, by whether charging is stopped: by the last command, else by what is shown. */
export function unlessStopped(isOffering: Condition, running: Formula, stopped: Formula): Formula {
  const byCommand: Formula = {
    lookup: { lastWrite: "charger.enabled" },
    values: { true: running, false: stopped },
    otherwise: null,
  };
  return { first: [byCommand, { when: isOffering, gives: running, otherwise: stopped }, running] };
}
