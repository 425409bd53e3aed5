import type { CloudConnector } from "../../../adapters/clouds/kit/connector.ts";
import type { AskedOfTwin } from "../../twins/clouds/cloud-twin.ts";
import type { Quota } from "../estate.ts";

/** The quotas that a connector keeps to, with what a request and a reading of the whole account cost as the vendor sees it. */
export function quotasOf(
  { budgets }: Pick<CloudConnector, "budgets">,
  units: (asked: AskedOfTwin, budget: string) => number,
  reads: Readonly<Record<string, number>> = {},
): readonly Quota[] {
  return budgets.map(({ name, limit, windowMs, window, reserved }) => {
    const forPolls = limit - reserved.command - reserved.login;
    return {
      name,
      limit,
      forPolls,
      windowMs,
      window,
      units: (asked) => units(asked, name),
      unitsARead: reads[name] ?? 1,
    };
  });
}
