/** Finds devices that keep reporting the same values. Only readings count; a poll without an answer proves nothing. */
import { POINT_UNITS, type PointName } from "../../points/points.ts";
import { HOUR_MS } from "../duration.ts";
import type { Finding } from "./finding.ts";
import { netOf, POWERS, type Source, STANDS_FOR_MS, type TimedValue } from "./house-history.ts";
import { type Amount, type MeasuredText, measured, watts } from "./measured-text.ts";

/** A value that is the same for this long, ms, in this many readings is no longer measured. */
const FROZEN_MS = 30_000;
const FROZEN_SAMPLES = 10;
/** How much the other devices have to change meanwhile, W, and how many later readings must not show it. */
const OTHERS_MOVE_W = 300;
const READINGS_AFTER = 3;
/** The energy after which a counter must have advanced, Wh, and a state of charge, as a fraction of the capacity. */
const COUNTER_MUST_MOVE_WH = 40;
const CHARGE_MUST_MOVE = 0.015;
const UNKNOWN_CAPACITY_WH = 15_000;
/** The units of values that are measured at each reading, or count; states, limits and capacities may stay the same. */
const LIVE_UNITS = new Set(["W", "V", "A", "Hz", "Wh", "%"]);
const SETTINGS = /capacity|reserve|powerLimit|maxCurrent/;

/** Finds devices whose values stay the same although the rest of the house, or their own power, must have changed them. */
export function checkFrozen(sources: readonly Source[]): readonly Finding[] {
  return sources.flatMap((source) => {
    const power = POWERS[source.kind];
    if (power === undefined) return [];
    // Its power alone shows of most devices that they are not still.
    if (readSince(source, power, changedAt(source, power)).length < FROZEN_SAMPLES) return [];
    const still = readSince(source, power, stillSince(source));
    const [first, last] = [still[0], still.at(-1)];
    if (first === undefined || last === undefined || still.length < FROZEN_SAMPLES) return [];
    const stillMs = last.atMs - first.atMs;
    const isRecent = last.atMs >= (source.samples.at(-1)?.atMs ?? 0) - STANDS_FOR_MS;
    if (stillMs < FROZEN_MS || !isRecent) return [];
    const why = source.kind === "meter" ? othersMoved(sources, still) : mustMove(source, still);
    if (why === null) return [];
    const time = { amount: Math.round(stillMs / 1_000), unit: "s" };
    const what = measured("frozen", { power: watts(last.value), time, why });
    return [{ check: "frozen", deviceId: source.deviceId, assetKind: source.kind, against: null, ...what, fix: null }];
  });
}

/** Returns since when no measured value of the device has changed, monotonic ms. */
function stillSince(source: Source): number {
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...[...pointsOf(source)].filter(isLive).map((point) => changedAt(source, point)),
  );
}

function isLive(point: PointName): boolean {
  return LIVE_UNITS.has(POINT_UNITS[point]) && !SETTINGS.test(point);
}

/** Returns when the point was first read with its present value; minus infinity if it never had another one. */
function changedAt({ samples }: Source, point: PointName): number {
  let present: number | null = null;
  let sinceMs = Number.NEGATIVE_INFINITY;
  for (let index = samples.length - 1; index >= 0; index--) {
    const { atMs = 0, values = {} } = samples[index] ?? {};
    const value = values[point] ?? null;
    if (value === null) continue;
    present ??= value;
    if (value !== present) return sinceMs;
    sinceMs = atMs;
  }
  return Number.NEGATIVE_INFINITY;
}

function pointsOf({ samples }: Source): ReadonlySet<PointName> {
  const points = new Set<PointName>();
  for (const { values } of samples) for (const point of Object.keys(values)) points.add(point as PointName);
  return points;
}

/** Returns how much the other devices changed, which the grid meter must show; `null` if they changed too little. */
function othersMoved(sources: readonly Source[], still: readonly TimedValue[]): MeasuredText | null {
  const others = sources.filter(({ kind }) => kind !== "meter");
  const instants = still.slice(0, -READINGS_AFTER).map(({ atMs }) => atMs);
  const net = netOf(others, instants).filter((value) => value !== null);
  const movedW = Math.max(...net) - Math.min(...net);
  return net.length === 0 || movedW < OTHERS_MOVE_W ? null : { key: "othersMoved", values: { power: watts(movedW) } };
}

/**
 * Returns which counter or state of charge must have changed by the device's own power; `null` if none. A device at its
 * limit may report the same power for long, but then its counters advance.
 */
function mustMove(source: Source, still: readonly TimedValue[]): MeasuredText | null {
  const sinceMs = still[0]?.atMs ?? 0;
  for (const counter of [...pointsOf(source)].filter((point) => /energy/.test(point))) {
    const energyWh = energyBetween(still, readSince(source, counter, sinceMs));
    if (energyWh >= COUNTER_MUST_MOVE_WH)
      return { key: "counterStill", values: { counter, energy: wattHours(energyWh) } };
  }
  const capacityWh = source.series("battery.capacity").at(-1)?.value ?? UNKNOWN_CAPACITY_WH;
  const charges = source.series("battery.soc");
  // The state of charge comes in whole percent or in tenths.
  const isCoarse = charges.every(({ value }) => Number.isInteger(value));
  const energyWh = energyBetween(still, readSince(source, "battery.soc", sinceMs));
  const mustShow = energyWh > 0 && energyWh >= (isCoarse ? 1 : 0.1) * CHARGE_MUST_MOVE * capacityWh;
  return mustShow ? { key: "chargeStill", values: { energy: wattHours(energyWh) } } : null;
}

function wattHours(value: number): Amount {
  return { amount: Math.round(value), unit: "Wh" };
}

function readSince(source: Source, point: PointName, sinceMs: number): readonly TimedValue[] {
  return source.series(point).filter(({ atMs }) => atMs >= sinceMs);
}

/** Integrates powers from the first to the last reading of another point, Wh; gaps in the powers count as 0. */
function energyBetween(powers: readonly TimedValue[], read: readonly TimedValue[]): number {
  const [fromMs, toMs] = [read[0]?.atMs ?? 0, read.at(-1)?.atMs ?? 0];
  let sum = 0;
  for (let index = 1; index < powers.length; index++) {
    const [before, now] = [powers[index - 1], powers[index]];
    if (before === undefined || now === undefined || now.atMs - before.atMs > STANDS_FOR_MS) continue;
    const lastedMs = Math.min(now.atMs, toMs) - Math.max(before.atMs, fromMs);
    sum += (Math.abs(before.value) * Math.max(0, lastedMs)) / HOUR_MS;
  }
  return sum;
}
