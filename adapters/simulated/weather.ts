import { chanceAt, seedFor, smoothAt } from "./noise.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The share of a clear sky's light that reaches the roof at an instant, 0.12 to 1. Each seed has its own weather. */
export function cloudTransmittance(seed: number, atMs: number): number {
  const cover = smoothAt(seedFor(seed, "front"), atMs / (9 * HOUR_MS)) ** 1.3;
  const field = smoothAt(seedFor(seed, "field"), atMs / (0.35 * HOUR_MS));
  const wisp = smoothAt(seedFor(seed, "wisp"), atMs / (0.03 * HOUR_MS));
  // Between a clear and a closed sky single clouds pass: the threshold turns the field into sun and shade.
  const shade = clamp((cover + 0.35 * (field - 0.5) + 0.12 * (wisp - 0.5) - 0.3) / 0.45, 0, 1);
  return 1 - 0.88 * shade;
}

/** Frequency of the grid, Hz: it wanders a few hundredths around 50. */
export function gridFrequencyHz(seed: number, atMs: number): number {
  return 50 + 0.06 * (smoothAt(seedFor(seed, "frequency"), atMs / 40_000) - 0.5);
}

/** Voltage of a phase of the street without this house's own current, V. */
export function gridVoltageV(seed: number, atMs: number, phase: number): number {
  const slow = smoothAt(seedFor(seed, `street${phase}`), atMs / (0.5 * HOUR_MS)) - 0.5;
  const fast = smoothAt(seedFor(seed, `flicker${phase}`), atMs / 20_000) - 0.5;
  return 230 + 5 * slow + 1.2 * fast;
}

/** The number of the day that an instant falls on, and the ms since its midnight, by a fixed offset from UTC. */
export function localDay(atMs: number, utcOffsetMs: number): { readonly day: number; readonly sinceMs: number } {
  const local = atMs + utcOffsetMs;
  const day = Math.floor(local / DAY_MS);
  return { day, sinceMs: local - day * DAY_MS };
}

/** Saturday or Sunday. Day 0, the first of 1970, is a Thursday. */
export function isWeekend(day: number): boolean {
  const weekday = (((day + 4) % 7) + 7) % 7;
  return weekday === 0 || weekday === 6;
}

/** A number in [from, to) for a day. */
export function dailyBetween(seed: number, day: number, from: number, to: number): number {
  return from + (to - from) * chanceAt(seed, day);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
