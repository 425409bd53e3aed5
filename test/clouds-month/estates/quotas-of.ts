import type { CloudConnector } from "../../../adapters/clouds/kit/connector.ts";
import type { AskedOfTwin } from "../../../src/testing/clouds/cloud-twin.ts";
import type { Quota } from "../estate.ts";

/** The quotas that a connector keeps to, with what a request costs as the vendor sees it. */
export function quotasOf(
  { budgets }: Pick<CloudConnector, "budgets">,
  units: (asked: AskedOfTwin, budget: string) => number,
): readonly Quota[] {
  return budgets.map(({ name, limit, windowMs, window, reserved }) => {
    const forPolls = limit - reserved.command - reserved.login;
    return { name, limit, forPolls, windowMs, window, units: (asked) => units(asked, name) };
  });
}
