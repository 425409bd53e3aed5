import type { AssetKind } from "../../domain/assets/asset.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import {
  type HemSeries,
  type HemStatistics,
  type HemYear,
  type HouseFlows,
  houseFlows,
  longestKnownMs,
  type MeasuredFlows,
} from "../../domain/hem/hem-system.ts";
import { HEM_KINDS, type HemKind } from "../../domain/hem/hem-views.ts";
import { problem } from "../../domain/problem.ts";
import { localDay, localMonth, localText, pieces } from "../../domain/statistics/statistics-calendar.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import { QUARTER_MS, type SlotMs } from "../../domain/statistics/statistics-row.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { Store } from "../../store/store.ts";
import { EnergyReader, type Stream } from "../statistics/energy-reader.ts";
import { measuredBy } from "./hem-measured.ts";

/** One role of a device in a system. The load that an energy manager reports has the kind `hem`. */
export interface HemDevice {
  readonly kind: HemKind | "hem";
  readonly deviceId: string;
  /** Set where the device's meter measures it, in a house whose panels have a meter. */
  readonly by?: "meter" | "turned-meter";
  /** As in `RankedRows`. */
  readonly rank: number;
  /** The directions of energy that the device measures. */
  readonly measures: { readonly in: boolean; readonly out: boolean };
}

/** The facts about a system that its statistics are calculated from. */
export interface HemSubject {
  readonly zone: string;
  readonly installedAtMs: number;
  readonly devices: readonly HemDevice[];
}

type Sampling = {
  readonly resolution: "PT5M" | "PT15M" | "PT1H" | "P1D";
  readonly lengthMs: number;
  readonly slotMs: SlotMs;
};
type Available = Extract<HemSeries, { isAvailable: true }>;

/** Sorted from fine to coarse, each with the retention of its rows, days. */
const SAMPLINGS: readonly (Sampling & { readonly keptDays: number })[] = [
  { resolution: "PT5M", lengthMs: 5 * MINUTE_MS, slotMs: MINUTE_MS, keptDays: 399 },
  { resolution: "PT15M", lengthMs: QUARTER_MS, slotMs: QUARTER_MS, keptDays: 3 * 366 - 1 },
];
const HOURLY: Sampling = { resolution: "PT1H", lengthMs: HOUR_MS, slotMs: HOUR_MS };
const DAILY: Sampling = { resolution: "P1D", lengthMs: DAY_MS, slotMs: HOUR_MS };
const MONTHS = 12;
const ROUND = 1_000;

/** Calculates a system's statistics from the energy history. */
export class HemHistory {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #reader: EnergyReader;

  constructor({ clock, store }: { readonly clock: Pick<Clock, "nowMs">; readonly store: Pick<Store, "energy"> }) {
    this.#clock = clock;
    this.#reader = new EnergyReader(store);
  }

