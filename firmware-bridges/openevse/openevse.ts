import { type Control, type ControlPoint, DeviceError, type PointValue, type PowerDeliveryState } from "hemgate/sdk";
import { answered } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { at, type Json, jsonOf, numberOf, textAt } from "../kit/payload.ts";
import { keysOf, LEAST_A, stationControls, USUAL_MOST_A } from "../kit/station.ts";
import { toPoint } from "../kit/units.ts";
import { announcementOf, sightings } from "./sightings.ts";

const ANNOUNCE = "openevse/announce/+";
const EVERY_MS = 30_000;
const KEYS = [
  "amp",
  "voltage",
  "power",
  "pilot",
  "max_current",
  "state",
  "status",
  "vehicle",
  "session_energy",
  "total_energy",
  "wattsec",
  "wh",
  "claim",
  "override",
] as const;
type Key = (typeof KEYS)[number];
const isKey = keysOf(KEYS);

const CONNECTED = 2;
const CHARGING = 3;
const SLEEPING = 254;

/** A command at the charger: a claim of ours over MQTT, or an override by hand, which beats it. */
interface ChargerClaim {
  readonly isEnabled: boolean | null;
  readonly ampere: number | null;
}
const NO_CLAIM: ChargerClaim = { isEnabled: null, ampere: null };

/** OpenEVSE chargers; topics in topics.md. */
export const openevse: Bridge = {
  name: "openevse",
  noVersion: "docs/mqtt.md of the firmware and its announcement have none; HTTP tells it",
  announcements: { filters: [ANNOUNCE], sightings },
  open: (options) => new OpenEvseCharger(options),
};

