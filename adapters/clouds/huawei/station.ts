/** A plant in FusionSolar as one device: its inverters, batteries and the meter at the grid. */
import type { DeviceIdentity, PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { batteryStatusOf } from "../kit/device/site-flow.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import type { SharedReads } from "../kit/session/shared-reads.ts";
import type { DeviceData } from "./device-data.ts";
import { batterySign, meterScale, type Parts, partsOf } from "./device-types.ts";
import { MeterSign } from "./meter-sign.ts";
import { costOf } from "./northbound.ts";
import type { Device } from "./schemas.ts";

const W_PER_KW = 1_000;

/** Under which an account's plants share their rounds through the types of devices. */
export const ROUND_KEY = "round of devices";

/** `battery_status`. */
const FAULT = 3;

export interface StationParts {
  readonly session: CloudSession;
  readonly devices: readonly Device[];
  readonly data: DeviceData;
  readonly reads: SharedReads;
}

export class HuaweiStation implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly points: readonly PointName[];
  readonly controls = [];
  readonly #session: CloudSession;
  readonly #parts: Parts;
  readonly #data: DeviceData;
  readonly #reads: SharedReads;
  readonly #sign = new MeterSign();
  #isDark = false;

  constructor({ session, devices, data, reads }: StationParts) {
    this.#session = session;
    this.#parts = partsOf(devices);
    this.#data = data;
    this.#reads = reads;
    const [inverter, ...others] = this.#parts.inverters;
    const only = others.length === 0 ? inverter : undefined;
    this.identity = {
      manufacturer: "Huawei",
      model: only?.invType ?? null,
      serial: only?.esnCode ?? null,
      version: only?.softwareVersion ?? null,
      name: null,
    };
    this.points = pointsOf(this.#parts);
  }

  get cost() {
    return costOf("getDevRealKpi", this.#reads.share);
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const round = (inner: AbortSignal) => this.#data.next(inner);
    await this.#session.shared(ROUND_KEY, this.#reads.freshMs(), round, signal);
    this.#reads.took(ROUND_KEY);
    const known = [...this.#production(), ...this.#battery(), ...this.#meter()];
    this.#isDark = known.some(({ point, value }) => point === "inverter.power" && value === 0);
    return known.filter(({ point }) => this.points.includes(point));
  }

  async write(point: string): Promise<void> {
    throw new CloudError("refused", `${point}: FusionSolar's northbound interface is only read`);
  }

  wantsRead(): boolean {
    return this.#reads.isBehind(ROUND_KEY);
  }

  tempo(): Tempo {
    return this.#isDark && this.#parts.batteries.length === 0 ? "idle" : "usual";
  }

  /** Behind an inverter with a battery, its own power is the battery's too; the panels' is what comes in. */
  #production(): readonly CloudReading[] {
    const { inverters, batteries } = this.#parts;
    const at = this.#at(inverters);
    const power = this.#sum(inverters, batteries.length > 0 ? "mppt_power" : "active_power");
    const yieldKwh = this.#sum(inverters, "total_cap");
    return [
      { point: "inverter.power", value: scaled(power, W_PER_KW), ...at },
      { point: "inverter.energy", value: scaled(yieldKwh, W_PER_KW), ...at },
    ];
  }

  #battery(): readonly CloudReading[] {
    const { batteries } = this.#parts;
    const at = this.#at(batteries);
    const powers = batteries.map((one) => scaled(this.#number(one, "ch_discharge_power"), batterySign(one)));
    const socs = batteries.map((one) => this.#number(one, "battery_soc"));
    const statuses = batteries.map((one) => this.#number(one, "battery_status"));
    const powerW = sumOf(powers);
    return [
      { point: "battery.power", value: powerW, ...at },
      { point: "battery.soc", value: scaled(sumOf(socs), 1 / batteries.length), ...at },
      { point: "battery.status", value: statuses.includes(FAULT) ? "FAULT" : batteryStatusOf(powerW), ...at },
    ];
  }

  #meter(): readonly CloudReading[] {
    const { meter, inverters } = this.#parts;
    if (meter === null) return [];
    const powerW = scaled(this.#number(meter, "active_power"), meterScale(meter));
    this.#learnSign(powerW, meter, inverters);
    const sign = this.#sign.ofImport;
    const counter = (way: 1 | -1) => {
      const name = sign === way ? "active_cap" : "reverse_active_cap";
      return sign === null ? null : scaled(this.#number(meter, name), W_PER_KW);
    };
    const at = this.#at([meter]);
    return [
      { point: "meter.power", value: sign === null ? null : scaled(powerW, sign), ...at },
      { point: "meter.energyImport", value: counter(1), ...at },
      { point: "meter.energyExport", value: counter(-1), ...at },
    ];
  }

  #learnSign(powerW: number | null, meter: Device, inverters: readonly Device[]): void {
    const meterTickMs = this.#at([meter]).readTickMs;
    const inverterKw = this.#sum(inverters, "active_power");
    const inverterTickMs = this.#at(inverters).readTickMs;
    if (inverterKw !== null && inverterTickMs !== undefined) {
      // Without a battery what an inverter gives is what its panels do.
      const pvKw = this.#sum(inverters, "mppt_power") ?? (this.#parts.batteries.length === 0 ? inverterKw : null);
      this.#sign.addInverters({ powerW: inverterKw * W_PER_KW, pvW: scaled(pvKw, W_PER_KW), tickMs: inverterTickMs });
    }
    if (powerW !== null && meterTickMs !== undefined) this.#sign.metered({ powerW, tickMs: meterTickMs });
  }

  #number(device: Device, name: string): number | null {
    return this.#data.of(device)?.number(name) ?? null;
  }

  #sum(devices: readonly Device[], name: string): number | null {
    return sumOf(devices.map((one) => this.#number(one, name)));
  }

  /** The types have their turns, so that most values are some minutes old. */
  #at(devices: readonly Device[]): Pick<CloudReading, "readTickMs"> {
    const times = devices.flatMap((one) => this.#data.of(one)?.atTickMs ?? []);
    return times.length === 0 ? {} : { readTickMs: Math.min(...times) };
  }
}

function pointsOf({ inverters, batteries, meter }: Parts): readonly PointName[] {
  return [
    ...(inverters.length > 0 ? (["inverter.power", "inverter.energy"] as const) : []),
    ...(batteries.length > 0 ? (["battery.power", "battery.soc", "battery.status"] as const) : []),
    ...(meter === null ? [] : (["meter.power", "meter.energyImport", "meter.energyExport"] as const)),
  ];
}

/** Null when one of them does not tell, or there is none. */
function sumOf(parts: readonly (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 || known.length < parts.length ? null : known.reduce((sum, part) => sum + part, 0);
}

/** Without the noise of binary fractions; never -0. */
function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : Math.round(value * factor * 1_000) / 1_000 + 0;
}
