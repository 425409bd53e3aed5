import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Sighting } from "../kit/bridge.ts";
import { numberOf, PayloadError } from "../kit/payload.ts";
import { Standstill } from "./standstill.ts";
import { SystemMetric } from "./system-metric.ts";

const ROOT = "solar_assistant";
const EVERY_MS = 10_000;

/** Metrics of the whole system, or one an inverter that add up: W, %, V, Hz, as their names say in every driver. */
const METRICS: Readonly<Record<string, PointName>> = {
  battery_power: "battery.power",
  battery_state_of_charge: "battery.soc",
  pv_power: "inverter.power",
  grid_power: "meter.power",
  load_power: "hem.load",
};
/** Metrics that are the same at each inverter: those of the first count. */
const FIRST: Readonly<Record<string, PointName>> = {
  grid_voltage: "meter.voltage.l1",
  grid_frequency: "meter.frequency",
};

/** Inverters and batteries behind a SolarAssistant unit; topics in topics.md. */
export const solarAssistant: Bridge = {
  name: "solar-assistant",
  noSerial: "Its MQTT topics carry measured values only; the number of the site is available over HTTP only",
  noVersion: "Its MQTT topics carry measured values only",
  announcements: { filters: ["+/total/battery_power/state", "+/inverter_1/pv_power/state"], sightings },
  open: (options) => new SolarAssistantSystem(options),
};

class SolarAssistantSystem implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly #base: string;
  readonly #metrics = new Map<string, SystemMetric>();
  readonly #standstill = new Standstill();
  readonly #awaited = new Set(Object.keys(METRICS));

  constructor({ topic, intervalMs }: BridgeOptions) {
    this.#base = `${topic}/`;
    this.timing = { everyMs: intervalMs ?? EVERY_MS };
    this.filters = [
      ...Object.keys(METRICS).map((name) => `${topic}/+/${name}/state`),
      ...Object.keys(FIRST).map((name) => `${topic}/inverter_1/${name}/state`),
    ];
  }

  receive(message: BridgeMessage, intake: Intake): void {
    const { topic, text, isRetained } = message;
    const [device = "", name = "", ...rest] = topic.slice(this.#base.length).split("/");
    if (rest.join("/") !== "state" || !/^(total|inverter_\d{1,3})$/.test(device)) return;
    const value = numberOrNull(text, intake);
    if (!isRetained) this.#moved(message, value, intake);
    const point = METRICS[name];
    if (point !== undefined) {
      const metric = this.#metrics.get(name) ?? new SystemMetric();
      this.#metrics.set(name, metric);
      const converted = metric.tell(device, value);
      if (converted === undefined) return;
      this.#awaited.delete(name);
      intake.value(point, converted);
    } else if (FIRST[name] !== undefined && device === "inverter_1") intake.value(FIRST[name], value);
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  /** A sum of several inverters is known a round later than they are. */
  expected(): readonly PointName[] {
    return [...this.#metrics.keys()].flatMap((name) => METRICS[name] ?? []);
  }

  controls(): readonly Control[] {
    return [];
  }

  command(point: ControlPoint, value: PointValue): Command {
    throw new DeviceError("rejected", `${point} ${value}: settings of SolarAssistant differ with the inverter`);
  }

  /** The unit broadcasts what it last heard from the inverter, also when it hears nothing more. */
  #moved(message: BridgeMessage, value: number | null, intake: Intake): void {
    intake.alive();
    const isStill = this.#standstill.tell(message, value);
    intake.present(!isStill, "the same values come again and again: does the inverter answer SolarAssistant?");
  }
}

function numberOrNull(text: string, intake: Intake): number | null {
  try {
    return numberOf(text);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    intake.problem(error.message);
    return null;
  }
}

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const roots = new Set<string>();
  for (const { topic, text } of messages) {
    const [, root] = /^([^/]+)\/(total\/battery_power|inverter_1\/pv_power)\/state$/.exec(topic) ?? [];
    if (root !== undefined && text !== "") roots.add(root);
  }
  return [...roots].map((root) => ({
    key: `solar-assistant:${root}`,
    manufacturer: null,
    model: "SolarAssistant",
    serial: null,
    firmware: null,
    name: null,
    roles: ["battery", "inverter", "meter"],
    options: { bridge: "solar-assistant", topic: root },
    confidence: root === ROOT ? 0.9 : 0.4,
  }));
}
