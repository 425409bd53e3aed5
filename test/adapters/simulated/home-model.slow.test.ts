import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HomeModel } from "../../../adapters/simulated/home-model.ts";
import type { HomeTruth } from "../../../adapters/simulated/home-truth.ts";
import { HOUR_MS, makeHome, NIGHT_MS, SUMMER_NOON_MS, steady } from "./make-home.ts";

const steps = fc.array(fc.integer({ min: 1, max: 2_400_000 }), { minLength: 1, maxLength: 10 });
const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });

/** Wh that the powers put in and what they took out; 0 when nothing was lost or made. */
function imbalance({ energies: e }: HomeTruth): number {
  const made = e.strings[0] + e.strings[1] + e.batteryDischarged + e.imported;
  return made - e.load - e.car - e.batteryCharged - e.exported;
}

describe("over steps of any length", () => {
  test("energy is neither lost nor made", () => {
    fc.assert(
      fc.property(fc.integer(), start, steps, (seed, startMs, lengths) => {
        const home = makeHome({ seed, startMs, hasCar: true });
        for (const length of lengths) home.step(length);
        const { energies } = home.truth();
        const throughput = energies.load + energies.car + energies.strings[0] + energies.imported;
        expect(Math.abs(imbalance(home.truth()))).toBeLessThan(1e-6 * Math.max(1, throughput));
      }),
      { numRuns: 25 },
    );
  });

  test("in each instant the grid is load and car and battery less panels", () => {
    fc.assert(
      fc.property(fc.integer(), start, steps, (seed, startMs, lengths) => {
        const home = makeHome({ seed, startMs, hasCar: true });
        for (const length of lengths) {
          home.step(length);
          const { gridW, gridPhasesW, loadW, carW, batteryW, pvW, acW } = home.truth();
          expect(gridW).toBeCloseTo(loadW + carW + batteryW - pvW, 6);
          expect(gridPhasesW[0] + gridPhasesW[1] + gridPhasesW[2]).toBeCloseTo(gridW, 6);
          expect(acW).toBeCloseTo(pvW - batteryW, 6);
        }
      }),
      { numRuns: 10 },
    );
  });

  test("the battery holds what went in and out, less its losses, and stays within empty and full", () => {
    fc.assert(
      fc.property(fc.integer(), start, steps, (seed, startMs, lengths) => {
        const home = makeHome({ seed, startMs, hasCar: true });
        const before = home.truth().batteryStoredWh;
        for (const length of lengths) {
          home.step(length);
          expect(home.truth().batterySoc).toBeGreaterThanOrEqual(7 - 1e-9);
          expect(home.truth().batterySoc).toBeLessThanOrEqual(100);
        }
        const { energies, batteryStoredWh } = home.truth();
        const oneWay = Math.sqrt(0.92);
        const expected = before + energies.batteryCharged * oneWay - energies.batteryDischarged / oneWay;
        expect(Math.abs(batteryStoredWh - expected)).toBeLessThan(1e-6 * expected);
      }),
      { numRuns: 10 },
    );
  });

  test("no counter ever falls", () => {
    fc.assert(
      fc.property(fc.integer(), start, steps, (seed, startMs, lengths) => {
        const home = makeHome({ seed, startMs, hasCar: true });
        for (const length of lengths) {
          const before = Object.values(home.truth().energies).flat();
          home.step(length);
          const after = Object.values(home.truth().energies).flat();
          for (const [index, value] of after.entries()) expect(value).toBeGreaterThanOrEqual(before[index]!);
        }
      }),
      { numRuns: 10 },
    );
  });
});

function halfDayOf(seed: number): HomeTruth[] {
  const home = makeHome({ seed, hasCar: true });
  return Array.from({ length: 12 }, () => {
    home.step(HOUR_MS);
    return home.truth();
  });
}

test("the same seed lives the same hours, another seed others", () => {
  expect(halfDayOf(1)).toEqual(halfDayOf(1));
  expect(halfDayOf(1)).not.toEqual(halfDayOf(2));
});

test("a day in whole seconds is the same however it is stepped", () => {
  const [once, often] = [makeHome({ hasCar: true }), makeHome({ hasCar: true })];
  once.step(6 * HOUR_MS);
  for (let second = 0; second < 6 * 3_600; second++) often.step(1_000);
  expect(often.truth()).toEqual(once.truth());
});

