import { DAY_MS, HOUR_MS } from "hemgate/sdk";
import { chanceAt, seedFor, smoothAt } from "./noise.ts";

/** What the sky and the street's grid do at an instant. */
export interface Weather {
  /** The share of a clear sky's light that reaches the roof, 0.12 to 1. */
  transmittance(atMs: number): number;
  /** Frequency of the grid, Hz: it wanders a few hundredths around 50. */
  frequencyHz(atMs: number): number;
  /** Voltage of a phase of the street without this house's own current, V. */
  voltageV(atMs: number, phase: 0 | 1 | 2): number;
}

/** Each seed has its own weather; it depends on the instant only. */
export function weatherOf(seed: number): Weather {
  const [front, field, wisp] = [seedFor(seed, "front"), seedFor(seed, "field"), seedFor(seed, "wisp")];
  const wander = seedFor(seed, "frequency");
  const streets = [seedFor(seed, "street1"), seedFor(seed, "street2"), seedFor(seed, "street3")] as const;
  const flickers = [seedFor(seed, "flicker1"), seedFor(seed, "flicker2"), seedFor(seed, "flicker3")] as const;
  return {
    transmittance(atMs) {
      const cover = smoothAt(front, atMs / (9 * HOUR_MS)) ** 1.3;
      const cloud = smoothAt(field, atMs / (0.35 * HOUR_MS)) - 0.5;
      const haze = smoothAt(wisp, atMs / (0.03 * HOUR_MS)) - 0.5;
      // Between a clear and a closed sky single clouds pass: the threshold turns the field into sun and shade.
      const shade = (cover + 0.35 * cloud + 0.12 * haze - 0.3) / 0.45;
      return 1 - 0.88 * Math.min(1, Math.max(0, shade));
    },
    frequencyHz: (atMs) => 50 + 0.06 * (smoothAt(wander, atMs / 40_000) - 0.5),
    voltageV(atMs, phase) {
      const slow = smoothAt(streets[phase], atMs / (0.5 * HOUR_MS)) - 0.5;
      const fast = smoothAt(flickers[phase], atMs / 20_000) - 0.5;
      return 230 + 5 * slow + 1.2 * fast;
    },
  };
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
