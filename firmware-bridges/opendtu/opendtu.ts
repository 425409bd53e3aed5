import { type Control, type ControlPoint, DeviceError, type PointValue } from "hemgate/sdk";
import { NOT_ACKNOWLEDGED } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Sighting } from "../kit/bridge.ts";
import { hoymilesVersion } from "../kit/hoymiles-version.ts";
import { unexpected } from "../kit/payload.ts";
import { Presence } from "../kit/presence.ts";
import { toPoint } from "../kit/units.ts";

const PREFIX = "solar";
/** The firmware's publish interval, unless it was changed. */
const EVERY_MS = 5_000;
/** Hoymiles inverters hold no lower limit. */
const LEAST_LIMIT_PERCENT = 2;
const SERIAL = /^[0-9a-f]{12}$/i;

const POWER_LIMIT: Control = {
  point: "inverter.powerLimit",
  range: { min: LEAST_LIMIT_PERCENT, max: 100 },
  holdMs: null,
  safeDefault: 100,
};

/** OpenDTU, a radio gateway for Hoymiles inverters; topics in topics.md. */
export const opendtu: Bridge = {
  name: "opendtu",
  announcements: {
    filters: [`${PREFIX}/+/name`, `${PREFIX}/+/status/reachable`],
    sightings: (messages) => sightings(messages),
  },
  open: (options) => new OpenDtuInverter(options),
};

class OpenDtuInverter implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["Hoymiles", "MQTT"];
  readonly #serial: string;
  readonly #base: string;
  readonly #dtuStatus: string;
  readonly #presence = new Presence();
  readonly #awaited = new Set(["0/power", "0/yieldtotal", "status/limit_relative"]);

  constructor({ topic, prefix, intervalMs }: BridgeOptions) {
    if (!SERIAL.test(topic)) {
      throw new DeviceError("rejected", `opendtu: topic ${topic} is no inverter's serial number of 12 digits`);
    }
    this.#base = `${prefix ?? PREFIX}/${topic}/`;
    this.#dtuStatus = `${prefix ?? PREFIX}/dtu/status`;
    this.filters = [
      this.#dtuStatus,
      `${this.#base}name`,
      `${this.#base}0/+`,
      `${this.#base}status/+`,
      `${this.#base}device/+`,
    ];
    this.timing = { everyMs: intervalMs ?? EVERY_MS };
    this.#serial = topic;
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    if (topic === this.#dtuStatus) {
      this.#presence.tell(intake, "dtu", text !== "offline", "the OpenDTU is offline");
      return;
    }
    const key = topic.slice(this.#base.length);
    this.#awaited.delete(key);
    switch (key) {
      case "name":
        intake.identity({ manufacturer: "Hoymiles", serial: this.#serial, name: text });
        break;
      case "device/fwbuildversion":
        intake.identity({ version: hoymilesVersion(text) });
        break;
      case "status/reachable":
        this.#presence.tell(intake, "inverter", flag(text), "the OpenDTU does not reach the inverter");
        break;
      case "status/limit_relative":
        intake.numeral("inverter.powerLimit", text);
        break;
      case "0/power":
        intake.numeral("inverter.power", text);
        break;
      case "0/yieldtotal":
        // 0 is shown until the inverter was heard for the first time of the day.
        if (/^0(\.0*)?$/.test(text)) intake.value("inverter.energy", null);
        else intake.numeral("inverter.energy", text, toPoint("kWh", "inverter.energy"));
    }
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    return [POWER_LIMIT];
  }

  command(_point: ControlPoint, value: PointValue): Command {
    // Never the persistent ones: they write the inverter's flash.
    const topic = `${this.#base}cmd/limit_nonpersistent_relative`;
    return { messages: [{ topic, text: String(value) }], acknowledgement: NOT_ACKNOWLEDGED };
  }
}

function flag(text: string): boolean {
  if (text !== "0" && text !== "1") throw unexpected("0 or 1", text);
  return text === "1";
}

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const names = new Map<string, string | null>();
  for (const { topic, text } of messages) {
    const [prefix, serial = "", ...rest] = topic.split("/");
    if (prefix !== PREFIX || !SERIAL.test(serial)) continue;
    names.set(serial, rest.join("/") === "name" ? text : (names.get(serial) ?? null));
  }
  return [...names].map(([serial, name]) => ({
    key: `opendtu:${serial}`,
    manufacturer: "Hoymiles",
    model: null,
    serial,
    firmware: null,
    name,
    roles: ["inverter"],
    options: { bridge: "opendtu", topic: serial },
    confidence: 0.95,
  }));
}
