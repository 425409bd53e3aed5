import { type Control, type ControlPoint, DeviceError, type PointValue } from "hemgate/sdk";
import { answered } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Sighting } from "../kit/bridge.ts";
import { hoymilesVersion } from "../kit/hoymiles-version.ts";
import { shown, unexpected } from "../kit/payload.ts";
import { Presence } from "../kit/presence.ts";
import { toPoint } from "../kit/units.ts";

const PREFIX = "inverter";
/** The firmware's interval of asking the inverters, unless it was changed. */
const EVERY_MS = 15_000;
/** Below this an inverter may stay at 0 W until it restarts. */
const LEAST_LIMIT_W = 20;
/** Of an inverter whose rated power is unknown: 20 W of the smallest. */
const LEAST_LIMIT_PERCENT = 10;

/** What `available` means: only what is heard now is there. */
const AVAILABLE: Readonly<Record<string, string | null>> = {
  "0": "the inverter is off",
  "1": null,
  "2": null,
  "3": "the inverter produced, and is not heard any more",
  "4": "the inverter was there, and is not heard any more",
};

/** AhoyDTU, a radio gateway for Hoymiles inverters; topics in topics.md. */
export const ahoydtu: Bridge = {
  name: "ahoydtu",
  noSerial: "The list of topics in the AhoyDTU manual has the inverter by its name alone",
  announcements: { filters: [`${PREFIX}/+/available`], sightings },
  settings: ["ratedW"],
  open: (options) => new AhoyDtuInverter(options),
};

class AhoyDtuInverter implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["Hoymiles", "MQTT"];
  readonly #prefix: string;
  readonly #name: string;
  readonly #index: number | null;
  readonly #ratedW: number | undefined;
  readonly #presence = new Presence();
  readonly #awaited = new Set(["available", "ch0/P_AC", "ch0/YieldTotal"]);

  constructor({ topic, prefix, channel, settings, intervalMs }: BridgeOptions) {
    if (topic.includes("/")) throw new DeviceError("rejected", `ahoydtu: topic ${topic} is no inverter's name`);
    this.#prefix = prefix ?? PREFIX;
    this.#name = topic;
    this.#index = channel;
    this.#ratedW = settings["ratedW"];
    const base = `${this.#prefix}/${topic}`;
    this.filters = [`${this.#prefix}/mqtt`, `${base}/available`, `${base}/ack_pwr_limit`, `${base}/ch0/+`];
    this.timing = { everyMs: intervalMs ?? EVERY_MS };
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    if (topic === `${this.#prefix}/mqtt`) {
      this.#presence.tell(intake, "dtu", text !== "not connected", "the AhoyDTU is offline");
      return;
    }
    const key = topic.slice(`${this.#prefix}/${this.#name}/`.length);
    this.#awaited.delete(key);
    switch (key) {
      case "available":
        this.#available(text, intake);
        break;
      case "ch0/P_AC":
        intake.numeral("inverter.power", text);
        break;
      case "ch0/YieldTotal":
        // 0 until the inverter was heard for the first time of the day.
        if (/^0(\.0*)?$/.test(text)) intake.value("inverter.energy", null);
        else intake.numeral("inverter.energy", text, toPoint("kWh", "inverter.energy"));
        break;
      case "ch0/FWVersion":
        intake.identity({ version: hoymilesVersion(text) });
        break;
      case "ch0/PowerLimit":
        intake.numeral("inverter.powerLimit", text);
    }
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    // Telemetry has the inverter's name, commands its number: without the number a command cannot be addressed.
    if (this.#index === null) return [];
    const ratedW = this.#ratedW;
    const min = ratedW === undefined ? LEAST_LIMIT_PERCENT : Math.ceil((LEAST_LIMIT_W / ratedW) * 100);
    return [{ point: "inverter.powerLimit", range: { min, max: 100 }, holdMs: null, safeDefault: 100 }];
  }

  command(_point: ControlPoint, value: PointValue): Command {
    const acknowledged = `${this.#prefix}/${this.#name}/ack_pwr_limit`;
    return {
      messages: [{ topic: `${this.#prefix}/ctrl/limit/${this.#index}`, text: `${value}%` }],
      acknowledgement: answered("notification", acknowledged, (text) =>
        text === "true" ? "taken" : { refusal: `the AhoyDTU says ${shown(text)}` },
      ),
    };
  }

  #available(text: string, intake: Intake): void {
    const why = Object.hasOwn(AVAILABLE, text) ? AVAILABLE[text] : undefined;
    if (why === undefined) throw unexpected(`one of ${Object.keys(AVAILABLE).join(", ")}`, text);
    this.#presence.tell(intake, "inverter", why === null, why ?? "");
    intake.identity({ manufacturer: "Hoymiles", name: this.#name });
  }
}

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const names = new Set<string>();
  for (const { topic, text } of messages) {
    const [prefix, name = "", key, ...rest] = topic.split("/");
    if (prefix === PREFIX && key === "available" && rest.length === 0 && Object.hasOwn(AVAILABLE, text))
      names.add(name);
  }
  return [...names].map((name) => ({
    key: `ahoydtu:${name}`,
    manufacturer: "Hoymiles",
    model: null,
    serial: null,
    firmware: null,
    name,
    roles: ["inverter"],
    options: { bridge: "ahoydtu", topic: name },
    confidence: 0.9,
  }));
}