  /** As `HemSystems.statistics`. */
  async statistics(subject: HemSubject, interval: string): Promise<HemStatistics> {
    const { sampling, buckets } = bucketsOf(interval, subject.zone, this.#clock.nowMs());
    if (buckets.length === 0)
      throw problem("bad-request", "The date does not exist in the calendar; use YYYY-MM-DD or YYYY-MM.");
    const measured = await this.#measured(subject, buckets, sampling.slotMs);
    return { timeseries: timeseriesOf(subject, sampling, buckets, measured) };
  }

  /** As `HemSystems.year`. */
  async year(subject: HemSubject, year: number): Promise<HemYear> {
    const { zone, devices } = subject;
    const buckets = monthsOf(zone, year);
    const measured = await this.#measured(subject, buckets, HOUR_MS);
    const houses = measured.map(houseFlows);
    const months = buckets.map(({ fromMs }, index) => {
      const of = (name: keyof HouseFlows, kind: HemKind): number | null =>
        missing(devices, name, kind) === null ? rounded(houses[index]?.[name] ?? null) : null;
      return {
        t: localText(zone, fromMs),
        generation: of("generation", "inverter"),
        consumption: of("consumption", "meter"),
        import: of("import", "meter"),
        export: of("export", "meter"),
        charge: of("charge", "battery"),
        discharge: of("discharge", "battery"),
      };
    });
    return { year, timezone: zone, months };
  }

  /** Returns each bucket's flows; does not read buckets in the future. Throws as `HemSystems.statistics`. */
  async #measured(subject: HemSubject, buckets: readonly Span[], slotMs: SlotMs): Promise<MeasuredFlows[]> {
    const nowMs = this.#clock.nowMs();
    const { devices, installedAtMs } = subject;
    if ((buckets.at(-1)?.toMs ?? 0) <= installedAtMs) throw problem("bad-request", "The system was not installed yet.");
    if ((buckets[0]?.fromMs ?? 0) > nowMs) throw problem("bad-request", "The time is in the future.");
    if (!devices.some(({ measures }) => measures.in || measures.out)) {
      throw problem("hem-system-statistics-not-available", "No device of the system measures energy.");
    }
    try {
      return await this.#read(devices, buckets, slotMs);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw problem("vendor-temporarily-unavailable", "The history cannot be read now; try again later.", {
        cause: error,
      });
    }
  }

  async #read(devices: readonly HemDevice[], buckets: readonly Span[], slotMs: SlotMs): Promise<MeasuredFlows[]> {
    const [first, last] = [buckets[0], buckets.at(-1)];
    if (first === undefined || last === undefined) return [];
    const span = { fromMs: first.fromMs, toMs: Math.min(last.toMs, this.#clock.nowMs()) };
    const read = async (stream: Stream): Promise<readonly SlottedRow[]> =>
      slotMs === HOUR_MS
        ? await this.#reader.cut(stream, span, [buckets.map(({ fromMs }) => fromMs)])
        : (await this.#reader.rows(stream, slotMs, span)).map((row) => ({ row, slotMs }));
    return await measuredBy(devices, buckets, read);
  }
}

function bucketsOf(interval: string, zone: string, nowMs: number): { sampling: Sampling; buckets: readonly Span[] } {
  const [year = 0, month = 0, day] = interval.split("-").map(Number);
  if (day === undefined) return { sampling: DAILY, buckets: localMonth(zone, year, month) };
  const span = localDay(zone, { year, month, day });
  if (span === null) return { sampling: HOURLY, buckets: [] };
  const sampling = SAMPLINGS.find(({ keptDays }) => span.fromMs > nowMs - keptDays * DAY_MS) ?? HOURLY;
  return { sampling, buckets: pieces(span, sampling.lengthMs) };
}

/** Returns the months of a year of the calendar. */
function monthsOf(zone: string, year: number): readonly Span[] {
  return Array.from({ length: MONTHS }, (_none, index) => localMonth(zone, year, index + 1)).flatMap((days) => {
    const [first, last] = [days[0], days.at(-1)];
    return first === undefined || last === undefined ? [] : [{ fromMs: first.fromMs, toMs: last.toMs }];
  });
}

function timeseriesOf(
  { zone, devices }: HemSubject,
  sampling: Sampling,
  buckets: readonly Span[],
  measured: readonly MeasuredFlows[],
): HemStatistics["timeseries"] {
  const texts = buckets.map(({ fromMs }) => localText(zone, fromMs));
  const shape = {
    isAvailable: true,
    timezone: zone,
    sampling: { mode: "bucketed", resolution: sampling.resolution },
  } as const;
  const isPower = sampling.lengthMs < HOUR_MS;
  const unit = isPower ? ({ unit: "kW", unitType: "Power" } as const) : ({ unit: "kWh", unitType: "Energy" } as const);
  const houses = measured.map(houseFlows);
  const dataOf = (value: (index: number) => number | null): Available["data"] =>
    texts.map((t, index) => ({ t, v: rounded(value(index)) }));
  const seriesOf = (name: keyof HouseFlows, source: HemKind): HemSeries => {
    const reason = missing(devices, name, source);
    if (reason !== null) return { isAvailable: false, reason };
    const data = dataOf((index) => {
      const kwh = houses[index]?.[name] ?? null;
      const flows = [
        ...(measured[index]?.[source] ?? []),
        ...(source === "meter" ? (measured[index]?.load ?? []) : []),
      ];
      return kwh === null || !isPower ? kwh : (kwh * HOUR_MS) / Math.max(1, longestKnownMs(flows));
    });
    return { ...shape, ...unit, data };
  };
  const levels = dataOf((index) => meanOf((measured[index]?.battery ?? []).flatMap(({ level }) => level ?? [])));
  const noLevel = !devices.some(({ kind }) => kind === "battery") ? NO_DEVICE.battery : DAYS_ONLY;
  return {
    generation: seriesOf("generation", "inverter"),
    consumption: seriesOf("consumption", "meter"),
    import: seriesOf("import", "meter"),
    export: seriesOf("export", "meter"),
    charge: seriesOf("charge", "battery"),
    discharge: seriesOf("discharge", "battery"),
    batteryLevel:
      sampling === DAILY || noLevel !== DAYS_ONLY
        ? { isAvailable: false, reason: noLevel }
        : { ...shape, unit: "%", unitType: "SoC", data: levels },
  };
}

const DAYS_ONLY = "The state of charge is given for days only.";
const NO_DEVICE: Readonly<Record<HemKind, string>> = {
  battery: "The system has no battery.",
  inverter: "The system has no inverter that measures its production.",
  meter: "The system has no meter that measures this.",
};

/** Returns why a series is not available; `null` if it is. */
function missing(devices: readonly HemDevice[], name: keyof HouseFlows, kind: HemKind): string | null {
  if (name === "consumption" && devices.some((device) => device.kind === "hem")) return null;
  const own = devices.filter((device) => device.kind === kind);
  const isThere = own.some(({ measures }) => {
    if (name === "consumption") return measures.in && measures.out;
    return name === "export" || name === "discharge" ? measures.out : measures.in;
  });
  return isThere ? null : NO_DEVICE[kind];
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** To the watt, watt hour or thousandth of a percent. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * ROUND) / ROUND + 0;
}

/** True if assets of the kind belong to energy systems. */
export function isHemKind(kind: AssetKind): kind is HemKind {
  return HEM_KINDS.some((one) => one === kind);
}
