import { chanceAt, seedFor } from "./noise.ts";
import { dailyBetween, isWeekend, localDay } from "./weather.ts";

export interface CarSpec {
  /** Wh. */
  readonly capacityWh: number;
  /** The most it draws per phase, A; it charges on three. */
  readonly maxCurrentA: number;
  /** Energy stored for energy taken, 0 to 1. */
  readonly efficiency: number;
}

export interface Car {
  readonly isPluggedIn: boolean;
  readonly storedWh: number;
  /** It was at home at the start though its habits say otherwise, and stays until they take it away. */
  readonly isExtraStay: boolean;
}

const HOUR_MS = 3_600_000;
/** Share of the capacity that a day's driving leaves at the least. */
const MIN_LEFT = 0.08;

/** Whether the car's habits have it at home: away over the day, later and shorter on weekends, some days not at all. */
export function isCarExpected(seed: number, atMs: number, utcOffsetMs: number): boolean {
  const { day, sinceMs } = localDay(atMs, utcOffsetMs);
  if (chanceAt(seedFor(seed, "stays"), day) < (isWeekend(day) ? 0.3 : 0.05)) return true;
  const [leaves, returns] = isWeekend(day) ? [9.5, 14] : [7, 17];
  const leavesMs = dailyBetween(seedFor(seed, "leaves"), day, leaves, leaves + 1.5) * HOUR_MS;
  const returnsMs = dailyBetween(seedFor(seed, "returns"), day, returns, returns + 2.5) * HOUR_MS;
  return sinceMs < leavesMs || sinceMs >= returnsMs;
}

/** The car after it came or went. The same object when it did neither. */
export function carAt(spec: CarSpec, car: Car, seed: number, atMs: number, utcOffsetMs: number): Car {
  const isExpected = isCarExpected(seed, atMs, utcOffsetMs);
  if (car.isPluggedIn) {
    if (isExpected) return car.isExtraStay ? { ...car, isExtraStay: false } : car;
    return car.isExtraStay ? car : { ...car, isPluggedIn: false };
  }
  if (!isExpected) return car;
  const { day } = localDay(atMs, utcOffsetMs);
  const drivenWh = dailyBetween(seedFor(seed, "driven"), day, 0.12, 0.5) * spec.capacityWh;
  const storedWh = Math.max(MIN_LEFT * spec.capacityWh, car.storedWh - drivenWh);
  return { isPluggedIn: true, storedWh, isExtraStay: false };
}
