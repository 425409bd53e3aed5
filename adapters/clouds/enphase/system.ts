/** An Enphase system: panels, meters and batteries behind one gateway, as one device. */
import {
  type Clock,
  type ControlPoint,
  type DeviceIdentity,
  MINUTE_MS,
  type PointName,
  type PointValue,
} from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, Tempo } from "../kit/connector.ts";
import { isPercent } from "../kit/device/sound.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { CAVEAT, COMMANDED, modeOf, profileOf } from "./battery-mode.ts";
import type { BatterySettings, BatteryTelemetry, Devices, Summary } from "./schemas.ts";
import { SELDOM_MS, type SystemAnswers } from "./system-answers.ts";
import { telemetryReadings } from "./telemetry.ts";

/** How long it is looked at more often after a command. */
const ACTIVE_MS = 5 * MINUTE_MS;
/** The profile that keeps the battery full: the reserve in it is not the user's own. */
const FULL: PointValue = "IMPORT_FOCUS";
const INDEPENDENCE = ["enabled", "disabled"] as const;

interface SystemParts {
  readonly clock: Clock;
  readonly name: string | null;
  readonly answers: SystemAnswers;
  readonly devices: Devices;
  /** Null where nothing can be set. */
  readonly settings: BatterySettings | null;
  /** Time between two readings, ms: it says how much of a day's request falls to each. */
  readonly usualMs: number;
}

export class EnphaseSystem implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager = true;
  readonly points: readonly PointName[];
  readonly controls: readonly CloudControl[];
  readonly cost: Readonly<Record<string, number>>;
  readonly #clock: Clock;
  readonly #answers: SystemAnswers;
  readonly #hasMeters: boolean;
  readonly #hasBattery: boolean;
  /** The user's own settings, which a change of the profile takes along. */
  #settings: BatterySettings | null;
  #ownReserve: number | null = null;
  #isDark = false;
  #activeUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, name, answers, devices, settings, usualMs }: SystemParts) {
    this.#clock = clock;
    this.#answers = answers;
    this.#hasMeters = devices.meters.length > 0;
    this.#hasBattery = devices.encharges.length > 0;
    this.#settings = null;
    this.#keep(settings);
    const [gateway] = devices.gateways;
    this.identity = {
      manufacturer: "Enphase",
      model: gateway?.sku ?? null,
      serial: gateway?.serial_number ?? null,
      version: gateway?.emu_sw_version ?? null,
      name,
    };
    this.points = pointsOf(devices);
    this.controls = this.#hasBattery && modeOf(settings?.battery_mode) !== null ? [MODE_CONTROL] : [];
    const perDay = (this.#hasMeters ? 1 : 0) + (this.#hasBattery ? 1 : 0);
    const perRead = 1 + (this.#hasBattery ? 1 : 0) + (perDay * usualMs) / SELDOM_MS;
    this.cost = { month: perRead, minute: perRead };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const powers = this.#hasMeters ? telemetryReadings(await this.#answers.latest(signal), this.#clock.nowMs()) : [];
    const summary = await this.#answers.summary(this.#hasMeters ? SELDOM_MS : 0, signal);
    const production = this.#hasMeters ? powers : [...powers, microReading(summary)];
    const battery = this.#hasBattery ? await this.#battery(signal) : [];
    const all = [...production, ...totalReadings(summary), ...battery];
    this.#isDark = all.some(({ point, value }) => point === "inverter.power" && value !== null && Number(value) <= 0);
    return all.filter(({ point }) => this.points.includes(point));
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    const profile = point === "battery.mode" && this.controls.length > 0 ? profileOf(value) : null;
    if (profile === null) throw new CloudError("refused", `${point}: ${String(value)} is nothing that Enphase offers`);
    const independence = INDEPENDENCE.find((word) => word === this.#settings?.energy_independence) ?? null;
    this.#activeUntilMs = this.#clock.monotonicMs() + ACTIVE_MS;
    await this.#answers.set(
      {
        battery_mode: profile,
        ...(value !== FULL && this.#ownReserve !== null && { reserve_soc: this.#ownReserve }),
        ...(independence !== null && { energy_independence: independence }),
      },
      signal,
    );
  }

  tempo(): Tempo {
    if (this.#isActive) return "active";
    return this.#isDark && !this.#hasBattery ? "idle" : "usual";
  }

  get #isActive(): boolean {
    return this.#clock.monotonicMs() < this.#activeUntilMs;
  }

  async #battery(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const charge = await this.#answers.charge(signal);
    const settings = this.controls.length > 0 ? await this.#answers.settings(this.#isActive, signal) : null;
    this.#keep(settings);
    return [
      { point: "battery.soc", value: socOf(charge), ...at(charge?.intervals.at(-1)?.end_at) },
      { point: "battery.mode", value: modeOf(settings?.battery_mode) },
      { point: "battery.reserve", value: settings?.reserve_soc ?? null },
    ];
  }

  #keep(settings: BatterySettings | null): void {
    if (settings === null) return;
    this.#settings = settings;
    if (modeOf(settings.battery_mode) !== FULL)
      this.#ownReserve = isPercent(settings.reserve_soc) ? settings.reserve_soc : this.#ownReserve;
  }
}

const MODE_CONTROL: CloudControl = {
  point: "battery.mode",
  values: COMMANDED,
  holdMs: null,
  safeDefault: "as-found",
  caveat: CAVEAT,
  confidence: "documented",
};

function pointsOf({ meters, encharges }: Devices): readonly PointName[] {
  const points: PointName[] = ["inverter.power", "inverter.energy"];
  const isConsumption = ({ name, config_type: type }: Devices["meters"][number]) =>
    name?.toLowerCase() === "consumption" || /^(net|total)$/i.test(type ?? "");
  if (meters.some(isConsumption)) points.push("meter.power", "hem.load");
  if (encharges.length === 0) return points;
  const battery: PointName[] = ["battery.soc", "battery.capacity", "battery.mode", "battery.reserve"];
  return [...points, ...(meters.length > 0 ? (["battery.power", "battery.status"] as const) : []), ...battery];
}

/** A system without meters has its power from the panels' own reports. */
function microReading(summary: Summary | null): CloudReading {
  return { point: "inverter.power", value: summary?.current_power ?? null, ...at(summary?.last_interval_end_at) };
}

function totalReadings(summary: Summary | null): readonly CloudReading[] {
  return [
    { point: "inverter.energy", value: summary?.energy_lifetime ?? null, ...at(summary?.last_interval_end_at) },
    { point: "battery.capacity", value: summary?.battery_capacity_wh ?? null },
  ];
}

function socOf(charge: BatteryTelemetry | null): number | null {
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(charge?.last_reported_aggregate_soc ?? "") ?? [];
  return percent === undefined ? null : Number(percent);
}

function at(seconds: number | null | undefined): Pick<CloudReading, "measuredAtMs"> {
  return seconds == null ? {} : { measuredAtMs: seconds * 1_000 };
}