describe("the battery by itself", () => {
  test("takes what the panels leave over, up to its limit, and the rest goes to the grid", () => {
    const home = makeHome({ profile: steady(500, 800) });
    home.step(60_000);
    const { pvW, batteryW, gridW } = home.truth();
    expect([pvW, batteryW, gridW]).toEqual([6_800, 5_000, -1_300]);
  });

  test("gives what the house lacks, and imports nothing while it can", () => {
    const home = makeHome({ profile: steady(1_200, 0) });
    home.step(60_000);
    expect(home.truth()).toMatchObject({ batteryW: -1_200, gridW: 0 });
  });

  test("stops at its reserve, and the grid takes over", () => {
    const home = makeHome({ profile: steady(2_000, 0) });
    home.step(4 * HOUR_MS);
    expect(home.truth().batterySoc).toBeCloseTo(7, 6);
    expect(home.truth()).toMatchObject({ batteryW: 0, gridW: 2_000 });
  });

  test("follows a jump of the load a moment later, so the meter sees the jump", () => {
    let loadW = 200;
    const home = makeHome({ profile: { loadW: () => loadW, sunWPerKw: () => 0 } });
    home.step(10_000);
    loadW = 2_200;
    home.step(1_000);
    expect(home.truth().gridW).toBe(2_000);
    home.step(1_000);
    expect(home.truth().gridW).toBe(0);
  });
});

describe("a full battery and a limit of the output", () => {
  const limited = (limit: number): HomeModel => {
    const home = makeHome({ profile: steady(500, 800) });
    const controls = home.inverterControls();
    home.setInverterControls({ ...controls, output: { ...controls.output, limit, isLimited: true } });
    return home;
  };

  test("light over the limit goes into the battery first", () => {
    const home = limited(20);
    home.step(60_000);
    expect(home.truth()).toMatchObject({ acW: 1_800, pvW: 6_800, batteryW: 5_000 });
    home.step(2 * HOUR_MS);
    expect(home.truth()).toMatchObject({ acW: 2_000, pvW: 2_000, batteryW: 0, batterySoc: 100 });
  });

  test("at a limit of zero nothing leaves the inverter", () => {
    const home = limited(0);
    home.step(3 * HOUR_MS);
    expect(home.truth()).toMatchObject({ acW: 0, pvW: 0, batteryW: 0, gridW: 500 });
  });
});

describe("the car", () => {
  test("is at home when the house starts, charges after a moment, and is full in the end", () => {
    const home = makeHome({ hasCar: true, startMs: NIGHT_MS, profile: steady(300, 0) });
    home.step(3_000);
    expect(home.truth()).toMatchObject({ isCarPluggedIn: true, carW: 0 });
    expect(home.chargerBox().state).toBe("ready");
    home.step(60_000);
    expect(home.chargerBox()).toMatchObject({ state: "charging", currentA: 16 });
    expect(home.truth().carW).toBeCloseTo(16 * home.truth().voltages.reduce((sum, volt) => sum + volt), -1);
    home.step(4 * HOUR_MS);
    expect(home.truth()).toMatchObject({ carW: 0, carStoredWh: 60_000 });
    expect(home.chargerBox().state).toBe("ready");
  });

  test("comes and goes over days, and comes back with less", () => {
    const home = makeHome({ hasCar: true, startMs: Date.UTC(2026, 5, 22), profile: steady(300, 0) });
    let arrivals = 0;
    for (let minute = 0; minute < 4 * 24 * 60; minute += 10) {
      const before = home.truth();
      home.step(600_000);
      const isArrival = !before.isCarPluggedIn && home.truth().isCarPluggedIn;
      if (isArrival) expect(home.truth().carStoredWh).toBeLessThan(before.carStoredWh);
      if (isArrival) arrivals += 1;
    }
    expect(arrivals).toBeGreaterThanOrEqual(2);
    expect(arrivals).toBeLessThanOrEqual(4);
  });

  test("without a car the charger never gives anything", () => {
    const home = makeHome({ hasCar: false, startMs: SUMMER_NOON_MS });
    home.step(48 * HOUR_MS);
    expect(home.truth()).toMatchObject({ isCarPluggedIn: false, energies: { car: 0 } });
  });
});
