import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import { answered } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { numberOf } from "../kit/payload.ts";
import { roleOf } from "../kit/role.ts";
import { stationControls, USUAL_MOST_A } from "../kit/station.ts";
import { toPoint } from "../kit/units.ts";
import { LOADPOINT_POINTS, Loadpoint } from "./loadpoint.ts";
import { sightings } from "./sightings.ts";

/** evcc's own default. It tells all values of the site each time, changed or not, and one loadpoint after the other. */
const INTERVAL_MS = 30_000;
/** A loadpoint has its turn once in as many rounds as there are loadpoints; more than this are rare. */
const MOST_LOADPOINTS = 4;
/** A value that did not come in so many rounds is not known any more. */
const LATE_ROUNDS = 3;

/** A value of the site: its names from the newest software to older ones, its unit, and where it counts the other way. */
interface SiteValue {
  readonly keys: readonly string[];
  readonly point: PointName;
  readonly unit: string;
  readonly isNegative?: true;
}

const phases = (key: string, point: "meter.power" | "meter.current", unit: string): readonly SiteValue[] =>
  ([1, 2, 3] as const).map((phase) => ({ keys: [`${key}/${phase}`], point: `${point}.l${phase}`, unit }));

const SITE: readonly SiteValue[] = [
  { keys: ["grid/power", "gridPower"], point: "meter.power", unit: "W" },
  { keys: ["grid/energy", "gridEnergy"], point: "meter.energyImport", unit: "kWh" },
  ...phases("grid/powers", "meter.power", "W"),
  ...phases("grid/currents", "meter.current", "A"),
  { keys: ["pvPower"], point: "inverter.power", unit: "W" },
  { keys: ["pvEnergy"], point: "inverter.energy", unit: "kWh" },
  { keys: ["battery/power", "batteryPower"], point: "battery.power", unit: "W", isNegative: true },
  { keys: ["battery/soc", "batterySoc"], point: "battery.soc", unit: "%" },
  { keys: ["battery/capacity", "batteryCapacity"], point: "battery.capacity", unit: "kWh" },
];
const HOME = "homePower";

/** evcc over its own MQTT; topics in topics.md. */
export const evcc: Bridge = {
  name: "evcc",
  noSerial: "evcc is software; its MQTT topics name no installation",
  announcements: { filters: ["+/site/homePower", "+/loadpoints/+/mode"], sightings },
  open: (options) => new Evcc(options),
};

class Evcc implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly isEnergyManager: boolean;
  readonly #root: string;
  readonly #site: string;
  /** Topics of the loadpoint; null: the house. */
  readonly #base: string | null;
  readonly #loadpoint: Loadpoint | null;
  /** What each loadpoint of the house takes, W. */
  readonly #charging = new Map<string, number>();
  #isReported = false;

  constructor({ topic, role, channel, intervalMs }: BridgeOptions) {
    const known = role === null ? "meter" : roleOf(role, ["meter", "charger"], "evcc");
    if (known === "charger" && channel === null) {
      throw new DeviceError("rejected", "evcc: channel is missing; it is the number of the loadpoint, from 1 on");
    }
    this.#root = `${topic}/`;
    this.#site = `${topic}/site/`;
    this.#base = known === "charger" ? `${topic}/loadpoints/${channel}/` : null;
    this.#loadpoint = this.#base === null ? null : new Loadpoint();
    this.isEnergyManager = this.#base === null;
    this.filters = [...this.#filters()];
    const siteMs = LATE_ROUNDS * (intervalMs ?? INTERVAL_MS);
    const points = [...SITE.map(({ point }) => point), "hem.load"] as const;
    // Its last will is what its presence is known by: half a minute is too long to wait for a first sign of life.
    this.timing = {
      everyMs: null,
      pointExpiresMs: Object.fromEntries([
        ...points.map((point) => [point, siteMs] as const),
        ...LOADPOINT_POINTS.map((point) => [point, MOST_LOADPOINTS * siteMs] as const),
      ]),
    };
  }

  receive({ topic, text, isRetained }: BridgeMessage, intake: Intake): void {
    if (topic === `${this.#root}status`) {
      intake.present(text !== "offline", "evcc is offline, its last will says");
    } else if (topic === `${this.#site}version`) {
      intake.identity({ manufacturer: "evcc", version: text });
    } else if (this.#base !== null && topic.startsWith(this.#base)) {
      this.#loadpoint?.tell(topic.slice(this.#base.length), text, intake);
    } else if (this.#base === null) {
      this.#house(topic, text, intake);
      // A round of the site, which shows that the loadpoints have their turns too.
    } else if (!isRetained) intake.alive();
  }

  missing(): string | null {
    if (this.#base !== null) return this.#loadpoint?.missing() ?? null;
    return this.#isReported ? null : HOME;
  }

  controls(): readonly Control[] {
    return this.#loadpoint === null ? [] : stationControls(USUAL_MOST_A);
  }

  command(point: ControlPoint, value: PointValue): Command {
    const key = point === "charger.maxCurrent" ? "maxCurrent" : "mode";
    const text = point === "charger.maxCurrent" ? String(value) : value === true ? "now" : "off";
    const topic = `${this.#base}${key}`;
    const isSame = (reported: string): boolean =>
      key === "mode" ? reported === text : Number(reported) === Number(text);
    return {
      messages: [{ topic: `${topic}/set`, text }],
      acknowledgement: answered("republish", topic, (reported) => (isSame(reported) ? "taken" : null)),
    };
  }

  *#filters(): Generator<string> {
    yield `${this.#root}status`;
    yield `${this.#site}version`;
    // What the broker remembers comes in this order: once the last one is there, so are the others.
    if (this.#base !== null) {
      yield `${this.#site}${HOME}`;
      for (const key of Loadpoint.keys) yield `${this.#base}${key}`;
      return;
    }
    yield `${this.#root}loadpoints/+/chargePower`;
    for (const { keys } of SITE) for (const key of keys) yield `${this.#site}${key}`;
    yield `${this.#site}${HOME}`;
  }

  #house(topic: string, text: string, intake: Intake): void {
    const [, loadpoint] = /\/loadpoints\/(\d+)\/chargePower$/.exec(topic) ?? [];
    if (loadpoint !== undefined) {
      this.#charging.set(loadpoint, numberOf(text) ?? 0);
      return;
    }
    const key = topic.slice(this.#site.length);
    if (key === HOME) {
      this.#isReported = true;
      // What evcc calls home is the house without what its loadpoints take.
      const chargingW = [...this.#charging.values()].reduce((sum, power) => sum + power, 0);
      intake.numeral("hem.load", text, (value) => value + chargingW);
      return;
    }
    const value = SITE.find(({ keys }) => keys.includes(key));
    if (value === undefined) return;
    const { point, unit, isNegative } = value;
    const convert = toPoint(unit, point);
    intake.numeral(point, text, (raw) => (isNegative === true ? 0 - convert(raw) : convert(raw)));
  }
}