class OpenEvseCharger implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly #base: string;
  readonly #awaited = new Set<Key>([
    "amp",
    "voltage",
    "power",
    "pilot",
    "max_current",
    "state",
    "status",
    "session_energy",
    "total_energy",
  ]);
  /** Energies that came under the names that firmware has since 4.1: the older names are passed over then. */
  readonly #named = new Set<Key>();
  #mostA = USUAL_MOST_A;
  #state: number | null = null;
  #hasVehicle: boolean | null = null;
  #status: boolean | null = null;
  #pilotA: number | null = null;
  #claim = NO_CLAIM;
  #override = NO_CLAIM;

  constructor({ topic, intervalMs }: BridgeOptions) {
    this.#base = `${topic}/`;
    this.filters = [ANNOUNCE, ...KEYS.map((key) => `${topic}/${key}`)];
    this.timing = { everyMs: intervalMs ?? EVERY_MS };
  }

  receive({ topic, text, isRetained }: BridgeMessage, intake: Intake): void {
    if (topic.startsWith("openevse/announce/")) {
      this.#announced(text, isRetained, intake);
      return;
    }
    const key = topic.slice(this.#base.length);
    if (!isKey(key)) return;
    this.#awaited.delete(key);
    intake.alive();
    this.#take(key, text, intake);
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    return stationControls(this.#mostA);
  }

  command(point: ControlPoint, value: PointValue): Command {
    const isCurrent = point === "charger.maxCurrent";
    const overridden = isCurrent ? this.#override.ampere : this.#override.isEnabled;
    if (overridden !== null && overridden !== value) {
      throw new DeviceError("rejected", `${point} ${value}: an override at the charger holds ${overridden}`);
    }
    const isEnabled = isCurrent ? this.#claim.isEnabled : value === true;
    const ampere = isCurrent ? value : this.#claim.ampere;
    const claim = {
      ...(isEnabled !== null && { state: isEnabled ? "active" : "disabled" }),
      ...(ampere !== null && { charge_current: ampere }),
      auto_release: false,
    };
    return {
      // The whole claim: the documentation says that parts which are not named stay, firmware in use drops them.
      messages: [{ topic: `${this.#base}claim/set`, text: JSON.stringify(claim) }],
      acknowledgement: answered("republish", `${this.#base}claim`, (text) => {
        const taken = claimOf(jsonOf(text));
        return (isCurrent ? taken.ampere : taken.isEnabled) === value ? "taken" : null;
      }),
    };
  }

  #announced(text: string, isRetained: boolean, intake: Intake): void {
    const announced = announcementOf(text);
    if (announced === null || announced.topic !== this.#base.slice(0, -1)) return;
    const isPresent = announced.state !== "disconnected";
    if (isPresent && !isRetained) intake.alive();
    intake.present(isPresent, "its last will says that it is disconnected");
    intake.identity({ manufacturer: "OpenEVSE", serial: announced.id, name: announced.name });
  }

  #take(key: Key, text: string, intake: Intake): void {
    switch (key) {
      case "amp":
        intake.numeral("charger.current.l1", text, toPoint("mA", "charger.current.l1"));
        break;
      case "voltage":
        intake.numeral("charger.voltage.l1", text);
        break;
      case "power":
        intake.numeral("charger.power", text);
        break;
      case "session_energy":
        this.#named.add(key);
        intake.numeral("charger.energySession", text);
        break;
      case "total_energy":
        this.#named.add(key);
        intake.numeral("charger.energy", text, toPoint("kWh", "charger.energy"));
        break;
      case "wattsec":
        if (this.#named.has("session_energy")) break;
        intake.numeral("charger.energySession", text, toPoint("Ws", "charger.energySession"));
        break;
      case "wh":
        if (!this.#named.has("total_energy")) intake.numeral("charger.energy", text);
        break;
      case "max_current": {
        const mostA = numberOf(text);
        if (mostA !== null && mostA >= LEAST_A) this.#mostA = mostA;
        break;
      }
      case "pilot":
        this.#pilotA = numberOf(text);
        break;
      case "state":
        this.#state = numberOf(text);
        break;
      case "vehicle":
        this.#hasVehicle = flag(numberOf(text));
        break;
      case "status":
        this.#status = text === "active" ? true : text === "disabled" ? false : null;
        break;
      case "claim":
        this.#claim = claimOf(jsonOf(text));
        break;
      case "override":
        this.#override = claimOf(jsonOf(text));
    }
    this.#tell(key, intake);
  }

  /** What several topics say together, when one of them came. */
  #tell(key: Key, intake: Intake): void {
    const isClaim = key === "claim" || key === "override";
    if (key === "state" || key === "vehicle") intake.value("charger.state", this.#plug());
    if (key === "pilot" || isClaim) {
      const ampere = this.#override.ampere ?? this.#claim.ampere ?? this.#pilotA;
      if (ampere !== null || key === "pilot") intake.value("charger.maxCurrent", ampere);
    }
    if (key === "status" || isClaim) {
      const isEnabled = this.#override.isEnabled ?? this.#claim.isEnabled ?? this.#status;
      if (isEnabled !== null || key === "status") intake.value("charger.enabled", isEnabled);
    }
  }

  #plug(): PowerDeliveryState {
    const state = this.#state;
    if (state === null || state === 0) return "UNKNOWN";
    if (state === 1) return "UNPLUGGED";
    if (state === CONNECTED) return "PLUGGED_IN:INITIALIZING";
    if (state === CHARGING) return "PLUGGED_IN:CHARGING";
    // Asleep or disabled, where only the vehicle's own topic tells of a plug.
    if (state >= SLEEPING) {
      return this.#hasVehicle === null ? "UNKNOWN" : this.#hasVehicle ? "PLUGGED_IN:STOPPED" : "UNPLUGGED";
    }
    return "PLUGGED_IN:FAULT";
  }
}

/** `{"state":"null"}` when there is none; a claim of the current alone has no state. */
function claimOf(json: Json): ChargerClaim {
  const state = textAt(json, "state");
  const ampere = at(json, "charge_current");
  return {
    isEnabled: state === "active" ? true : state === "disabled" ? false : null,
    ampere: typeof ampere === "number" && ampere > 0 ? ampere : null,
  };
}

function flag(value: number | null): boolean | null {
  return value === null ? null : value !== 0;
}
