import { expect, test } from "vitest";
import type { PointValues } from "../../../src/domain/assets/snapshot.ts";
import { chargerCurrents } from "../../../src/engine/energy/charger-currents.ts";
import type { PointName } from "../../../src/points/points.ts";

const MINUTE = 60_000;

function device(values: Partial<PointValues>, currentsAgeMs: number) {
  const measuredAtMs = (point: PointName) => (point === "charger.power" ? MINUTE : MINUTE - currentsAgeMs);
  return { values, measuredAtMs };
}

const FULL = { "charger.current.l1": 16, "charger.current.l2": 16, "charger.current.l3": 16 };

test("currents that were read with the power count as they are", () => {
  expect(chargerCurrents(device({ ...FULL, "charger.power": 4_140 }, 1_000))).toEqual([16, 16, 16]);
});

test("currents that are older than the power only share it among the phases, so that a limit that is followed is seen", () => {
  expect(chargerCurrents(device({ ...FULL, "charger.power": 4_140 }, 50_000))).toEqual([6, 6, 6]);
  expect(chargerCurrents(device({ ...FULL, "charger.power": 0 }, 50_000))).toEqual([0, 0, 0]);
  const onePhase = { "charger.current.l1": 16, "charger.current.l2": 0, "charger.current.l3": 0 };
  expect(chargerCurrents(device({ ...onePhase, "charger.power": 1_380 }, 50_000))).toEqual([6, 0, 0]);
});

test("old currents of nothing do not hide that a car began to charge since", () => {
  const nothing = { "charger.current.l1": 0, "charger.current.l2": 0, "charger.current.l3": 0 };
  expect(chargerCurrents(device({ ...nothing, "charger.power": 4_140 }, 50_000))).toBeNull();
  expect(chargerCurrents(device({ ...nothing, "charger.power": 0 }, 50_000))).toEqual([0, 0, 0]);
});

test("old currents that were read one after the other in a ramp say nothing about the phases, so that no limit seems ignored", () => {
  for (const [l1, l2, l3] of [
    [0.6, 4.6, 4.6],
    [0, 0, 4.6],
    [16, 16, 6],
    [2.6, 4.6, 6],
  ] as const) {
    const ramp = { "charger.current.l1": l1, "charger.current.l2": l2, "charger.current.l3": l3 };
    expect(chargerCurrents(device({ ...ramp, "charger.power": 4_144 }, 50_000))).toBeNull();
  }
  const almostEven = { "charger.current.l1": 15.8, "charger.current.l2": 16.1, "charger.current.l3": 15.9 };
  expect(chargerCurrents(device({ ...almostEven, "charger.power": 0 }, 50_000))).toEqual([0, 0, 0]);
});

test("a charger that reports no currents, or no power, has what it reports", () => {
  expect(chargerCurrents(device({ "charger.power": 4_140 }, 0))).toBeNull();
  expect(chargerCurrents(device(FULL, 50_000))).toEqual([16, 16, 16]);
  expect(chargerCurrents(device({ "charger.current.l1": 16, "charger.power": 1_380 }, 50_000))).toEqual([
    6,
    null,
    null,
  ]);
});
