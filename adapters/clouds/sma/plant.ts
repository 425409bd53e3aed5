/** A plant in SMA's portal as one device: the energy balance has its panels, meter and battery. */
import { type DeviceIdentity, HOUR_MS, type PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { measuredAt } from "../kit/device/measured-at.ts";
import { parsed } from "../kit/device/parsed.ts";
import { batteryStatusOf } from "../kit/device/site-flow.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { type Balance, type Devices, EnergyBalance, type Plant } from "./schemas.ts";

const TOTALS_MS = HOUR_MS;

export interface PlantParts {
  readonly session: CloudSession;
  /** The address of the plant's resources. */
  readonly url: string;
  readonly plant: Plant;
  readonly devices: Devices;
  /** Time between two readings, ms. */
  readonly usualMs: number;
}

export class SmaPlant implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager = true;
  readonly points: readonly PointName[];
  readonly controls = [];
  readonly cost: Readonly<Record<string, number>>;
  readonly #session: CloudSession;
  readonly #url: string;
  readonly #zone: string | null;
  readonly #hasBattery: boolean;
  #isDark = false;

  constructor({ session, url, plant, devices, usualMs }: PlantParts) {
    this.#session = session;
    this.#url = `${url}/measurements/sets/EnergyBalance`;
    this.#zone = plant.timezone;
    this.#hasBattery = hasBattery(devices);
    const [inverter, ...others] = devices.filter((one) => /inverter/i.test(one?.type ?? ""));
    this.identity = {
      manufacturer: "SMA",
      model: others.length === 0 ? (inverter?.product ?? null) : null,
      serial: others.length === 0 ? (inverter?.serial ?? null) : null,
      version: null,
      name: plant.name,
    };
    this.points = this.#hasBattery ? [...PLANT_POINTS, ...BATTERY_POINTS] : PLANT_POINTS;
    this.cost = { requests: 1 + usualMs / TOTALS_MS };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const askedAtMs = this.#session.clock.nowMs();
    const { set, plant } = await this.#balance("Recent", signal);
    const recent = set.at(-1) ?? null;
    const at = measuredAt(recent?.time, plant?.timezone ?? this.#zone, askedAtMs);
    const fetch = async (inner: AbortSignal) => (await this.#balance("Total", inner)).set.at(-1) ?? null;
    const total = await extra(this.#session, `total ${this.#url}`, TOTALS_MS, fetch, signal);
    this.#isDark = recent?.pvGeneration === 0;
    const powers = powerReadings(recent).map((reading) => ({ ...reading, ...at }));
    return [...powers, ...totalReadings(total)].filter(({ point }) => this.points.includes(point));
  }

  async write(point: string): Promise<void> {
    throw new CloudError("refused", `${point}: SMA's Monitoring API takes no commands`);
  }

  tempo(): Tempo {
    return this.#isDark && !this.#hasBattery ? "idle" : "usual";
  }

  async #balance(period: "Recent" | "Total", signal: AbortSignal): Promise<EnergyBalance> {
    const answer = await this.#session.ask({ method: "GET", url: `${this.#url}/${period}` }, signal);
    return parsed(EnergyBalance, answer, `EnergyBalance/${period}`);
  }
}

const PLANT_POINTS: readonly PointName[] = [
  "inverter.power",
  "inverter.energy",
  "meter.power",
  "meter.energyImport",
  "meter.energyExport",
  "hem.load",
];
const BATTERY_POINTS: readonly PointName[] = [
  "battery.power",
  "battery.status",
  "battery.soc",
  "battery.energyCharged",
  "battery.energyDischarged",
];

export function hasBattery(devices: Devices): boolean {
  return devices.some((one) => /battery|storage/i.test(one?.type ?? ""));
}

/** Both directions are separate, each a number without a sign. */
function powerReadings(recent: Balance | null): readonly CloudReading[] {
  const batteryW = difference(recent?.batteryCharging, recent?.batteryDischarging);
  return [
    { point: "inverter.power", value: recent?.pvGeneration ?? null },
    { point: "meter.power", value: difference(recent?.gridConsumption, recent?.gridFeedIn) },
    { point: "hem.load", value: recent?.totalConsumption ?? null },
    { point: "battery.power", value: batteryW },
    { point: "battery.status", value: batteryStatusOf(batteryW) },
    { point: "battery.soc", value: recent?.batteryStateOfCharge ?? null },
  ];
}

function totalReadings(total: Balance | null): readonly CloudReading[] {
  return [
    { point: "inverter.energy", value: total?.pvGeneration ?? null },
    { point: "meter.energyImport", value: total?.gridConsumption ?? null },
    { point: "meter.energyExport", value: total?.gridFeedIn ?? null },
    { point: "battery.energyCharged", value: total?.batteryCharging ?? null },
    { point: "battery.energyDischarged", value: total?.batteryDischarging ?? null },
  ];
}

function difference(into: number | null | undefined, out: number | null | undefined): number | null {
  return into == null || out == null ? null : into - out;
}
