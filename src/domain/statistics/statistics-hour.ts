/**
 * Calculates the rows of an hour from readings. Power is interpolated linearly between two readings at most 15 minutes
 * apart (rule S8.1). If the device has a counter, the energy comes from it and the power only distributes it. An hour
 * depends only on its readings and the neighbouring ones, so calculating it again gives the same rows.
 */
import type { PointName } from "../../points/points.ts";
import { ASSET_KINDS } from "../assets/asset.ts";
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { counterSpans, spreadCounter } from "./statistics-counter.ts";
import { type FlowSlots, powerFlows } from "./statistics-power.ts";
import { clip, MAX_GAP_MS, type Sampled, type Span } from "./statistics-reading.ts";
import { type EnergyRow, tenths } from "./statistics-row.ts";

const SLOTS = HOUR_MS / MINUTE_MS;

interface EnergyPoints {
  readonly power: PointName;
  /** Counters of the energy in, the preferred one first. */
  readonly countersIn: readonly PointName[];
  readonly countersOut: readonly PointName[];
  readonly level: PointName | null;
}

/** The kinds that energy is stored for: the kinds of asset, and `hem` for the consumption of the whole house. */
export const ENERGY_KINDS = [...ASSET_KINDS, "hem"] as const;
export type EnergyKind = (typeof ENERGY_KINDS)[number];

/** The points from which the energy of each kind is calculated. */
export const ENERGY_POINTS: Readonly<Record<EnergyKind, EnergyPoints>> = {
  battery: {
    power: "battery.power",
    countersIn: ["battery.energyCharged"],
    countersOut: ["battery.energyDischarged"],
    level: "battery.soc",
  },
  charger: {
    power: "charger.power",
    countersIn: ["charger.energy", "charger.energySession"],
    countersOut: [],
    level: null,
  },
  hem: { power: "hem.load", countersIn: [], countersOut: [], level: null },
  hvac: { power: "hvac.power", countersIn: [], countersOut: [], level: null },
  inverter: { power: "inverter.power", countersIn: ["inverter.energy"], countersOut: [], level: null },
  meter: {
    power: "meter.power",
    countersIn: ["meter.energyImport"],
    countersOut: ["meter.energyExport"],
    level: null,
  },
  vehicle: { power: "vehicle.power", countersIn: [], countersOut: [], level: "vehicle.soc" },
};

/** The readings of one kind of asset in an hour, with the neighbouring ones; each series is ascending. */
export interface HourReadings {
  /** W, positive in. */
  readonly power: readonly Sampled[];
  /** Counters of the energy in and out, Wh; empty if the device has no such counter. */
  readonly counterIn: readonly Sampled[];
  readonly counterOut: readonly Sampled[];
  /** State of charge, %. */
  readonly level: readonly Sampled[];
}

/** Returns a row for each minute of the hour that readings cover. `hourMs` is the start of the hour, wall-clock ms. */
export function hourRows(readings: HourReadings, hourMs: number): EnergyRow[] {
  const hour: Span = { fromMs: hourMs, toMs: hourMs + HOUR_MS };
  const power = powerFlows(readings.power, hour);
  const isShownByPower = readings.power.some(({ value }) => value !== null);
  const spansIn = counterSpans(readings.counterIn);
  const inward = spreadCounter(spansIn, power.inMwh, hour);
  const outward = spreadCounter(counterSpans(readings.counterOut), power.outMwh, hour);
  const flow = isShownByPower ? power : powerFlows(powerOf(spansIn), hour);
  const levels = levelsOf(readings.level, hour);
  const rows: EnergyRow[] = [];
  const wholeIn = rounding();
  const wholeOut = rounding();
  for (let slot = 0; slot < SLOTS; slot++) {
    const knownMs = Math.min(
      MINUTE_MS,
      Math.max(power.knownMs[slot] ?? 0, inward.coveredMs[slot] ?? 0, outward.coveredMs[slot] ?? 0),
    );
    const level = levels[slot] ?? null;
    if (knownMs === 0 && level === null) continue;
    rows.push({
      atMs: hourMs + slot * MINUTE_MS,
      knownMs: Math.round(knownMs),
      inMwh: wholeIn(inward.mwh[slot] ?? 0),
      outMwh: wholeOut(outward.mwh[slot] ?? 0),
      level,
      ...flowOf(flow, slot),
    });
  }
  return rows;
}

function flowOf(
  flow: FlowSlots,
  slot: number,
): Pick<EnergyRow, "flowMs" | "flowMwh" | "flowFromMs" | "flowToMs" | "minW" | "maxW"> {
  const edges = flow.edges[slot] ?? null;
  const range = flow.ranges[slot] ?? null;
  return {
    flowMs: Math.round(flow.flowMs[slot] ?? 0),
    flowMwh: Math.round(flow.flowMwh[slot] ?? 0),
    flowFromMs: edges?.fromMs ?? null,
    flowToMs: edges?.toMs ?? null,
    minW: range === null ? null : Math.round(range.minW),
    maxW: range === null ? null : Math.round(range.maxW),
  };
}

/** Returns a function that rounds to whole numbers and carries the remainder, so that the sum of an hour is right. */
function rounding(): (value: number) => number {
  let rest = 0;
  return (value) => {
    const whole = Math.round(value + rest);
    rest += value - whole;
    return whole;
  };
}

/** Returns the mean power between the readings of a counter, for a device that does not report its power. */
function powerOf(spans: ReturnType<typeof counterSpans>): Sampled[] {
  return spans
    .filter((span) => span.toMs - span.fromMs <= MAX_GAP_MS)
    .flatMap(({ fromMs, toMs, mwh }) => {
      const value = (mwh / 1_000) * (HOUR_MS / (toMs - fromMs));
      return [
        { atMs: fromMs, value },
        { atMs: toMs, value },
      ];
    });
}

function levelsOf(series: readonly Sampled[], hour: Span): (number | null)[] {
  const sums = new Array<number>(SLOTS).fill(0);
  const counts = new Array<number>(SLOTS).fill(0);
  for (const { atMs, value } of series) {
    if (value === null || clip({ fromMs: atMs, toMs: atMs + 1 }, hour) === null) continue;
    const slot = Math.floor((atMs - hour.fromMs) / MINUTE_MS);
    sums[slot] = (sums[slot] ?? 0) + value;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts.map((count, slot) => (count === 0 ? null : tenths((sums[slot] ?? 0) / count)));
}
