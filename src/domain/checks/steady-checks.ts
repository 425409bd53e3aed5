/** Checks of single devices and of pairs: duplicates, directions, states of charge and ranges. */
import { POINT_UNITS, type PointName } from "../../points/points.ts";
import type { Finding } from "./finding.ts";
import { nearest, POWERS, type Source, variation } from "./house-history.ts";
import { measured, watts } from "./measured-text.ts";

/** Number of readings that have to agree. */
const MIN_READINGS = 10;

/** Finds two sources of a kind that report the same power all the time. */
export function checkDuplicates(sources: readonly Source[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const group of Map.groupBy(sources.flatMap(powerRowOf), ({ source }) => source.kind).values()) {
    group.forEach((first, index) => {
      for (const second of group.slice(index + 1)) {
        if (first.source.deviceId === second.source.deviceId) continue;
        const alike = alikeness(first, second);
        if (alike !== null) findings.push(duplicate(first.source, second.source, alike));
      }
    });
  }
  return findings;
}

function duplicate(first: Source, second: Source, { r, movedW }: Alikeness): Finding {
  return {
    check: "duplicate",
    deviceId: second.deviceId,
    assetKind: second.kind,
    against: first.deviceId,
    ...measured("duplicate", { moved: watts(movedW), correlation: { amount: r, unit: "", decimals: 3 } }),
    fix: { kind: "hide", deviceId: second.deviceId, assetKind: second.kind },
  };
}

const MIN_PAIRS = 40;
/** Powers that vary less than this, W, or are lower than the second figure may be alike by chance. */
const ALIKE_MOVE_W = 100;
const ALIKE_POWER_W = 300;
/** Average difference of two powers that change alike, and of two that stay the same, as a fraction of the power. */
const ALIKE_GAP = 0.015;
const SAME_GAP = 0.005;

/** The power of a source with what is compared first. */
interface PowerRow {
  readonly source: Source;
  readonly point: PointName;
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Sum and mean of the values without their signs, W. */
  readonly sumW: number;
  readonly meanW: number;
}

interface Alikeness {
  readonly r: number;
  readonly movedW: number;
}

function powerRowOf(source: Source): readonly PowerRow[] {
  const point = POWERS[source.kind];
  if (point === undefined) return [];
  const series = source.series(point);
  if (series.length === 0) return [];
  const values = series.map(({ value }) => value);
  const sumW = values.reduce((sum, value) => sum + Math.abs(value), 0);
  return [{ source, point, times: series.map(({ atMs }) => atMs), values, sumW, meanW: sumW / values.length }];
}

