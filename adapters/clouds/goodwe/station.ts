/** A station in the SEMS portal as one device: its inverters, and the meter and battery where it has them. */
import type { DeviceIdentity, PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, Tempo } from "../kit/connector.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { stationPower } from "./power-flow.ts";
import type { Detail, Inverter } from "./schemas.ts";

const WH_PER_KWH = 1_000;
const OFFLINE = -1;
/** Times below this are in seconds: it is the year 2286 in those, and 1970 in milliseconds. */
const LEAST_MS = 1e10;

export interface StationParts {
  readonly name: string | null;
  /** What the portal showed when the station was opened. */
  readonly detail: Detail;
  /** Asks for what it shows now. */
  readonly look: (signal: AbortSignal) => Promise<Detail>;
}

export class GoodweStation implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager: boolean;
  readonly points: readonly PointName[];
  readonly controls = [];
  readonly cost = { requests: 1 };
  readonly #look: StationParts["look"];
  readonly #hasBattery: boolean;
  #isDark = false;

  constructor({ name, detail, look }: StationParts) {
    this.#look = look;
    this.#hasBattery = hasBattery(detail);
    this.isEnergyManager = hasMeter(detail);
    const inverters = invertersOf(detail);
    const only = inverters.length === 1 ? inverters[0] : undefined;
    this.identity = {
      manufacturer: "GoodWe",
      model: only?.invert_full?.model_type ?? null,
      serial: only?.sn ?? null,
      version: null,
      name: detail.info?.stationname ?? name,
    };
    this.points = [
      "inverter.power",
      "inverter.energy",
      ...(this.isEnergyManager ? (["meter.power", "hem.load"] as const) : []),
      ...(this.#hasBattery ? BATTERY_POINTS : []),
    ];
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const detail = await this.#look(signal);
    const readings = this.#readings(detail);
    this.#isDark = readings.some(({ point, value }) => point === "inverter.power" && (value ?? 0) === 0);
    return readings.filter(({ point }) => this.points.includes(point));
  }

  async write(point: string): Promise<void> {
    throw new CloudError("refused", `${point}: the SEMS portal has no command for it that is known to be safe`);
  }

  tempo(): Tempo {
    return this.#isDark && !this.#hasBattery ? "idle" : "usual";
  }

  #readings(detail: Detail): readonly CloudReading[] {
    const at = measuredAt(detail);
    // A station that is not heard of goes on showing its last values.
    const flow = detail.hasPowerflow === true && isOnline(detail) ? detail.powerflow : null;
    const power = flow === null ? null : stationPower(flow);
    // Behind a hybrid inverter its power is the battery's too.
    const pvW = power?.pvW ?? (this.#hasBattery ? null : inverterPower(detail));
    const kwh = detail.kpi?.total_power ?? null;
    const capacityKwh = detail.info?.battery_capacity ?? null;
    return [
      { point: "inverter.power", value: pvW, ...at },
      { point: "inverter.energy", value: kwh === null ? null : Math.round(kwh * WH_PER_KWH), ...at },
      { point: "meter.power", value: power?.gridW ?? null, ...at },
      { point: "hem.load", value: power?.loadW ?? null, ...at },
      { point: "battery.power", value: power?.batteryW ?? null, ...at },
      { point: "battery.status", value: power?.batteryStatus ?? null, ...at },
      { point: "battery.soc", value: flow?.soc ?? null, ...at },
      { point: "battery.capacity", value: capacityKwh ? Math.round(capacityKwh * WH_PER_KWH) : null },
    ];
  }
}

const BATTERY_POINTS = ["battery.power", "battery.status", "battery.soc", "battery.capacity"] as const;

export function isOnline(detail: Detail): boolean {
  return invertersOf(detail).some(({ status }) => status !== null && status !== OFFLINE);
}

/** Without a meter there is no picture. */
export function hasMeter({ hasPowerflow, powerflow }: Detail): boolean {
  return hasPowerflow === true && powerflow !== null;
}

export function hasBattery(detail: Detail): boolean {
  const { isShowBattery, info, powerflow } = detail;
  const showsOne = (powerflow?.bettery ?? 0) !== 0 || (powerflow?.soc ?? 0) > 0;
  return hasMeter(detail) && (isShowBattery ?? ((info?.battery_capacity ?? 0) > 0 || showsOne));
}

function invertersOf({ inverter }: Detail): readonly Inverter[] {
  return inverter.filter((one) => one !== null);
}

/** W of all inverters; null when one is not heard of, or there is none. */
function inverterPower(detail: Detail): number | null {
  const powers = invertersOf(detail).map(({ status, invert_full: full }) =>
    status === OFFLINE ? null : (full?.pac ?? null),
  );
  const known = powers.filter((power) => power !== null);
  return known.length === 0 || known.length < powers.length ? null : known.reduce((sum, power) => sum + power, 0);
}

/** When the station was last heard of. */
function measuredAt(detail: Detail): Pick<CloudReading, "measuredAtMs"> {
  const times = invertersOf(detail).flatMap(({ invert_full: full }) => full?.last_time ?? []);
  const latest = Math.max(...times);
  if (!Number.isFinite(latest) || latest <= 0) return {};
  return { measuredAtMs: latest < LEAST_MS ? latest * 1_000 : latest };
}
