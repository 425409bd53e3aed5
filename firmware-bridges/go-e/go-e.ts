import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import { NOT_ACKNOWLEDGED, type Verdict } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { at, type Json, jsonOf, shown } from "../kit/payload.ts";
import { Presence } from "../kit/presence.ts";
import { PHASES } from "../kit/role.ts";
import { keysOf, LEAST_A, stationControls, USUAL_MOST_A } from "../kit/station.ts";
import { FORCED_OFF, FORCED_ON, GoEState } from "./go-e-state.ts";
import { sightings } from "./sightings.ts";

const PREFIX = "go-eCharger";
/** The time since the start ticks this often; all else comes when it changes. */
const TICK_MS = 1_000;
const SERIAL = /^\d{6,10}$/;
/** Keys to listen to. Many others tick each second, and are left alone. */
const KEYS = [
  "rbt",
  "mcc",
  "car",
  "err",
  "nrg",
  "eto",
  "wh",
  "amp",
  "ama",
  "alw",
  "frc",
  "psm",
  "sse",
  "typ",
  "oem",
  "fwv",
  "fna",
] as const;
type Key = (typeof KEYS)[number];
const isKey = keysOf(KEYS);
/** Everything that changes by itself is published when it does, so that it does not age while the ticks come. */
const ON_CHANGE: readonly PointName[] = [
  "charger.state",
  "charger.power",
  "charger.energy",
  "charger.energySession",
  "charger.maxCurrent",
  "charger.enabled",
  "charger.phases",
  ...PHASES.flatMap((phase) => [`charger.current.${phase}`, `charger.voltage.${phase}`] as const),
];

/** `psm` by the number of phases; 0: the charger decides by itself. */
const PHASE_MODES = new Map([
  [0, 0],
  [1, 1],
  [3, 2],
]);

/** go-e chargers with API version 2; topics in topics.md. */
export const goE: Bridge = {
  name: "go-e",
  announcements: { filters: ["+/+/var", "/+/+/var", "+/+/sse", "/+/+/sse"], sightings },
  open: (options) => new GoECharger(options),
};

class GoECharger implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["GOE", "MQTT"];
  readonly #base: string;
  readonly #presence = new Presence();
  readonly #state = new GoEState();
  readonly #awaited = new Set<Key>(["car", "nrg", "eto", "wh", "amp", "alw", "frc", "ama"]);
  #amp: number | null = null;
  #frc: number | null = null;
  #psm: number | null = null;
  #mostA = USUAL_MOST_A;

  constructor({ topic, prefix, intervalMs }: BridgeOptions) {
    if (!SERIAL.test(topic)) throw new DeviceError("rejected", `go-e: topic ${topic} is no serial number`);
    this.#base = `${prefix ?? PREFIX}/${topic}/`;
    this.filters = [...KEYS.map((key) => `${this.#base}${key}`), `${this.#base}+/result`];
    this.timing = {
      everyMs: intervalMs ?? TICK_MS,
      pointExpiresMs: Object.fromEntries(ON_CHANGE.map((point) => [point, Number.POSITIVE_INFINITY])),
    };
  }

  receive({ topic, text, isRetained }: BridgeMessage, intake: Intake): void {
    const key = topic.slice(this.#base.length);
    if (!isKey(key)) return;
    const json = jsonOf(text);
    this.#awaited.delete(key);
    // Its last will is the broker's word, and says nothing good.
    if (key !== "mcc") intake.alive();
    else if (!isRetained || json === false) {
      this.#presence.tell(intake, "mcc", json !== false, "its last will says that it is offline");
    }
    this.#take(key, json, intake);
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    const station = stationControls(this.#mostA);
    if (this.#psm === null) return station;
    return [
      ...station,
      { point: "charger.phases", values: [...PHASE_MODES.keys()], holdMs: null, safeDefault: "as-found" },
    ];
  }

  command(point: ControlPoint, value: PointValue): Command {
    const { key, known, target } = this.#setting(point, value);
    // All are kept in flash: what stands there is not written again.
    if (known === target) return { messages: [], acknowledgement: NOT_ACKNOWLEDGED };
    return {
      messages: [{ topic: `${this.#base}${key}/set`, text: String(target) }],
      acknowledgement: {
        style: "echo",
        topic: `${this.#base}${key}/result`,
        judge: ({ topic, text }): Verdict => {
          // Firmware before 51.5 tells no result, only the new value.
          if (topic === `${this.#base}${key}`) return text.trim() === String(target) ? "taken" : null;
          if (topic !== `${this.#base}${key}/result`) return null;
          return isSuccess(text) ? "taken" : { refusal: `the charger says ${shown(text)}` };
        },
      },
    };
  }

  #setting(point: ControlPoint, value: PointValue) {
    switch (point) {
      case "charger.maxCurrent":
        return { key: "amp", known: this.#amp, target: Math.floor(Number(value)) } as const;
      case "charger.phases":
        return { key: "psm", known: this.#psm, target: PHASE_MODES.get(Number(value)) ?? 0 } as const;
      default:
        return { key: "frc", known: this.#frc, target: value === true ? FORCED_ON : FORCED_OFF } as const;
    }
  }

  #take(key: Key, json: Json, intake: Intake): void {
    switch (key) {
      case "nrg":
        this.#measured(json, intake);
        break;
      case "eto":
        intake.number("charger.energy", json);
        break;
      case "wh":
        intake.number("charger.energySession", json);
        break;
      case "amp":
        this.#amp = typeof json === "number" ? json : null;
        intake.number("charger.maxCurrent", json);
        break;
      case "ama":
        if (typeof json === "number" && json >= LEAST_A) this.#mostA = json;
        break;
      case "frc":
        this.#frc = typeof json === "number" ? json : null;
        this.#state.tell(intake, { force: this.#frc });
        break;
      case "psm":
        this.#psm = typeof json === "number" ? json : null;
        intake.number("charger.phases", [...PHASE_MODES].find(([, mode]) => mode === this.#psm)?.[0] ?? null);
        break;
      case "car":
      case "err":
        this.#state.tell(intake, { [key]: typeof json === "number" ? json : null });
        break;
      case "alw":
        this.#state.tell(intake, { isAllowed: typeof json === "boolean" ? json : null });
        break;
      case "sse":
        intake.identity({ serial: textOrNull(json) });
        break;
      case "oem":
        intake.identity({ manufacturer: textOrNull(json) });
        break;
      case "typ":
        intake.identity({ model: textOrNull(json) });
        break;
      case "fwv":
        intake.identity({ version: textOrNull(json) });
        break;
      case "fna":
        intake.identity({ name: textOrNull(json) });
    }
  }

  /** V of L1, L2, L3, N; A of L1, L2, L3; W of L1, L2, L3, N and all together. */
  #measured(nrg: Json, intake: Intake): void {
    for (const [index, phase] of PHASES.entries()) {
      intake.number(`charger.voltage.${phase}`, at(nrg, index) ?? null);
      intake.number(`charger.current.${phase}`, at(nrg, 4 + index) ?? null);
    }
    intake.number("charger.power", at(nrg, 11) ?? null);
  }
}

/** `success`, with or without quotation marks; a firmware that answers `true` means the same. */
function isSuccess(text: string): boolean {
  return /^"?(success|true)"?$/i.test(text.trim());
}

function textOrNull(json: Json): string | null {
  return typeof json === "string" && json !== "" ? json : null;
}
