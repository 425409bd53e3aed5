import type { Control } from "hemgate/sdk";
import type { Intake } from "./bridge.ts";

/** More than the standby of a charger that is off. */
const CHARGING_ABOVE_W = 50;

/** Switches a socket that a charger or a car hangs on. It has no timer: what was switched last stays. */
export const SOCKET_CONTROL: Control = {
  point: "charger.enabled",
  values: [true, false],
  holdMs: null,
  safeDefault: null,
};

/**
 * What a switched socket shows of the charger behind it. It cannot see a plug: off counts as stopped, on without power as
 * unknown.
 */
export class Socket {
  #isOn: boolean | null = null;
  #powerW: number | null = null;

  switched(intake: Intake, isOn: boolean | null): void {
    this.#isOn = isOn;
    intake.value("charger.enabled", isOn);
    this.#tell(intake);
  }

  measured(intake: Intake, powerW: number | null): void {
    this.#powerW = powerW;
    this.#tell(intake);
  }

  #tell(intake: Intake): void {
    if (this.#powerW !== null && this.#powerW > CHARGING_ABOVE_W) intake.value("charger.state", "PLUGGED_IN:CHARGING");
    else intake.value("charger.state", this.#isOn === false ? "PLUGGED_IN:STOPPED" : "UNKNOWN");
  }
}
