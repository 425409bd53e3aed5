/** Devices that tell the same again and again. Only what was really read counts: an answer that was lost says nothing. */
import { POINT_UNITS, type PointName } from "../../points/points.ts";
import { HOUR_MS } from "../duration.ts";
import { type Finding, watts } from "./finding.ts";
import { netOf, POWERS, type Source, STANDS_FOR_MS, type Told } from "./house-history.ts";

/** A value that stands still for so long, in so many readings, is not measured any more. */
const FROZEN_MS = 30_000;
const FROZEN_SAMPLES = 10;
/** How much the others have to move meanwhile, W, and how many readings must have had the time to show it. */
const OTHERS_MOVE_W = 300;
const READINGS_AFTER = 3;
/** What power amounts to before a counter must have moved, Wh, and a battery's charge, in parts of its capacity. */
const COUNTER_MUST_MOVE_WH = 40;
const CHARGE_MUST_MOVE = 0.015;
const UNKNOWN_CAPACITY_WH = 15_000;
/** What is measured anew each time, or counts; states, limits and capacities may well stand still. */
const LIVE_UNITS = new Set(["W", "V", "A", "Hz", "Wh", "%"]);
const SETTINGS = /capacity|reserve|powerLimit|maxCurrent/;

/** Values that stand still though the house moves, or though the device's own power must have moved them. */
export function checkFrozen(sources: readonly Source[]): readonly Finding[] {
  return sources.flatMap((source) => {
    const power = POWERS[source.kind];
    if (power === undefined) return [];
    const sinceMs = stillSince(source);
    const still = source.series(power).filter(({ atMs }) => atMs >= sinceMs);
    const [first, last] = [still[0], still.at(-1)];
    if (first === undefined || last === undefined || still.length < FROZEN_SAMPLES) return [];
    const stillMs = last.atMs - first.atMs;
    const isTold = last.atMs >= (source.samples.at(-1)?.atMs ?? 0) - STANDS_FOR_MS;
    if (stillMs < FROZEN_MS || !isTold) return [];
    const why = source.kind === "meter" ? othersMoved(sources, still) : mustMove(source, still);
    if (why === null) return [];
    const measured = `${watts(last.value)} and all else it tells have not changed for ${Math.round(stillMs / 1_000)} s, ${why}.`;
    return [{ check: "frozen", deviceId: source.deviceId, assetKind: source.kind, against: null, measured, fix: null }];
  });
}

/** Since when no live value of the device changed from one of its readings to the next, monotonic ms. */
function stillSince(source: Source): number {
  const points = new Set(source.samples.flatMap(({ values }) => Object.keys(values) as PointName[]));
  return Math.max(Number.NEGATIVE_INFINITY, ...[...points].filter(isLive).map((point) => changedAt(source, point)));
}

function isLive(point: PointName): boolean {
  return LIVE_UNITS.has(POINT_UNITS[point]) && !SETTINGS.test(point);
}

/** When the point was first read with the value that it has; long ago when it never had another one. */
function changedAt(source: Source, point: PointName): number {
  const told = source.series(point);
  const last = told.at(-1);
  const before = told.findLastIndex(({ value }) => value !== last?.value);
  return before < 0 ? Number.NEGATIVE_INFINITY : (told[before + 1]?.atMs ?? 0);
}

/** The grid's power moves with what all others amount to; null while that is calm. */
function othersMoved(sources: readonly Source[], still: readonly Told[]): string | null {
  const others = sources.filter(({ kind }) => kind !== "meter");
  const instants = still.slice(0, -READINGS_AFTER).map(({ atMs }) => atMs);
  const net = netOf(others, instants).filter((value) => value !== null);
  const movedW = Math.max(...net) - Math.min(...net);
  return net.length === 0 || movedW < OTHERS_MOVE_W ? null : `while the other devices moved by ${watts(movedW)}`;
}

/** A device at its limit may well tell the same power for long, but then its counters count; null while they need not. */
function mustMove(source: Source, still: readonly Told[]): string | null {
  const points = new Set(source.samples.flatMap(({ values }) => Object.keys(values) as PointName[]));
  const sinceMs = still[0]?.atMs ?? 0;
  for (const counter of [...points].filter((point) => /energy/.test(point))) {
    const energyWh = energyBetween(still, readSince(source, counter, sinceMs));
    if (energyWh >= COUNTER_MUST_MOVE_WH) return `though ${counter} should have grown by ${Math.round(energyWh)} Wh`;
  }
  const capacityWh = source.series("battery.capacity").at(-1)?.value ?? UNKNOWN_CAPACITY_WH;
  const charges = source.series("battery.soc");
  // Whole percents, or tenths.
  const isCoarse = charges.every(({ value }) => Number.isInteger(value));
  const energyWh = energyBetween(still, readSince(source, "battery.soc", sinceMs));
  const mustShow = energyWh > 0 && energyWh >= (isCoarse ? 1 : 0.1) * CHARGE_MUST_MOVE * capacityWh;
  return mustShow ? `though ${Math.round(energyWh)} Wh should show in its state of charge` : null;
}

function readSince(source: Source, point: PointName, sinceMs: number): readonly Told[] {
  return source.series(point).filter(({ atMs }) => atMs >= sinceMs);
}

/** Wh that powers amount to from the first to the last reading of another point; nothing where they were not read. */
function energyBetween(powers: readonly Told[], read: readonly Told[]): number {
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
