import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import { NOT_ACKNOWLEDGED, type Verdict } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Sighting } from "../kit/bridge.ts";
import { at, type Json, jsonOf, PayloadError, textAt } from "../kit/payload.ts";
import { PHASES } from "../kit/role.ts";
import { LEAST_A, stationControls } from "../kit/station.ts";
import { sessionState } from "./session-state.ts";

const PREFIX = "everest_api";
/** All variables are published this often. */
const EVERY_MS = 1_000;
/** Offered when the hardware does not say what it can do, A. */
const USUAL_MOST_A = 16;
/** Rounds of `limits` that the energy manager gets to take a limit over. */
const ROUNDS_TO_TAKE = 5;
const SAME_A = 0.05;

/** Chargers that run EVerest, by its API module; topics in topics.md. */
export const everest: Bridge = {
  name: "everest",
  noSerial: "The README of EVerest's module API lists no variable for it",
  noVersion: "The README of EVerest's module API lists no variable for it",
  announcements: { filters: [`${PREFIX}/connectors`], sightings: (messages) => sightings(messages) },
  open: (options) => new EverestConnector(options),
};

class EverestConnector implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly #base: string;
  readonly #awaited = new Set(["session_info", "limits", "hardware_capabilities"]);
  #mostA = USUAL_MOST_A;
  /** What the last `limits` said, A. */
  #limitA: number | null = null;
  /** The limit to charge with, where `limits` says 0: the one that was set or shown last, A. */
  #chargingA: number | null = null;
  #hasMeter = false;
  #rounds = 0;

  constructor({ topic, prefix, intervalMs }: BridgeOptions) {
    this.#base = `${prefix ?? PREFIX}/${topic}/`;
    this.filters = [`${this.#base}var/+`];
    this.timing = { everyMs: intervalMs ?? EVERY_MS };
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    const key = topic.slice(`${this.#base}var/`.length);
    if (!["session_info", "limits", "hardware_capabilities", "powermeter"].includes(key)) return;
    const json = jsonOf(text);
    this.#awaited.delete(key);
    intake.alive();
    switch (key) {
      case "session_info":
        this.#session(json, intake);
        break;
      case "limits":
        this.#limits(json, intake);
        break;
      case "powermeter":
        this.#meter(json, intake);
        break;
      case "hardware_capabilities": {
        const mostA = at(json, "max_current_A_import") ?? at(json, "max_current_A");
        if (typeof mostA === "number" && mostA >= LEAST_A) this.#mostA = mostA;
      }
    }
  }

  missing(): string | null {
    if (this.#awaited.size > 0) return [...this.#awaited].join(", ");
    // A board without a meter is known by a whole round in which none spoke.
    return this.#hasMeter || this.#rounds > 1 ? null : "powermeter";
  }

  controls(): readonly Control[] {
    // Without `limits` nothing shows what became of a limit.
    if (this.#awaited.has("limits")) return [];
    return stationControls(this.#mostA);
  }

  command(point: ControlPoint, value: PointValue): Command {
    if (point === "charger.maxCurrent") {
      if (typeof value !== "number") throw new DeviceError("rejected", `${point} is no number`);
      this.#chargingA = value;
      // Charging is stopped: the limit waits for the start, which it must not bring about.
      if (this.#limitA === 0) return { messages: [], acknowledgement: NOT_ACKNOWLEDGED };
      return this.#limitTo(value);
    }
    return this.#limitTo(value === true ? (this.#chargingA ?? this.#mostA) : 0);
  }

  #limitTo(ampere: number): Command {
    const topic = `${this.#base}var/limits`;
    let rounds = 0;
    return {
      messages: [{ topic: `${this.#base}cmd/set_limit_amps`, text: String(ampere) }],
      acknowledgement: {
        style: "rounds",
        topic,
        judge: (message): Verdict => {
          if (message.topic !== topic) return null;
          const limitA = at(jsonOf(message.text), "max_current");
          if (typeof limitA !== "number") return null;
          if (Math.abs(limitA - ampere) < SAME_A) return "taken";
          rounds += 1;
          if (rounds < ROUNDS_TO_TAKE) return null;
          return {
            refusal: `the limits stay at ${limitA} A: another limit holds, or EVerest has no evse_energy_sink for it`,
          };
        },
      },
    };
  }

  #session(json: Json, intake: Intake): void {
    this.#rounds += 1;
    const state = textAt(json, "state");
    if (state === null) throw new PayloadError("session_info without a state");
    const powerW = at(json, "latest_total_w");
    intake.value("charger.state", sessionState(state, isFaulty(json), typeof powerW === "number" ? powerW : 0));
    intake.number("charger.energySession", at(json, "charged_energy_wh"));
    if (!this.#hasMeter) intake.number("charger.power", powerW);
  }

  #limits(json: Json, intake: Intake): void {
    const raw = at(json, "max_current");
    this.#limitA = typeof raw === "number" ? raw : null;
    if (this.#limitA !== null && this.#limitA > 0) this.#chargingA = this.#limitA;
    if (this.#limitA === 0) intake.value("charger.maxCurrent", this.#chargingA);
    else intake.number("charger.maxCurrent", raw);
    intake.value("charger.enabled", this.#limitA === null ? null : this.#limitA > 0);
  }

  #meter(json: Json, intake: Intake): void {
    const total = at(json, "power_W", "total");
    this.#hasMeter ||= total !== undefined;
    intake.number("charger.power", total);
    intake.number("charger.energy", at(json, "energy_Wh_import", "total"));
    for (const phase of PHASES) {
      const name = phase.toUpperCase();
      const tell = (point: PointName, field: string): void => intake.number(point, at(json, field, name));
      tell(`charger.current.${phase}`, "current_A");
      tell(`charger.voltage.${phase}`, "voltage_V");
    }
  }
}

/** Faults that block charging: a flag in old versions, a list or a text later on. */
function isFaulty(json: Json): boolean {
  const faults = at(json, "active_permanent_faults");
  if (at(json, "permanent_fault") === true) return true;
  return (Array.isArray(faults) && faults.length > 0) || (typeof faults === "string" && faults !== "");
}

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const names = new Set<string>();
  for (const { topic, text } of messages) {
    if (topic !== `${PREFIX}/connectors`) continue;
    for (const name of namesIn(text)) names.add(name);
  }
  return [...names].map((name) => ({
    key: `everest:${name}`,
    manufacturer: null,
    model: null,
    serial: null,
    firmware: null,
    name,
    roles: ["charger"],
    options: { bridge: "everest", topic: name },
    confidence: 0.9,
  }));
}

function namesIn(text: string): readonly string[] {
  try {
    const json = jsonOf(text);
    if (!Array.isArray(json)) return [];
    return json.filter((name: Json) => typeof name === "string" && /^[A-Za-z0-9_-]{1,100}$/.test(name));
  } catch (error) {
    if (error instanceof PayloadError) return [];
    throw error;
  }
}
