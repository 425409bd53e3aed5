import type { PowerDeliveryState } from "hemgate/sdk";
import type { Intake } from "../kit/bridge.ts";

export const FORCED_OFF = 1;
export const FORCED_ON = 2;
const IDLE = 1;
const CHARGING = 2;
const WAITING = 3;
const COMPLETE = 4;
const ERROR = 5;

interface Parts {
  readonly car?: number | null;
  readonly err?: number | null;
  readonly force?: number | null;
  readonly isAllowed?: boolean | null;
}

/** What plug and charging state follow from, which comes in parts. */
export class GoEState {
  #parts: Parts = {};

  tell(intake: Intake, parts: Parts): void {
    this.#parts = { ...this.#parts, ...parts };
    const { car, force, isAllowed } = this.#parts;
    if (car !== undefined) intake.value("charger.state", this.#state());
    // Forced either way, or left to the charger's own logic, which says whether it allows charging now.
    if (force === FORCED_OFF) intake.value("charger.enabled", false);
    else if (force === FORCED_ON) intake.value("charger.enabled", true);
    else if (force !== undefined || isAllowed !== undefined) intake.value("charger.enabled", isAllowed ?? null);
  }

  #state(): PowerDeliveryState {
    const { car, err, force, isAllowed } = this.#parts;
    if (car === ERROR || (car !== IDLE && err !== undefined && err !== null && err !== 0)) return "PLUGGED_IN:FAULT";
    if (car === IDLE) return "UNPLUGGED";
    if (car === CHARGING) return "PLUGGED_IN:CHARGING";
    // Finished, or not allowed any more.
    if (car === COMPLETE) return "PLUGGED_IN:STOPPED";
    if (car === WAITING) {
      return force === FORCED_OFF || isAllowed === false ? "PLUGGED_IN:STOPPED" : "PLUGGED_IN:INITIALIZING";
    }
    return "UNKNOWN";
  }
}
