import { HOUR_MS, MINUTE_MS } from "hemgate/sdk";
import { chanceAt, seedFor, smoothAt } from "./noise.ts";
import { dailyBetween, isWeekend, localDay } from "./weather.ts";

const FRIDGE_MS = 47 * MINUTE_MS;

/** One use of an appliance: from when (ms since midnight), how long, and its power. */
interface Use {
  readonly startMs: number;
  readonly durationMs: number;
  readonly powerW: number;
  /** A thermostat switches it: ms on, of a period in ms. Absent: it runs through. */
  readonly cycle?: { readonly onMs: number; readonly periodMs: number };
}

/**
 * What the people in the house use at an instant, W: base, fridge, lights, cooking, washing, the kettle. Never below
 * 120. The answer depends on the seed and the instant only; the uses of the latest day are kept to save work.
 */
export function householdLoad(seed: number, utcOffsetMs: number): (atMs: number) => number {
  const [standby, flicker] = [seedFor(seed, "standby"), seedFor(seed, "flicker")];
  const fridgePhaseMs = chanceAt(seedFor(seed, "fridge"), 0) * FRIDGE_MS;
  let today: { readonly day: number; readonly uses: readonly Use[] } | null = null;
  return (atMs) => {
    const { day, sinceMs } = localDay(atMs, utcOffsetMs);
    if (today?.day !== day) today = { day, uses: [...lightsOfDay(seed, day), ...usesOfDay(seed, day)] };
    const base = 140 + 60 * smoothAt(standby, atMs / (20 * MINUTE_MS));
    const noise = 40 * (smoothAt(flicker, atMs / 4_000) - 0.5);
    const fridge = (atMs + fridgePhaseMs) % FRIDGE_MS < 0.38 * FRIDGE_MS ? 95 : 0;
    let sum = base + noise + fridge;
    for (const use of today.uses) sum += powerOfUse(use, sinceMs);
    return sum;
  };
}

/** A few lamps while somebody is awake, and the evening's light and screens. */
function lightsOfDay(seed: number, day: number): readonly Use[] {
  const wakeMs = dailyBetween(seedFor(seed, "wake"), day, 6 * HOUR_MS, 7.5 * HOUR_MS);
  const bedMs = dailyBetween(seedFor(seed, "bed"), day, 22 * HOUR_MS, 23.7 * HOUR_MS);
  const eveningMs = 17.5 * HOUR_MS;
  return [
    { startMs: wakeMs, durationMs: bedMs - wakeMs, powerW: 80 },
    { startMs: eveningMs, durationMs: bedMs - eveningMs, powerW: 180 },
  ];
}

function usesOfDay(seed: number, day: number): readonly Use[] {
  const chance = (name: string): number => chanceAt(seedFor(seed, name), day);
  const uses: Use[] = [];
  for (const [name, hour] of [["early", 6.6] as const, ["late", 9.5] as const, ["tea", 16] as const]) {
    const startMs = (hour + 0.8 * chance(`kettle ${name}`)) * HOUR_MS;
    uses.push({ startMs, durationMs: 3.2 * MINUTE_MS, powerW: 2_050 });
  }
  const isCookingLunch = isWeekend(day) || chance("lunch") < 0.3;
  if (isCookingLunch) uses.push(cooking((11.6 + 0.8 * chance("lunch at")) * HOUR_MS, 0.6));
  uses.push(cooking((18 + 1.2 * chance("dinner at")) * HOUR_MS, 0.7 + 0.4 * chance("dinner long")));
  if (chance("wash") < 0.4) {
    const startMs = (9 + 6 * chance("wash at")) * HOUR_MS;
    uses.push({ startMs, durationMs: 22 * MINUTE_MS, powerW: 2_000 });
    uses.push({ startMs: startMs + 22 * MINUTE_MS, durationMs: 70 * MINUTE_MS, powerW: 220 });
  }
  if (chance("dishes") < 0.6) {
    const startMs = (20 + chance("dishes at")) * HOUR_MS;
    const cycle = { onMs: 18 * MINUTE_MS, periodMs: 55 * MINUTE_MS };
    uses.push({ startMs, durationMs: 110 * MINUTE_MS, powerW: 1_900, cycle });
  }
  return uses;
}

function cooking(startMs: number, hours: number): Use {
  return { startMs, durationMs: hours * HOUR_MS, powerW: 2_300, cycle: { onMs: 70_000, periodMs: 110_000 } };
}

function powerOfUse(use: Use, sinceMs: number): number {
  const runMs = sinceMs - use.startMs;
  if (runMs < 0 || runMs >= use.durationMs) return 0;
  if (use.cycle === undefined) return use.powerW;
  return runMs % use.cycle.periodMs < use.cycle.onMs ? use.powerW : 0;
}