function alikeness(first: PowerRow, second: PowerRow): Alikeness | null {
  if (Math.abs(first.meanW - second.meanW) > 0.1 * Math.max(first.meanW, second.meanW)) return null;
  const others = nearest(second.source, second.point, first.times);
  const pairs: [number, number][] = [];
  let [gapW, powerSumW] = [0, 0];
  for (const [index, value] of first.values.entries()) {
    const other = others[index];
    if (other === undefined || other === null) continue;
    gapW += Math.abs(value - other);
    powerSumW += Math.abs(value);
    // The values that follow cannot make up for such a difference.
    if (gapW > ALIKE_GAP * first.sumW) return null;
    pairs.push([value, other]);
  }
  if (pairs.length < MIN_PAIRS) return null;
  const powerW = powerSumW / pairs.length;
  const gap = gapW / powerSumW;
  if (!(gap <= ALIKE_GAP)) return null;
  const movedW = variation(pairs.map(([value]) => value));
  const r = correlation(pairs);
  // Two devices of the same model behave alike, but not to the watt.
  const isSame = (movedW >= ALIKE_MOVE_W && r > 0.98) || (powerW >= ALIKE_POWER_W && gap <= SAME_GAP);
  return isSame ? { r, movedW } : null;
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

/** The ranges of values in a house. A value outside of them comes from the wrong register or data type. */
const RANGES: readonly (readonly [pattern: RegExp, min: number, max: number])[] = [
  [/\.voltage\.l[123]$/, 90, 290],
  [/\.frequency$/, 45, 65],
  [/\.soc$|\.reserve$/, 0, 100],
];

/** A value that is outside of its range by less than this share of it was rounded or added up: a full battery reads 100.1 %. */
const ROUNDING = 0.02;

/** Finds inverters that consume and chargers that produce. A battery that is read as an inverter does both, also at night. */
export function checkDirections(sources: readonly Source[], isDark: boolean): readonly Finding[] {
  const hasMeter = sources.some(({ kind }) => kind === "meter");
  return sources.flatMap((source): readonly Finding[] => {
    const point = POWERS[source.kind];
    if (point === undefined || (source.kind !== "inverter" && source.kind !== "charger")) return [];
    const values = source.series(point).map(({ value }) => value);
    const reversed = values.filter((value) => value < -NOTHING_W);
    const forward = values.filter((value) => value > NOTHING_W);
    const { deviceId, kind: assetKind } = source;
    const base = { deviceId, assetKind, against: null };
    if (source.kind === "inverter" && !hasMeter && isDark && forward.length >= MIN_READINGS) {
      const what = measured("darkMeter", { point, power: watts(forward.at(-1) ?? 0) });
      return [{ ...base, check: "role", ...what, fix: null }];
    }
    if (reversed.length < MIN_READINGS) return [];
    const read = { point, power: watts(reversed.at(-1) ?? 0) };
    if (source.kind === "inverter" && !hasMeter) {
      return [{ ...base, check: "role", ...measured("meterOrSign", read), fix: null }];
    }
    if (source.kind === "inverter" && (isDark || forward.length > 0)) {
      return [{ ...base, check: "role", ...measured(isDark ? "batteryDark" : "batteryBoth", read), fix: null }];
    }
    const fix = { kind: "invert", deviceId, points: [point] } as const;
    return [{ ...base, check: "sign", ...measured("belowZero", read), fix }];
  });
}

/** A power up to this is standby consumption or an error of the meter, W. */
const NOTHING_W = 50;

/** Finds values outside of the range of their point. A voltage of 0 is a phase without power. */
export function checkRanges(sources: readonly Source[]): readonly Finding[] {
  return sources.flatMap((source) => {
    const seen = source.samples.slice(-MIN_READINGS);
    const points = new Set(seen.flatMap(({ values }) => Object.keys(values) as PointName[]));
    return [...points].flatMap((point): Finding[] => {
      const range = RANGES.find(([pattern]) => pattern.test(point));
      const values = seen.map((sample) => sample.values[point]).filter((value) => typeof value === "number");
      if (range === undefined || values.length < 3) return [];
      const [, min, max] = range;
      const slack = ROUNDING * (max - min);
      const isOff = values.every((value) => value !== 0 && (value < min - slack || value > max + slack));
      if (!isOff) return [];
      const unit = POINT_UNITS[point];
      const what = measured("range", {
        point,
        value: { amount: values.at(-1) ?? 0, unit },
        min: { amount: min, unit: "" },
        max: { amount: max, unit },
      });
      const factor = [10, 0.1, 100, 0.01, 1_000, 0.001].find((each) =>
        values.every((value) => value * each >= min && value * each <= max),
      );
      const { deviceId, kind: assetKind } = source;
      const fix = factor === undefined ? null : ({ kind: "scale", deviceId, points: [point], factor } as const);
      return [{ check: factor === undefined ? "range" : "scale", deviceId, assetKind, against: null, ...what, fix }];
    });
  });
}

/** A change of the state of charge against the sign of the power, %, that rounding cannot explain. */
const CHARGE_TREND = 0.5;

/** Finds batteries whose state of charge rises while their power says that they discharge, or the other way round. */
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
      const what = measured("charge", { change: { amount: change, unit: "%", decimals: 1 }, power: watts(powerW) });
      const fix = { kind: "invert", deviceId, points: ["battery.power"] } as const;
      return [{ check: "sign", deviceId, assetKind, against: null, ...what, fix }];
    });
}
