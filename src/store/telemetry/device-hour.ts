/** Computes the energy rows of one hour of a device from its raw samples and their neighbours. */
import { HOUR_MS } from "../../domain/duration.ts";
import {
  ENERGY_KINDS,
  ENERGY_POINTS,
  type EnergyKind,
  type HourReadings,
  hourRows,
} from "../../domain/statistics/statistics-hour.ts";
import { MAX_COUNTER_GAP_MS, MAX_GAP_MS, type Sampled } from "../../domain/statistics/statistics-reading.ts";
import type { EnergyRow } from "../../domain/statistics/statistics-row.ts";
import type { PointName } from "../../points/points.ts";
import type { TelemetrySample } from "../store.ts";

/** Reads the raw history of devices. */
export interface RawHistory {
  /** Reads samples in [fromMs, toMs), oldest first. */
  read(deviceId: string, fromMs: number, toMs: number): Promise<readonly TelemetrySample[]>;
  /** Reads some samples in [fromMs, toMs), including the first or the last one; none if there are none. */
  readEdge(deviceId: string, fromMs: number, toMs: number, edge: "first" | "last"): Promise<readonly TelemetrySample[]>;
}

/** The rows of an hour by kind, and the start of a silence before it. */
export interface DeviceHour {
  readonly rows: ReadonlyMap<EnergyKind, readonly EnergyRow[]>;
  /**
   * Start of a time without samples that ended in this hour and whose energy a counter shows; `null` if there was none.
   */
  readonly silentSinceMs: number | null;
}

type SeriesByPoint = ReadonlyMap<PointName, readonly Sampled[]>;

const COUNTERS: ReadonlySet<PointName> = new Set(
  Object.values(ENERGY_POINTS).flatMap(({ countersIn, countersOut }) => [...countersIn, ...countersOut]),
);
const ENERGY_INPUTS: ReadonlySet<PointName> = new Set([
  ...COUNTERS,
  ...Object.values(ENERGY_POINTS).flatMap(({ power, level }) => (level === null ? [power] : [power, level])),
]);

/** Computes the rows of the hour that begins at `hourMs`, of some kinds or of all. */
export async function deviceHour(
  raw: RawHistory,
  deviceId: string,
  hourMs: number,
  kinds: readonly EnergyKind[] = ENERGY_KINDS,
): Promise<DeviceHour> {
  const endMs = hourMs + HOUR_MS;
  const near = await raw.read(deviceId, hourMs - MAX_GAP_MS, endMs + MAX_GAP_MS + 1);
  const before = near.filter(({ atMs }) => atMs < hourMs);
  const inside = near.filter(({ atMs }) => atMs >= hourMs && atMs < endMs);
  const after = near.filter(({ atMs }) => atMs >= endMs);
  // A counter shows the energy of a time without samples; its readings before and after that time are needed.
  const mayCount = inside.length === 0 || inside.some(hasCounter);
  const earlier =
    mayCount && !before.some(hasCounter)
      ? await raw.readEdge(deviceId, hourMs - MAX_COUNTER_GAP_MS, hourMs - MAX_GAP_MS, "last")
      : [];
  const later =
    mayCount && !after.some(hasCounter)
      ? await raw.readEdge(deviceId, endMs + MAX_GAP_MS, endMs + MAX_COUNTER_GAP_MS, "first")
      : [];
  const series = seriesOf([...earlier, ...near, ...later]);
  const rows = new Map<EnergyKind, readonly EnergyRow[]>();
  for (const kind of kinds) {
    const made = hourRows(readingsOf(kind, series), hourMs);
    if (made.length > 0) rows.set(kind, made);
  }
  const lastBefore = [...earlier, ...before].findLast(hasCounter)?.atMs ?? null;
  const firstInside = inside.find(hasCounter)?.atMs ?? null;
  const isSilence = lastBefore !== null && firstInside !== null && firstInside - lastBefore > MAX_GAP_MS;
  return { rows, silentSinceMs: isSilence ? lastBefore : null };
}

function hasCounter({ values }: TelemetrySample): boolean {
  return values.some(({ point, value }) => value !== null && COUNTERS.has(point));
}

function seriesOf(samples: readonly TelemetrySample[]): SeriesByPoint {
  const series = new Map<PointName, Sampled[]>();
  for (const { atMs, values } of samples) {
    for (const { point, value } of values) {
      if (!ENERGY_INPUTS.has(point)) continue;
      const known = series.get(point);
      const sampled = { atMs, value: typeof value === "number" ? value : null };
      if (known === undefined) series.set(point, [sampled]);
      else known.push(sampled);
    }
  }
  return series;
}

function readingsOf(kind: EnergyKind, series: SeriesByPoint): HourReadings {
  const { power, countersIn, countersOut, level } = ENERGY_POINTS[kind];
  const best = (points: readonly PointName[]): readonly Sampled[] => {
    const point = points.find((candidate) => series.get(candidate)?.some(({ value }) => value !== null));
    return point === undefined ? [] : (series.get(point) ?? []);
  };
  return {
    power: series.get(power) ?? [],
    counterIn: best(countersIn),
    counterOut: best(countersOut),
    level: level === null ? [] : (series.get(level) ?? []),
  };
}
