import type { PointName, PowerDeliveryState } from "hemgate/sdk";
import type { Intake } from "../kit/bridge.ts";
import { unexpected } from "../kit/payload.ts";
import { toPoint } from "../kit/units.ts";

const OFF = "off";
const NOW = "now";
const MODES = new Set([OFF, NOW, "minpv", "pv"]);
const PHASES = [1, 2, 3] as const;

export const LOADPOINT_POINTS: readonly PointName[] = [
  "charger.state",
  "charger.enabled",
  "charger.power",
  "charger.energy",
  "charger.energySession",
  "charger.maxCurrent",
  ...PHASES.flatMap((phase) => [`charger.current.l${phase}`, `charger.voltage.l${phase}`] as const),
];

/** What plug, switch and mode of a loadpoint say together. */
export class Loadpoint {
  static readonly keys: readonly string[] = [
    "chargePower",
    "chargeTotalImport",
    "sessionEnergy",
    "maxCurrent",
    ...PHASES.flatMap((phase) => [`chargeCurrents/${phase}`, `chargeVoltages/${phase}`]),
    "charging",
    "connected",
    "mode",
  ];
  #isConnected: boolean | null = null;
  #isCharging: boolean | null = null;
  #mode: string | null = null;

  missing(): string | null {
    if (this.#mode === null) return "mode";
    return this.#isConnected === null ? "connected" : null;
  }

  tell(key: string, text: string, intake: Intake): void {
    switch (key) {
      case "mode":
        this.#mode = modeOf(text);
        intake.value("charger.enabled", this.#mode === null ? null : this.#mode !== OFF);
        break;
      case "connected":
        this.#isConnected = flagOf(text);
        break;
      case "charging":
        this.#isCharging = flagOf(text);
        break;
      case "chargePower":
        intake.numeral("charger.power", text);
        return;
      case "chargeTotalImport":
        intake.numeral("charger.energy", text, toPoint("kWh", "charger.energy"));
        return;
      case "sessionEnergy":
        intake.numeral("charger.energySession", text);
        return;
      case "maxCurrent":
        intake.numeral("charger.maxCurrent", text);
        return;
      default:
        tellPhase(key, text, intake);
        return;
    }
    if (this.missing() === null) intake.value("charger.state", this.#state());
  }

  #state(): PowerDeliveryState {
    if (this.#isConnected !== true) return this.#isConnected === null ? "UNKNOWN" : "UNPLUGGED";
    if (this.#isCharging === true) return "PLUGGED_IN:CHARGING";
    // In the other modes it waits for sun, a price or a plan.
    return this.#mode === NOW ? "PLUGGED_IN:INITIALIZING" : "PLUGGED_IN:STOPPED";
  }
}

function tellPhase(key: string, text: string, intake: Intake): void {
  const [, what, phase] = /^charge(Currents|Voltages)\/([123])$/.exec(key) ?? [];
  const line = PHASES.find((each) => String(each) === phase);
  if (line === undefined) return;
  intake.numeral(what === "Currents" ? `charger.current.l${line}` : `charger.voltage.l${line}`, text);
}

/** Empty: evcc does not know. */
function flagOf(text: string): boolean | null {
  if (text === "true" || text === "false") return text === "true";
  if (text === "") return null;
  throw unexpected("true or false", text);
}

function modeOf(text: string): string | null {
  if (MODES.has(text)) return text;
  if (text === "") return null;
  throw unexpected(`one of ${[...MODES].join(", ")}`, text);
}
