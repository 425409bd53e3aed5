import { HOUR_MS } from "hemgate/sdk";
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

/** What a made-up car does that stands for the one at the charger. */
export interface FollowedCar {
  readonly isPluggedIn: boolean;
  /** Whether it takes power when it is offered. */
  readonly isTaking: boolean;
  /** Percent. */
  readonly batteryLevel: number;
}

/** Share of the capacity that a day's driving leaves at the least. */
const MIN_LEFT = 0.08;

/** When the car is at home by its habits, and what a day costs it. */
export interface CarHabits {
  isExpected(atMs: number): boolean;
  /** Share of the capacity that the driving before an arrival took. */
  drivenShare(atMs: number): number;
}

/** Away over the day, later and shorter on weekends, some days not at all. The latest day is kept to save work. */
export function carHabits(seed: number, utcOffsetMs: number): CarHabits {
  let today: { readonly day: number; readonly leavesMs: number; readonly returnsMs: number } | null = null;
  return {
    isExpected(atMs) {
      const { day, sinceMs } = localDay(atMs, utcOffsetMs);
      if (today?.day !== day) today = { day, ...tripOf(seed, day) };
      return sinceMs < today.leavesMs || sinceMs >= today.returnsMs;
    },
    drivenShare: (atMs) => dailyBetween(seedFor(seed, "driven"), localDay(atMs, utcOffsetMs).day, 0.12, 0.5),
  };
}

/** The day's trip in ms since midnight; one that has no length when the car stays. */
function tripOf(seed: number, day: number): { readonly leavesMs: number; readonly returnsMs: number } {
  const isStaying = chanceAt(seedFor(seed, "stays"), day) < (isWeekend(day) ? 0.3 : 0.05);
  const [leaves, returns] = isWeekend(day) ? [9.5, 14] : [7, 17];
  const leavesMs = dailyBetween(seedFor(seed, "leaves"), day, leaves, leaves + 1.5) * HOUR_MS;
  const returnsMs = dailyBetween(seedFor(seed, "returns"), day, returns, returns + 2.5) * HOUR_MS;
  return { leavesMs, returnsMs: isStaying ? leavesMs : returnsMs };
}

/** The car after it came or went. The same object when it did neither. */
export function carAt(spec: CarSpec, car: Car, habits: CarHabits, atMs: number): Car {
  const isExpected = habits.isExpected(atMs);
  if (car.isPluggedIn) {
    if (isExpected) return car.isExtraStay ? { ...car, isExtraStay: false } : car;
    return car.isExtraStay ? car : { ...car, isPluggedIn: false };
  }
  if (!isExpected) return car;
  const storedWh = Math.max(MIN_LEFT * spec.capacityWh, car.storedWh - habits.drivenShare(atMs) * spec.capacityWh);
  return { isPluggedIn: true, storedWh, isExtraStay: false };
}
