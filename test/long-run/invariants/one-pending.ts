import type { Action } from "../../../src/domain/actions/action.ts";

/** At most one action of a target is PENDING. */
export function onePendingBreaches(actions: readonly Pick<Action, "id" | "state" | "targetId">[]): readonly string[] {
  const pending = Map.groupBy(
    actions.filter((action) => action.state === "PENDING"),
    (action) => action.targetId,
  );
  return [...pending]
    .filter(([, ofTarget]) => ofTarget.length > 1)
    .map(([targetId, ofTarget]) => `target ${targetId} has ${ofTarget.length} pending actions`);
}
