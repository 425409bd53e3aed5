/** What single devices and pairs of them contradict: frozen values, the same device twice, phases, counters, ranges. */
import { POINT_UNITS, type PointName } from "../../sdk/points.ts";
import { type Finding, watts } from "./finding.ts";
import { resample, type Sample, type Source, variation } from "./house-history.ts";

/** A value that stands still for so long, in so many readings, is not measured any more. */
const FROZEN_MS = 30_000;
const FROZEN_SAMPLES = 10;
/** How much the others have to move meanwhile, W. */
const OTHERS_MOVE_W = 300;
/** What power amounts to before a counter must have moved, Wh, and a battery's charge, in parts of its capacity. */
const COUNTER_MUST_MOVE_WH = 40;
const CHARGE_MUST_MOVE = 0.015;
const UNKNOWN_CAPACITY_WH = 15_000;
const HOUR_MS = 3_600_000;
const POWERS: Readonly<Record<string, PointName>> = {
  meter: "meter.power",
  inverter: "inverter.power",
  battery: "battery.power",
  charger: "charger.power",
};
/** What is measured anew each time, or counts; states, limits and capacities may well stand still. */
const LIVE_UNITS = new Set(["W", "V", "A", "Hz", "Wh", "%"]);
const SETTINGS = /capacity|reserve|powerLimit|maxCurrent/;

/** Values that stand still though the house moves, or though the device's own power must have moved them. */
export function checkFrozen(sources: readonly Source[]): readonly Finding[] {
  return sources.flatMap((source) => {
    const power = POWERS[source.kind];
    if (power === undefined) return [];
    const still = stillSince(source);
    const stillMs = (source.samples.at(-1)?.atMs ?? 0) - (still?.sinceMs ?? 0);
    if (still === null || still.samples.length < FROZEN_SAMPLES || stillMs < FROZEN_MS) return [];
    const value = still.samples.at(-1)?.values[power] ?? null;
    if (value === null) return [];
    const why =
      source.kind === "meter" ? othersMoved(sources, source, still.sinceMs) : mustMove(source, value, stillMs);
    if (why === null) return [];
    const measured = `${watts(value)} and all else it tells have not changed for ${Math.round(stillMs / 1_000)} s, ${why}.`;
    return [{ check: "frozen", deviceId: source.deviceId, assetKind: source.kind, against: null, measured, fix: null }];
  });
}

function stillSince({ samples }: Source): { readonly sinceMs: number; readonly samples: readonly Sample[] } | null {
  const last = samples.at(-1);
  if (last === undefined) return null;
  let first = samples.length - 1;
  while (first > 0 && isSame(samples[first - 1], last)) first -= 1;
  const same = samples.slice(first);
  return { sinceMs: same[0]?.atMs ?? last.atMs, samples: same };
}

function isSame(sample: Sample | undefined, last: Sample): boolean {
  if (sample === undefined) return false;
  return Object.entries(sample.values).every(([point, value]) => {
    const isLive = LIVE_UNITS.has(POINT_UNITS[point as PointName] ?? "") && !SETTINGS.test(point);
    const now = last.values[point as PointName];
    return !isLive || now === undefined || now === value;
  });
}

/** The grid's power moves with every other device; null while they are calm. */
function othersMoved(sources: readonly Source[], frozen: Source, sinceMs: number): string | null {
  const movedW = sources
    .filter((source) => source !== frozen)
    .reduce((sum, source) => sum + variation(powersSince(source, sinceMs)), 0);
  return movedW < OTHERS_MOVE_W ? null : `while the other devices moved by ${watts(movedW)}`;
}

