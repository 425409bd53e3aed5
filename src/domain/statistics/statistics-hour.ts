/**
 * From readings to the rows of an hour. Power between two readings is a straight line, over at most 15 minutes
 * (rule S8.1); a counter of the device leads the energy where there is one, and power gives it its shape. An hour is
 * made from its own readings and their neighbours alone, so making it again gives the same rows.
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
  /** Lifetime counters of the energy in, the better one first. */
  readonly countersIn: readonly PointName[];
  readonly countersOut: readonly PointName[];
  readonly level: PointName | null;
}

/** What the energy of a device is kept by: its kinds of asset, and what it knows of the whole house. */
export const ENERGY_KINDS = [...ASSET_KINDS, "hem"] as const;
export type EnergyKind = (typeof ENERGY_KINDS)[number];

/** The points of a kind that its energy is known from. */
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

/** What was read of one kind of asset around an hour, each series ascending in time. */
export interface HourReadings {
  /** W, positive in. */
  readonly power: readonly Sampled[];
  /** Wh in and out since installation; empty when the device has no such counter. */
  readonly counterIn: readonly Sampled[];
  readonly counterOut: readonly Sampled[];
  /** %. */
  readonly level: readonly Sampled[];
}

/** The rows of the minutes of an hour about which something is known. Readings outside the hour are its neighbours. */
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

/** Rounds to whole numbers and carries what is left over, so that an hour's sum is right. */
function rounding(): (value: number) => number {
  let rest = 0;
  return (value) => {
    const whole = Math.round(value + rest);
    rest += value - whole;
    return whole;
  };
}

/** The mean power between the readings of a counter, for a device that shows no power. */
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
