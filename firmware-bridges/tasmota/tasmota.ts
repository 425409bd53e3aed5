import { type Control, type ControlPoint, DeviceError, type PointValue } from "hemgate/sdk";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Outgoing } from "../kit/bridge.ts";
import { type NamedPoint, namedPoints, tellNamed } from "../kit/named-points.ts";
import { at, type Json, jsonOf, textAt } from "../kit/payload.ts";
import { Measured, ROLES, type Role, roleOf } from "../kit/role.ts";
import { SOCKET_CONTROL, Socket } from "../kit/socket.ts";
import { type SensorOptions, tellEnergy, tellScript } from "./energy.ts";
import { judgeRelay, relayKey } from "./relay.ts";
import { DISCOVERY, sightings } from "./sightings.ts";

/** It is asked this often: by itself it tells every five minutes. */
const ASK_EVERY_MS = 10_000;
const FULL_TOPIC = "%prefix%/%topic%/";

/** Tasmota plugs, relays and meter readers; topics in topics.md. */
export const tasmota: Bridge = {
  name: "tasmota",
  announcements: { filters: [DISCOVERY], sightings },
  open: (options) => new TasmotaDevice(options),
};

class TasmotaDevice implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly hello: readonly Outgoing[];
  readonly query: NonNullable<BridgeDevice["query"]>;
  readonly #topic: string;
  readonly #full: (prefix: "cmnd" | "stat" | "tele") => string;
  readonly #sensor: SensorOptions;
  readonly #named: readonly NamedPoint[];
  readonly #socket: Socket | null;
  readonly #channel: number | null;
  /** Texts of the relay's states and of the last will, which can be changed on the device. */
  #onTexts: readonly string[] = ["ON"];
  #offline = "Offline";
  #hasRelay = false;
  readonly #awaited = new Set(["a sensor message", "who it is"]);

  constructor({ topic, prefix, role, isInverted, channel, points, intervalMs }: BridgeOptions) {
    const pattern = prefix ?? FULL_TOPIC;
    if (prefix !== null && !(prefix.includes("%prefix%") && prefix.includes("%topic%"))) {
      throw new DeviceError("rejected", "tasmota: prefix is the FullTopic, with %prefix% and %topic% in it");
    }
    const known: Role = roleOf(role, ROLES, "tasmota");
    this.#topic = topic;
    this.#channel = channel;
    this.#full = (kind) =>
      `${pattern
        .replace("%prefix%", kind)
        .replace("%topic%", topic)
        .replace(/(?<!\/)\/+$/, "")}/`;
    this.#sensor = { measured: new Measured(known, isInverted), isInverted, channel };
    this.#named = namedPoints(points, "tasmota");
    this.#socket = known === "charger" ? new Socket() : null;
    this.filters = [`${this.#full("tele")}+`, `${this.#full("stat")}+`, DISCOVERY];
    const everyMs = intervalMs ?? ASK_EVERY_MS;
    this.timing = { everyMs };
    const status = (number: string): Outgoing => ({ topic: `${this.#full("cmnd")}STATUS`, text: number });
    // 2 firmware, 5 network, 11 states.
    this.hello = [status("2"), status("5"), status("11")];
    const messages = this.#socket === null ? [status("10")] : [status("10"), status("11")];
    this.query = { everyMs, messages: () => messages };
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    const tele = this.#full("tele");
    const stat = this.#full("stat");
    if (topic.startsWith("tasmota/discovery/")) this.#announced(text, intake);
    else if (topic === `${tele}LWT`) {
      intake.lastWill(text !== this.#offline);
    } else if (topic === `${tele}SENSOR`) this.#sensors(jsonOf(text), intake);
    else if (topic === `${tele}STATE`) this.#states(jsonOf(text), intake);
    else if (topic === `${stat}STATUS10`) this.#sensors(at(jsonOf(text), "StatusSNS"), intake);
    else if (topic === `${stat}STATUS11`) this.#states(at(jsonOf(text), "StatusSTS"), intake);
    else if (topic === `${stat}STATUS2`) intake.identity({ version: version(jsonOf(text)) });
    else if (topic === `${stat}STATUS5`) this.#network(jsonOf(text), intake);
    else if (topic === `${stat}RESULT`) this.#states(jsonOf(text), intake);
    else if (/^POWER\d*$/.test(topic.slice(stat.length))) {
      this.#states(text.startsWith("{") ? jsonOf(text) : { [topic.slice(stat.length)]: text }, intake);
    }
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    return this.#socket !== null && this.#hasRelay ? [SOCKET_CONTROL] : [];
  }

  command(_point: ControlPoint, value: PointValue): Command {
    const key = relayKey(this.#channel);
    const stat = this.#full("stat");
    const isTarget = (state: string): boolean => this.#isOn(state) === value;
    return {
      messages: [{ topic: `${this.#full("cmnd")}${key}`, text: value === true ? "ON" : "OFF" }],
      acknowledgement: {
        style: "echo",
        topic: `${stat}RESULT`,
        judge: (message) => judgeRelay(message, { stat, channel: this.#channel, isTarget }),
      },
    };
  }

  #sensors(sensors: Json | undefined, intake: Intake): void {
    if (sensors === undefined) return;
    this.#awaited.delete("a sensor message");
    intake.alive();
    for (const named of this.#named)
      tellNamed(intake, named, at(sensors, ...path(named.name)), this.#sensor.isInverted);
    const energy = at(sensors, "ENERGY");
    if (energy !== undefined) {
      const powerW = tellEnergy(energy, this.#sensor, intake);
      this.#socket?.measured(intake, powerW);
    }
    const script = at(sensors, "SML");
    if (script === undefined) return;
    tellScript(script, this.#sensor, intake);
    intake.identity({ serial: textAt(script, "Meter_number") ?? textAt(script, "Meter_Id") });
  }

  #states(states: Json | undefined, intake: Intake): void {
    const state = textAt(states, relayKey(this.#channel)) ?? (this.#channel === null ? textAt(states, "POWER1") : null);
    if (state === null) return;
    intake.alive();
    this.#hasRelay = true;
    this.#socket?.switched(intake, this.#isOn(state));
  }

  #isOn(state: string): boolean {
    return this.#onTexts.includes(state);
  }

  #network(json: Json, intake: Intake): void {
    this.#awaited.delete("who it is");
    intake.identity({ manufacturer: "Tasmota", serial: textAt(json, "StatusNET", "Mac")?.replaceAll(":", "") ?? null });
  }

  #announced(text: string, intake: Intake): void {
    const config = jsonOf(text);
    if (at(config, "t") !== this.#topic) return;
    this.#awaited.delete("who it is");
    this.#offline = textAt(config, "ofln") ?? this.#offline;
    const on = textAt(config, "state", 1);
    if (on !== null) this.#onTexts = ["ON", on];
    intake.identity({
      manufacturer: "Tasmota",
      model: textAt(config, "md"),
      serial: textAt(config, "mac"),
      version: textAt(config, "sw"),
      name: textAt(config, "dn"),
    });
  }
}

function version(json: Json): string | null {
  return textAt(json, "StatusFWR", "Version");
}

/** `SML.Power_curr` or `ENERGY.Power.1`. */
function path(name: string): readonly (string | number)[] {
  return name.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
