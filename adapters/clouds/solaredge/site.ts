/** A SolarEdge site: its panels, and the meter and battery where it has them, as one device. */
import type { DeviceIdentity, PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, Tempo } from "../kit/connector.ts";
import { measuredAt } from "../kit/device/measured-at.ts";
import type { SiteFlow } from "../kit/device/site-flow.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { sitePower } from "./power-flow.ts";
import type { Details, Inventory, Overview, PowerFlow, StorageData } from "./schemas.ts";
import { COUNTERS_MS, DAY_BUDGETS, type Dated, type SiteAnswers } from "./site-answers.ts";

interface SiteParts {
  readonly answers: SiteAnswers;
  readonly details: Details;
  /** Null where the account may not see it. */
  readonly inventory: Inventory | null;
  /** What the picture showed when the site was opened. */
  readonly flow: PowerFlow;
  /** Time between two readings, ms: it says how much of a counter's request falls to each. */
  readonly usualMs: number;
}

export class SolarEdgeSite implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager = true;
  readonly points: readonly PointName[];
  readonly controls = [];
  readonly cost: Readonly<Record<string, number>>;
  readonly #answers: SiteAnswers;
  readonly #zone: string | null;
  readonly #hasBattery: boolean;
  readonly #capacityWh: number | null;
  #isDark = false;

  constructor({ answers, details, inventory, flow, usualMs }: SiteParts) {
    const batteries = inventory?.batteries ?? [];
    this.#answers = answers;
    this.#zone = details.location?.timeZone ?? null;
    this.#hasBattery = batteries.length > 0 || flow.STORAGE !== null;
    this.#capacityWh = sumOf(batteries.map(({ nameplateCapacity }) => nameplateCapacity));
    this.identity = identityOf(details, inventory);
    this.points = pointsOf({ inventory, flow, hasBattery: this.#hasBattery });
    const perRead = 1 + ((this.#hasBattery ? 2 : 1) * usualMs) / COUNTERS_MS;
    this.cost = Object.fromEntries(DAY_BUDGETS.map((name) => [name, perRead]));
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const power = sitePower(await this.#answers.flow(signal));
    const overview = await this.#answers.overview(signal);
    const storage = this.#hasBattery ? await this.#answers.storage(this.#zone, signal) : null;
    this.#isDark = power.pvW === 0;
    const all = [...flowReadings(power), ...this.#production(power, overview), ...this.#batteryTotals(storage)];
    return all.filter(({ point }) => this.points.includes(point));
  }

  async write(point: string): Promise<void> {
    throw new CloudError("refused", `${point}: SolarEdge's monitoring API takes no commands`);
  }

  tempo(): Tempo {
    return this.#isDark ? "idle" : "usual";
  }

  /** A site without a meter has no picture; its overview has the power, a quarter of an hour old. */
  #production({ pvW }: SiteFlow, dated: Dated<Overview> | null): readonly CloudReading[] {
    const overview = dated?.answer.overview;
    const at = dated === null ? {} : measuredAt(overview?.lastUpdateTime, this.#zone, dated.askedAtMs);
    const energy = { point: "inverter.energy", value: overview?.lifeTimeData?.energy ?? null, ...at } as const;
    if (pvW !== null) return [{ point: "inverter.power", value: pvW }, energy];
    return [{ point: "inverter.power", value: overview?.currentPower?.power ?? null, ...at }, energy];
  }

  #batteryTotals(dated: Dated<StorageData> | null): readonly CloudReading[] {
    const latest = dated?.answer.storageData.batteries.map(({ telemetries }) => telemetries.at(-1)) ?? [];
    const at = dated === null ? {} : measuredAt(latest[0]?.timeStamp, this.#zone, dated.askedAtMs);
    return [
      { point: "battery.capacity", value: this.#capacityWh },
      { point: "battery.energyCharged", value: sumOf(latest.map((one) => one?.lifeTimeEnergyCharged)), ...at },
      { point: "battery.energyDischarged", value: sumOf(latest.map((one) => one?.lifeTimeEnergyDischarged)), ...at },
    ];
  }
}

function flowReadings(power: SiteFlow): readonly CloudReading[] {
  return [
    { point: "meter.power", value: power.gridW },
    { point: "hem.load", value: power.loadW },
    { point: "battery.power", value: power.batteryW },
    { point: "battery.soc", value: power.soc },
    { point: "battery.status", value: power.batteryStatus },
  ];
}

interface Equipment extends Pick<SiteParts, "inventory" | "flow"> {
  readonly hasBattery: boolean;
}

function pointsOf({ inventory, flow, hasBattery }: Equipment): readonly PointName[] {
  // A meter that only counts the production sees neither the grid nor the house.
  const seesGrid = inventory?.meters.some(({ name }) => name !== null && !/production/i.test(name)) === true;
  const points: PointName[] = ["inverter.power", "inverter.energy"];
  if (seesGrid || flow.GRID !== null) points.push("meter.power");
  if (seesGrid || flow.LOAD !== null) points.push("hem.load");
  if (hasBattery) points.push("battery.power", "battery.soc", "battery.status");
  if (hasBattery) points.push("battery.capacity", "battery.energyCharged", "battery.energyDischarged");
  return points;
}

/** Null when one of them does not tell, or there is none. */
function sumOf(parts: readonly (number | null | undefined)[]): number | null {
  const known = parts.filter((part) => part != null);
  return known.length === 0 || known.length < parts.length ? null : known.reduce((sum, part) => sum + part, 0);
}

/** Of a site with one inverter that one's serial number; of several inverters the model that they share. */
function identityOf({ name }: Details, inventory: Inventory | null): DeviceIdentity {
  const [first, ...others] = inventory?.inverters ?? [];
  const isOneModel = others.every(({ model }) => model === first?.model);
  const only = others.length === 0 ? first : undefined;
  return {
    manufacturer: "SolarEdge",
    model: isOneModel ? (first?.model ?? null) : null,
    serial: only?.SN ?? only?.serialNumber ?? null,
    version: only?.cpuVersion ?? null,
    name,
  };
}
