import { describe, expect, test } from "vitest";
import type { CheckKind } from "../../../src/domain/checks/finding.ts";
import { sunElevation } from "../../../src/domain/checks/sun-elevation.ts";
import type { Phase } from "../../../src/domain/energy/site/site-connection.ts";
import { type DeviceName, frozen, onlyTwinless, type Swap, type Told, times, watchHouse } from "./model-house.ts";

const NOON = "2026-06-21T10:30:00Z";
const EVENING = "2026-06-21T15:30:00Z";
const DARK = "2026-01-14T17:30:00Z";

/** Panels and battery are called what the other is. */
const exchanged = onlyTwinless((device, told, truth) => {
  if (device === "panels") return { ...told, "inverter.power": Math.round(truth.batteryW) };
  return device === "battery" ? { ...told, "battery.power": Math.round(truth.pvW) } : told;
});

/** The charger's L1 is the house's L2, and so on. */
const turned = onlyTwinless((device, told) => {
  if (device !== "charger") return told;
  const now = { ...told };
  for (const quantity of ["voltage", "current"]) {
    [2, 3, 1].forEach((from, line) => {
      now[`charger.${quantity}.l${line + 1}`] = told[`charger.${quantity}.l${from}`] ?? 0;
    });
  }
  return now;
});

/** Clamps of the grid meter that are turned round, by line from 0. */
function turnedClamps(...lines: readonly number[]): Swap {
  return onlyTwinless((device, told, { gridPhasesW }) =>
    device === "meter"
      ? metered(
          told,
          gridPhasesW.map((powerW, line) => (lines.includes(line) ? -powerW : powerW)),
        )
      : told,
  );
}

/** Clamps on other phases than their voltages: what flows there, a third of a turn away. */
function movedClamps(...from: readonly number[]): Swap {
  return onlyTwinless((device, told, { gridPhasesW }) =>
    device === "meter"
      ? metered(
          told,
          from.map((at, line) => (gridPhasesW[at as 0 | 1 | 2] ?? 0) * (at === line ? 1 : -0.5)),
        )
      : told,
  );
}

/** What a meter tells whose phases read so; its counters are left out. */
function metered(told: Told, phasesW: readonly number[]): Told {
  const [l1 = 0, l2 = 0, l3 = 0] = phasesW;
  const live = Object.fromEntries(Object.entries(told).filter(([point]) => !point.includes("energy")));
  return { ...live, "meter.power": l1 + l2 + l3, "meter.power.l1": l1, "meter.power.l2": l2, "meter.power.l3": l3 };
}

type Case = readonly [name: string, check: CheckKind, device: DeviceName, swap: () => Swap, isSolar?: boolean];
const CASES: readonly Case[] = [
  ["the grid's direction", "sign", "meter", () => times("meter", /^meter\.power/, -1)],
  ["the panels' direction", "sign", "panels", () => times("panels", /power/, -1), true],
  ["the battery's direction", "sign", "battery", () => times("battery", /power/, -1)],
  ["the charger's direction", "sign", "charger", () => times("charger", /power/, -1)],
  ["one clamp of the grid's", "sign", "meter", () => turnedClamps(1)],
  ["two clamps of the grid's", "sign", "meter", () => turnedClamps(0, 2)],
  ["two clamps exchanged", "phase", "meter", () => movedClamps(1, 0, 2)],
  ["all clamps one phase on", "phase", "meter", () => movedClamps(1, 2, 0)],
  ["the grid times ten", "scale", "meter", () => times("meter", /^meter\.power/, 10)],
  ["the grid in kW", "scale", "meter", () => times("meter", /^meter\.power/, 0.001)],
  ["the panels times ten", "scale", "panels", () => times("panels", /power/, 10), true],
  ["a tenth of the panels", "scale", "panels", () => times("panels", /power/, 0.1), true],
  ["the battery times ten", "scale", "battery", () => times("battery", /power/, 10)],
  ["a tenth of the battery", "scale", "battery", () => times("battery", /power/, 0.1)],
  ["the charger in kW", "scale", "charger", () => times("charger", /power/, 0.001)],
  ["a counter in kWh", "scale", "meter", () => times("meter", /energy/, 0.001)],
  ["a tenth of the volts", "scale", "meter", () => times("meter", /voltage/, 0.1)],
  ["the charger's phases", "phase", "charger", () => turned],
  ["panels and battery exchanged", "role", "panels", () => exchanged],
  ["a meter that stands still", "frozen", "meter", () => frozen("meter")],
  ["panels that stand still", "frozen", "panels", () => frozen("panels"), true],
  ["a battery that stands still", "frozen", "battery", () => frozen("battery")],
  ["the panels a second time", "duplicate", "twin", () => (_device, told) => told, true],
];

describe("what is wrong in a house is found within three minutes", () => {
  const seeds = [1, 2];
  const runs = CASES.flatMap(([name, check, device, swap, isSolar = false]) =>
    [NOON, EVENING, ...(isSolar ? [] : [DARK])].flatMap((start) =>
      seeds.map((seed) => {
        const found = watchHouse({ start, seed, seconds: 180, isTried: true, isDark: start === DARK, swap: swap() });
        const isFound = found.some((finding) => finding.check === check && finding.deviceId === device);
        const others = found.filter((finding) => finding.deviceId !== device && finding.fix !== null);
        return { name: `${name}, ${start}, seed ${seed}`, isFound, others };
      }),
    ),
  );

  test("at least 95 % of all", () => {
    const missed = runs.filter(({ isFound }) => !isFound).map(({ name }) => name);
    expect(missed.length / runs.length, missed.join("; ")).toBeLessThanOrEqual(0.05);
  });

  test("and no other device is blamed with a fix", () => {
    expect(runs.filter(({ others }) => others.length > 0).map(({ name, others }) => [name, others])).toEqual([]);
  });
});

test.each([NOON, EVENING, DARK])("a house in which nothing is wrong has no findings from %s", (start) => {
  for (const seed of [3, 4]) {
    expect(watchHouse({ start, seed, seconds: 2_400, isTried: seed === 4, isDark: start === DARK })).toEqual([]);
  }
});

test("A charger whose phases are turned as its owner has declared is right, and wrong as something else was declared", () => {
  const watch = { start: EVENING, seed: 1, seconds: 180, isTried: true, swap: turned };
  const found = (phases: readonly Phase[]) =>
    watchHouse({ ...watch, wiring: new Map([["charger", phases]]) }).filter(({ check }) => check === "phase");
  expect(found(["L2", "L3", "L1"])).toEqual([]);
  expect(found(["L3", "L1", "L2"])).toMatchObject([{ deviceId: "charger", fix: null }]);
});

test.each([
  ["noon at the solstice in Munich", "2026-06-21T11:16:00Z", 48.14, 11.58, 65.3],
  ["midnight there", "2026-06-21T23:16:00Z", 48.14, 11.58, -18.4],
  ["noon at the equator at the equinox", "2026-03-20T12:07:00Z", 0, 0, 90],
  ["Sydney's winter noon", "2026-06-21T01:57:00Z", -33.87, 151.2, 32.7],
])("the sun stands right: %s", (_name, at, latitude, longitude, elevation) => {
  expect(Math.abs(sunElevation(Date.parse(at), { latitude, longitude }) - elevation)).toBeLessThan(0.4);
});
