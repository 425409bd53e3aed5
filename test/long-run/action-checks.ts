import { ACTION_TIMINGS } from "../../src/domain/actions/action-timing.ts";
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "./gateway-box.ts";
import { windowBreaches } from "./invariants/action-window.ts";
import { onePendingBreaches } from "./invariants/one-pending.ts";

/**
 * What must hold of the actions in the store: one pending action a target, and each ends in its window and `slackMs`.
 * Windows are not checked with `isTimed: false`, while the gateway's clock is wrong.
 */
export function actionBreaches(
  { clock }: World,
  { gateway, startedAtWallMs }: RunningGateway,
  { slackMs, isTimed = true }: { readonly slackMs: number; readonly isTimed?: boolean },
): readonly string[] {
  const actions = gateway.store.all("action").map(({ action }) => action);
  if (!isTimed) return onePendingBreaches(actions);
  const late = windowBreaches(actions, {
    windowMs: ({ targetType }) => ACTION_TIMINGS[targetType].windowMs,
    slackMs,
    nowMs: clock.nowMs(),
    upSinceMs: startedAtWallMs,
  });
  return [...onePendingBreaches(actions), ...late];
}
