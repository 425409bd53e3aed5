import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import { answered } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { type Json, jsonOf, PayloadError } from "../kit/payload.ts";
import { Presence } from "../kit/presence.ts";
import { roleOf } from "../kit/role.ts";
import { stationControls } from "../kit/station.ts";
import { Chargepoint } from "./chargepoint.ts";
import { COMPONENTS, type ComponentRole, componentPoints, HOUSE, ROLES, tellField } from "./components.ts";
import { sightings } from "./sightings.ts";

/** openWB tells the time with each round of its regulation. */
const ROUND_MS = 10_000;
const FAULT = 2;
/** The house without what charges, and that. */
const HOME = "counter/set/home_consumption";
const VERSION = "system/version";
const ALL_CHARGEPOINTS = "chargepoint/get/power";
/** Software 2 takes no more over its simple API. */
const MOST_A = 32;

/** openWB, software 2; topics in topics.md. */
export const openwb: Bridge = {
  name: "openwb",
  announcements: {
    filters: ["+/chargepoint/+/get/plug_state", "+/counter/+/get/power", "+/bat/+/get/power", "+/pv/+/get/power"],
    sightings,
  },
  open: (options) => new OpenWb(options),
};

class OpenWb implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly isEnergyManager: boolean;
  readonly #root: string;
  /** Null: the house as a whole, with the grid's counter where its id is published. */
  readonly #role: ComponentRole | null;
  readonly #id: number | null;
  /** Topics of the component's values; null: it has no topics. */
  readonly #base: string | null;
  readonly #chargepoint: Chargepoint | null;
  readonly #presence = new Presence();
  readonly #reported = new Set<string>();
  readonly #configured = new Map<string, boolean>();
  /** The last values of the house, by topic. */
  readonly #values = new Map<string, Json>();
  /** Chargepoints that tell something, by id. */
  readonly #chargepoints = new Set<number>();
  /** What all chargepoints take, W. */
  #chargingW = 0;
  #fault: { state: number | null; text: string | null } = { state: null, text: null };

  constructor({ topic, role, channel, intervalMs }: BridgeOptions) {
    this.#root = `${topic}/`;
    this.#role = role === null ? null : componentRole(role);
    this.#id = channel;
    this.isEnergyManager = this.#role === null;
    if (this.#role !== null && channel === null) {
      throw new DeviceError("rejected", `openwb: channel is missing; it is the id of the ${this.#role} in openWB`);
    }
    const kind = COMPONENTS[this.#role ?? "meter"].kind;
    this.#base = channel === null ? null : `${this.#root}${kind}/${channel}/`;
    this.#chargepoint = this.#role === "charger" ? new Chargepoint() : null;
    this.filters = [...this.#filters()];
    this.timing = {
      everyMs: intervalMs ?? ROUND_MS,
      // Published when it changes, and remembered by the broker: it is right for as long as the rounds go on.
      pointExpiresMs: Object.fromEntries(
        [...this.#points()].map((point): readonly [PointName, number] => [point, Number.POSITIVE_INFINITY]),
      ),
    };
  }

  receive({ topic, text, isRetained }: BridgeMessage, intake: Intake): void {
    const name = topic.slice(this.#root.length);
    if (name === "system/time") {
      if (!isRetained) intake.alive();
      return;
    }
    // A topic that was emptied: a command that was taken, or a component that was removed.
    if (text === "" || name.startsWith("simpleAPI/set/")) return;
    if (name === VERSION) {
      const version = jsonOf(text);
      intake.identity({ manufacturer: "openWB", version: typeof version === "string" ? version : null });
      return;
    }
    const other = /^chargepoint\/(\d+)\/get\/plug_state$/.exec(name);
    if (other !== null) this.#chargepoints.add(Number(other[1]));
    if (this.#base !== null && topic.startsWith(this.#base)) {
      this.#component(topic.slice(this.#base.length), jsonOf(text), intake);
    } else if (this.#role === null) {
      this.#house(name, jsonOf(text), intake);
    }
  }

  missing(): string | null {
    const first = this.#role === null ? HOME : "get/power";
    return this.#reported.has(first) ? null : first;
  }

  controls(): readonly Control[] {
    if (this.#chargepoint === null) return [];
    // Whatever id the topic names, openWB gives the current to the chargepoint with the lowest.
    const isFirst = [...this.#chargepoints].every((id) => this.#id !== null && id >= this.#id);
    const takesCurrent = isFirst && this.#chargepoint.instantA !== null;
    return stationControls(MOST_A).filter(({ point }) => takesCurrent || point !== "charger.maxCurrent");
  }

  command(point: ControlPoint, value: PointValue): Command {
    const key = point === "charger.maxCurrent" ? "chargecurrent" : "chargemode";
    const text = point === "charger.maxCurrent" ? String(value) : value === true ? "instant" : "stop";
    const topic = `${this.#root}simpleAPI/set/chargepoint/${this.#id}/${key}`;
    return {
      messages: [{ topic, text }],
      // openWB empties the topic when it took what stood there.
      acknowledgement: answered("echo", topic, (answer) => (answer === "" ? "taken" : null)),
    };
  }

  *#filters(): Generator<string> {
    yield `${this.#root}system/time`;
    yield `${this.#root}${VERSION}`;
    if (this.#base !== null) {
      for (const field of COMPONENTS[this.#role ?? "meter"].fields) yield `${this.#base}get/${field.key}`;
      yield `${this.#base}get/fault_state`;
      yield `${this.#base}get/fault_str`;
    }
    if (this.#chargepoint !== null) {
      for (const key of Chargepoint.keys) yield `${this.#base}${key}`;
      yield `${this.#root}chargepoint/+/get/plug_state`;
      yield `${this.#root}simpleAPI/set/chargepoint/${this.#id}/+`;
    }
    if (this.#role === null) {
      yield `${this.#root}${ALL_CHARGEPOINTS}`;
      for (const field of HOUSE) yield `${this.#root}${field.key}`;
      yield `${this.#root}bat/config/configured`;
      yield `${this.#root}pv/config/configured`;
    }
  }

  *#points(): Generator<PointName> {
    for (const field of COMPONENTS[this.#role ?? "meter"].fields) yield* componentPoints(field);
    for (const field of HOUSE) yield* componentPoints(field);
    yield* ["charger.state", "charger.enabled", "charger.maxCurrent"];
  }

  #component(key: string, json: Json, intake: Intake): void {
    this.#reported.add(key);
    if (key === "get/fault_state" || key === "get/fault_str") {
      this.#faulty(key, json, intake);
      return;
    }
    const field = COMPONENTS[this.#role ?? "meter"].fields.find((each) => `get/${each.key}` === key);
    if (field !== undefined) tellField(field, json, intake);
    this.#chargepoint?.tell(key, json, intake);
  }

  /** A component that openWB does not reach keeps its last values for ever: they count for nothing then. */
  #faulty(key: string, json: Json, intake: Intake): void {
    if (key === "get/fault_str") this.#fault.text = typeof json === "string" ? json : null;
    else if (typeof json === "number") this.#fault.state = json;
    else throw new PayloadError("fault_state is no number");
    const { state, text } = this.#fault;
    // The grid's counter is a part of the house only, which goes on without it.
    if (this.#role === null) {
      if (state === FAULT) for (const field of COMPONENTS.meter.fields) tellField(field, null, intake);
      return;
    }
    this.#presence.tell(intake, "fault", state !== FAULT, `openWB has a fault of it: ${text ?? "not said which"}`);
  }

  #house(name: string, json: Json, intake: Intake): void {
    if (name === ALL_CHARGEPOINTS) {
      this.#chargingW = typeof json === "number" ? json : 0;
      return;
    }
    this.#reported.add(name);
    const [, kind] = /^(bat|pv)\/config\/configured$/.exec(name) ?? [];
    if (kind === undefined) this.#values.set(name, json);
    else this.#configured.set(kind, json === true || json === 1);
    // What is not configured is published as 0 all the same, and may come before the word that it is not.
    for (const field of HOUSE) {
      const value = this.#values.get(field.key);
      const part = field.key.split("/")[0] ?? "";
      const isNews = kind === undefined ? field.key === name : part === kind;
      if (isNews && value !== undefined && (part === "counter" || this.#configured.get(part) === true)) {
        tellField(field, field.key === HOME ? this.#withCharging(value) : value, intake);
      }
    }
  }

  #withCharging(home: Json): Json {
    return typeof home === "number" ? home + this.#chargingW : home;
  }
}

function componentRole(role: Parameters<typeof roleOf>[0]): ComponentRole {
  const known = roleOf(role, ROLES, "openwb");
  const own = ROLES.find((each) => each === known);
  if (own === undefined) throw new DeviceError("rejected", `openwb: there is no component for ${known}`);
  return own;
}
