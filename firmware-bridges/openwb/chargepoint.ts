import type { PowerDeliveryState } from "hemgate/sdk";
import type { Intake } from "../kit/bridge.ts";
import { at, type Json, textAt } from "../kit/payload.ts";

const INSTANT = "instant_charging";
/** Modes in which nothing is charged, whatever happens. */
const STOPPED = new Set(["stop", "standby"]);

/** What plug, mode and template of a chargepoint say together. */
export class Chargepoint {
  static readonly keys = [
    "get/plug_state",
    "get/charge_state",
    "get/serial_number",
    "get/connected_vehicle/config",
    "set/charge_template",
  ] as const;
  /** The current of the mode that charges at once, A; null while it is not known. */
  instantA: number | null = null;
  #isPlugged: boolean | null = null;
  #isCharging: boolean | null = null;
  #mode: string | null = null;

  tell(key: string, json: Json, intake: Intake): void {
    switch (key) {
      case "get/plug_state":
        this.#isPlugged = typeof json === "boolean" ? json : null;
        intake.value("charger.state", this.#state());
        break;
      case "get/charge_state":
        this.#isCharging = typeof json === "boolean" ? json : null;
        if (this.#isPlugged !== null) intake.value("charger.state", this.#state());
        break;
      case "get/serial_number":
        intake.identity({ manufacturer: "openWB", serial: typeof json === "string" ? json : null });
        break;
      case "get/connected_vehicle/config":
        this.#mode = textAt(json, "chargemode");
        intake.value("charger.enabled", this.#mode === null ? null : !STOPPED.has(this.#mode));
        if (this.#isPlugged !== null) intake.value("charger.state", this.#state());
        break;
      case "set/charge_template": {
        const ampere = at(json, "chargemode", INSTANT, "current");
        this.instantA = typeof ampere === "number" ? ampere : null;
        intake.number("charger.maxCurrent", ampere ?? null);
      }
    }
  }

  #state(): PowerDeliveryState {
    if (this.#isPlugged === null) return "UNKNOWN";
    if (!this.#isPlugged) return "UNPLUGGED";
    if (this.#isCharging === true) return "PLUGGED_IN:CHARGING";
    // In the other modes it waits for sun, a price or a time.
    return this.#mode === INSTANT ? "PLUGGED_IN:INITIALIZING" : "PLUGGED_IN:STOPPED";
  }
}
