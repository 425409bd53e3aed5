/** What is refused before an action exists (supplement 2.1, interface 4.2 and 4.4). */
import type { ActionWish } from "./action.ts";
import { controlFor, isShown, type Target } from "./action-wish.ts";
import { controlOf, type KnownDevice } from "./asset-seed.ts";
import { type ProblemError, problem } from "./problem.ts";

/** The scope that lets a target be commanded. */
const CONTROL_SCOPES = {
  battery: "battery:control:operation_mode",
  charger: "charger:control:charging",
} as const;

/** Everything a refusal depends on. */
export interface Request {
  readonly wish: ActionWish;
  readonly target: Target;
  readonly device: Pick<KnownDevice, "controls">;
  /**
   * True when something else is on its way to the control or held there: what the target shows now is then no reason
   * to refuse.
   */
  readonly isControlBusy: boolean;
}

/** The problem that the request is answered with, or null when an action may be made of it. */
export function refusal(request: Request): ProblemError | null {
  return missingScope(request) ?? incapable(request) ?? alreadySo(request);
}

function missingScope({ target }: Request): ProblemError | null {
  const scope = CONTROL_SCOPES[target.kind];
  return target.asset.scopes.includes(scope) ? null : problem("forbidden", `The scope ${scope} is not granted.`);
}

function incapable({ wish, target, device }: Request): ProblemError | null {
  const { point, value } = controlFor(wish);
  const control = controlOf(device, point);
  if (control === null) return notOffered(target, "this command");
  // A mode must be listed; a switch that lists no values takes both.
  const isListed = control.values?.includes(value) ?? wish.targetType !== "battery";
  if (typeof value !== "number") {
    return isListed ? null : notOffered(target, String(value));
  }
  const { min, max } = control.range ?? { min: 0, max: Number.POSITIVE_INFINITY };
  if (value >= min && value <= max) return null;
  return problem("bad-request", `The maximum current of this charger is set from ${min} to ${max} A.`);
}

function notOffered({ kind }: Target, what: string): ProblemError {
  return problem("bad-request", `This ${kind} does not offer ${what}; its capabilities say what it can do.`);
}

/** Only for chargers: a battery that is already so gets an action that ends as UNNECESSARY (interface 3.1). */
function alreadySo({ wish, target, isControlBusy }: Request): ProblemError | null {
  if (wish.targetType !== "charger" || target.kind !== "charger" || !target.asset.isReachable) return null;
  const state = target.asset.chargeState.powerDeliveryState;
  if ("kind" in wish && state === "UNPLUGGED") return problem("bad-request", "The charger is not plugged in.");
  if (isControlBusy) return null;
  if ("kind" in wish && wish.kind === "START" && state === "PLUGGED_IN:INITIALIZING") {
    return problem("bad-request", "already started");
  }
  if (!isShown(wish, target)) return null;
  // Clients match on these words (supplement 2.1).
  if (!("kind" in wish)) return problem("bad-request", "already at the current setting");
  return problem("bad-request", wish.kind === "START" ? "already charging" : "already stopped");
}