/** A device at its limit may well tell the same power for long, but then its counters count; null while they need not. */
function mustMove({ samples }: Source, powerW: number, stillMs: number): string | null {
  const values = samples.at(-1)?.values ?? {};
  const energyWh = (Math.abs(powerW) * stillMs) / HOUR_MS;
  const counter = Object.keys(values).find((point) => /energy/.test(point));
  if (counter !== undefined && energyWh >= COUNTER_MUST_MOVE_WH) {
    return `though ${counter} should have grown by ${Math.round(energyWh)} Wh`;
  }
  const capacityWh = values["battery.capacity"] ?? UNKNOWN_CAPACITY_WH;
  const charges = samples.flatMap((sample) => sample.values["battery.soc"] ?? []);
  // Whole percents, or tenths.
  const isCoarse = charges.every((charge) => Number.isInteger(charge));
  const hasCharge = charges.length > 0 && energyWh >= (isCoarse ? 1 : 0.1) * CHARGE_MUST_MOVE * capacityWh;
  return hasCharge ? `though ${Math.round(energyWh)} Wh should show in its state of charge` : null;
}

function powersSince(source: Source, sinceMs: number): readonly number[] {
  const point = POWERS[source.kind];
  if (point === undefined) return [];
  return source
    .series(point)
    .filter(({ atMs }) => atMs >= sinceMs)
    .map(({ value }) => value);
}

/** Two sources of a kind that tell the same all the time. */
export function checkDuplicates(sources: readonly Source[]): readonly Finding[] {
  const findings: Finding[] = [];
  sources.forEach((first, index) => {
    for (const second of sources.slice(index + 1)) {
      if (first.kind !== second.kind || first.deviceId === second.deviceId) continue;
      const alike = alikeness(first, second);
      if (alike === null) continue;
      findings.push({
        check: "duplicate",
        deviceId: second.deviceId,
        assetKind: second.kind,
        against: first.deviceId,
        measured: `Both tell the same power, which moved by ${watts(alike.movedW)}, with a correlation of ${alike.r.toFixed(3)}.`,
        fix: { kind: "hide", deviceId: second.deviceId, assetKind: second.kind },
      });
    }
  });
  return findings;
}

const MIN_PAIRS = 40;
/** Less movement is alike by chance, W. */
const ALIKE_MOVE_W = 100;
const ALIKE_POWER_W = 300;

function alikeness(first: Source, second: Source): { readonly r: number; readonly movedW: number } | null {
  const point = POWERS[first.kind];
  if (point === undefined) return null;
  const told = first.series(point);
  const [meanA, meanB] = [meanPower(first, point), meanPower(second, point)];
  if (Math.abs(meanA - meanB) > 0.1 * Math.max(meanA, meanB)) return null;
  const others = resample(
    second,
    point,
    told.map(({ atMs }) => atMs),
  );
  const pairs = told.flatMap(({ value }, index) => {
    const other = others[index] ?? null;
    return other === null ? [] : [[value, other] as const];
  });
  if (pairs.length < MIN_PAIRS) return null;
  const movedW = variation(pairs.map(([value]) => value));
  const r = correlation(pairs);
  const powerW = mean(pairs.map(([a]) => Math.abs(a)));
  const gap = mean(pairs.map(([a, b]) => Math.abs(a - b))) / powerW;
  // Two devices of the same make run alike, but not to the watt.
  const isSame = (movedW >= ALIKE_MOVE_W && r > 0.98 && gap <= 0.015) || (powerW >= ALIKE_POWER_W && gap <= 0.005);
  return isSame ? { r, movedW } : null;
}

function meanPower(source: Source, point: PointName): number {
  return mean(source.series(point).map(({ value }) => Math.abs(value)));
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [meanA, meanB] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))];
  let [both, first, second] = [0, 0, 0];
  for (const [a, b] of pairs) {
    both += (a - meanA) * (b - meanB);
    first += (a - meanA) ** 2;
    second += (b - meanB) ** 2;
  }
  return first === 0 || second === 0 ? 0 : both / Math.sqrt(first * second);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What no house has: another register, or another type, is read. */
const RANGES: readonly (readonly [pattern: RegExp, min: number, max: number])[] = [
  [/\.voltage\.l[123]$/, 90, 290],
  [/\.frequency$/, 45, 65],
  [/\.soc$|\.reserve$/, 0, 100],
];

