/** One home of the fixtures in quarter hours: load, panels, weather, stays of the car, and prices. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HOUR_MS } from "../src/domain/duration.ts";
import type { PlanBattery, PlanHeat, PlanVehicle } from "../src/domain/energy/plan/plan-inputs.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";

/** The first row is 31 July, 24 h; the days of the week of the file are those of 2016. */
export const START_MS = Date.UTC(2016, 6, 31, 23);
export const STEP_MS = 15 * 60_000;
export const STEP_HOURS = 0.25;
export const STEPS_OF_DAY = 96;
const STEPS_OF_HOUR = 4;
const PEAK_KW = 6;

export const BATTERY: Omit<PlanBattery, "storedKwh" | "endValuePerKwh" | "mayDischargeToGrid"> = {
  id: "battery",
  minKwh: 0.5,
  maxKwh: 10,
  maxChargeKw: 5,
  maxDischargeKw: 5,
  chargeEfficiency: 0.95,
  dischargeEfficiency: 0.95,
  wearPerKwh: 0.01,
  mayChargeFromGrid: true,
};
export const CAR: Omit<PlanVehicle, "storedKwh" | "plugged" | "targets"> = {
  id: "car",
  maxKwh: 60,
  minKw: 0,
  maxKw: 11,
  chargeEfficiency: 0.92,
  trips: [],
  isSurplusOnly: false,
  endValuePerKwh: 0,
};
export const HEAT: Omit<PlanHeat, "temperatureC" | "slots"> = {
  id: "heat-pump",
  maxKw: 3,
  heatCapacityKwhPerK: 6,
  heatLossKwPerK: 0.25,
};
/** The thermostat keeps the lower one; a plan may store heat up to the upper one, °C. */
export const COMFORT = { minC: 20.5, maxC: 23 };
const GAIN_KW = 0.4;

/** A stay of the car: steps from its arrival to its departure, and what it needs until then, kWh in its battery. */
export interface Stay {
  readonly from: number;
  readonly to: number;
  readonly neededKwh: number;
}

export interface Home {
  readonly steps: number;
  readonly loadKw: Float64Array;
  readonly pvKw: Float64Array;
  readonly outdoorC: Float64Array;
  readonly stays: readonly Stay[];
  readonly timeOfUse: Float64Array;
  /** Market price of a day ahead, in step with the real sun of its days. */
  readonly spot: Float64Array;
}

/** The outdoor part of a heated slot. */
export function heatSlot(outdoorC: number): PlanHeat["slots"][number] {
  return {
    outdoorC,
    heatPerPower: Math.min(5, Math.max(2.2, 3.2 + 0.08 * (outdoorC - 7))),
    gainKw: GAIN_KW,
    ...COMFORT,
  };
}

export function readHome(): Home {
  const fixtures = process.env["HEMGATE_FIXTURES"];
  if (fixtures === undefined) throw new Error("set HEMGATE_FIXTURES to the folder of recordings");
  const table = (name: string) =>
    readFileSync(join(fixtures, "homes", name), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
  const home = table("Building_1.csv");
  const column = (rows: readonly string[][], index: number, scale = 1) =>
    inSteps(rows.map((row) => Number(row[index]) * scale));
  const pvKw = column(home, 11, PEAK_KW / 1_000);
  return {
    steps: home.length * STEPS_OF_HOUR,
    loadKw: column(home, 7),
    pvKw,
    outdoorC: column(table("weather.csv"), 0),
    stays: staysOf(table("charger_1_1.csv")),
    timeOfUse: column(table("pricing.csv"), 0),
    spot: spotOf(pvKw),
  };
}

function inSteps(hours: readonly number[]): Float64Array {
  return Float64Array.from(
    { length: hours.length * STEPS_OF_HOUR },
    (_, step) => hours[Math.floor(step / STEPS_OF_HOUR)]!,
  );
}

/** State 1 is plugged in, 2 the hour of an arrival, with the state of charge that it comes with. */
function staysOf(rows: readonly string[][]): readonly Stay[] {
  const stays: Stay[] = [];
  for (let hour = 1; hour < rows.length; hour++) {
    const arrival = rows[hour - 1]!;
    if (arrival[0] !== "2" || rows[hour]![0] !== "1") continue;
    let end = hour;
    while (rows[end]?.[0] === "1") end++;
    const neededKwh = Math.max(0, ((Number(rows[end - 1]![5]) - Number(arrival[7])) / 100) * CAR.maxKwh);
    stays.push({ from: hour * STEPS_OF_HOUR, to: end * STEPS_OF_HOUR, neededKwh });
    hour = end;
  }
  return stays;
}

/**
 * A made-up market: dear in the morning and the evening, cheap at night, and below zero in sunny hours of some days. The
 * fixtures have no market prices.
 */
function spotOf(pvKw: Float64Array): Float64Array {
  const random = new SeededRandom("economics");
  const spot = new Float64Array(pvKw.length);
  let level = 0;
  let sunny = 1;
  for (let step = 0; step < spot.length; step++) {
    if (step % STEPS_OF_DAY === 0) {
      level = 0.7 * level + random.between(-0.025, 0.025);
      sunny = random.between(0.4, 1.6);
    }
    const hour = ((step + 92) % STEPS_OF_DAY) / STEPS_OF_HOUR;
    const shape = 0.09 + 0.05 * bump(hour, 8, 1.6) + 0.11 * bump(hour, 19, 2) - 0.02 * bump(hour, 3, 2.5);
    spot[step] = shape + level - (0.17 * sunny * pvKw[step]!) / PEAK_KW;
  }
  return spot;
}

function bump(hour: number, middle: number, width: number): number {
  return Math.exp(-(((hour - middle) / width) ** 2));
}

/** Steps of which day-ahead prices are known at a step: to the end of today, and of tomorrow from 13:00 on. */
export function knownUntil(step: number): number {
  const shifted = step + 92;
  const ofDay = shifted % STEPS_OF_DAY;
  return step - ofDay + STEPS_OF_DAY * (ofDay >= 13 * STEPS_OF_HOUR ? 2 : 1);
}

export function timeOf(step: number): number {
  return START_MS + (step / STEPS_OF_HOUR) * HOUR_MS;
}
