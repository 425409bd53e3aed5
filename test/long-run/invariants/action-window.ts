import type { Action } from "../../../src/domain/actions/action.ts";

type Ending = Pick<Action, "id" | "state" | "createdAt" | "completedAt" | "failureReason">;

export interface WindowFacts<Kind extends Ending> {
  /** Longest that an action of this kind may stay PENDING, ms. */
  windowMs(action: Kind): number;
  /** What an ending may take beyond the window: a turn of the device, a commit, ms. */
  readonly slackMs: number;
  /** Wall-clock ms. */
  readonly nowMs: number;
  /** Since when a gateway runs that could have ended it, wall-clock ms. */
  readonly upSinceMs: number;
}

/** Each action ends in its window; when no gateway ran at that moment, soon after the next one started. */
export function windowBreaches<Kind extends Ending>(
  actions: readonly Kind[],
  facts: WindowFacts<Kind>,
): readonly string[] {
  return actions.flatMap((action) => {
    const endsByMs = Date.parse(action.createdAt) + facts.windowMs(action) + facts.slackMs;
    if (action.state === "PENDING") {
      const isLate = facts.nowMs > Math.max(endsByMs, facts.upSinceMs + facts.slackMs);
      return isLate ? [`action ${action.id} is still pending, its window ended`] : [];
    }
    if (action.completedAt === null) return [`action ${action.id} is ${action.state} and has no end`];
    const hasReason = action.failureReason !== null;
    if (action.state === "CONFIRMED" && hasReason) return [`action ${action.id} is confirmed and has failed`];
    if (action.state === "FAILED" && !hasReason) return [`action ${action.id} failed without a reason`];
    return [];
  });
}