/** Panels give and chargers take: the other direction is a sign. A battery that is called panels shows both, at night too. */
export function checkDirections(sources: readonly Source[], isDark: boolean): readonly Finding[] {
  return sources.flatMap((source): readonly Finding[] => {
    const point = POWERS[source.kind];
    if (point === undefined || (source.kind !== "inverter" && source.kind !== "charger")) return [];
    const values = source.series(point).map(({ value }) => value);
    const reversed = values.filter((value) => value < -NOTHING_W);
    if (reversed.length < FROZEN_SAMPLES) return [];
    const { deviceId, kind: assetKind } = source;
    const base = { deviceId, assetKind, against: null };
    const measured = `${point} reads ${watts(reversed.at(-1) ?? 0)}`;
    if (source.kind === "inverter" && (isDark || values.some((value) => value > NOTHING_W))) {
      const why = isDark ? "in the dark" : "and above 0 at other times";
      return [{ ...base, check: "role", measured: `${measured}, ${why}, as a battery does.`, fix: null }];
    }
    const fix = { kind: "invert", deviceId, points: [point] } as const;
    return [{ ...base, check: "sign", measured: `${measured}; it is never below 0.`, fix }];
  });
}

/** Own use at night and the errors of a meter, W. */
const NOTHING_W = 50;

/** Values that cannot be what they are called. A voltage of 0 is a phase without power. */
export function checkRanges(sources: readonly Source[]): readonly Finding[] {
  return sources.flatMap((source) => {
    const seen = source.samples.slice(-FROZEN_SAMPLES);
    const points = new Set(seen.flatMap(({ values }) => Object.keys(values) as PointName[]));
    return [...points].flatMap((point): Finding[] => {
      const range = RANGES.find(([pattern]) => pattern.test(point));
      const values = seen.map((sample) => sample.values[point]).filter((value) => typeof value === "number");
      if (range === undefined || values.length < 3) return [];
      const [, min, max] = range;
      const isOff = values.every((value) => value !== 0 && (value < min || value > max));
      if (!isOff) return [];
      const measured = `${point} reads ${values.at(-1)} ${POINT_UNITS[point]}; it lies between ${min} and ${max} in a house.`;
      const factor = [10, 0.1, 100, 0.01, 1_000, 0.001].find((each) =>
        values.every((value) => value * each >= min && value * each <= max),
      );
      const { deviceId, kind: assetKind } = source;
      const fix = factor === undefined ? null : ({ kind: "scale", deviceId, points: [point], factor } as const);
      return [{ check: factor === undefined ? "range" : "scale", deviceId, assetKind, against: null, measured, fix }];
    });
  });
}

/** A state of charge that goes the other way than the power, %, for longer than rounding explains. */
const CHARGE_TREND = 0.5;

/** Batteries that fill while they are said to discharge, or the other way round. */
export function checkCharge(sources: readonly Source[]): readonly Finding[] {
  return sources
    .filter(({ kind }) => kind === "battery")
    .flatMap((source): readonly Finding[] => {
      const charge = source.series("battery.soc");
      const powers = source.series("battery.power").map(({ value }) => value);
      const change = (charge.at(-1)?.value ?? 0) - (charge[0]?.value ?? 0);
      const powerW = mean(powers);
      const isOneWay = powers.every((value) => value * powerW >= 0);
      if (Math.abs(change) < CHARGE_TREND || !isOneWay || powerW * change >= 0 || Math.abs(powerW) < NOTHING_W)
        return [];
      const { deviceId, kind: assetKind } = source;
      const measured = `Its charge went by ${change.toFixed(1)} % while its power was ${watts(powerW)}, positive when it charges.`;
      const fix = { kind: "invert", deviceId, points: ["battery.power"] } as const;
      return [{ check: "sign", deviceId, assetKind, against: null, measured, fix }];
    });
}
