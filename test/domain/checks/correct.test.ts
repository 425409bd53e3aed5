import { expect, test } from "vitest";
import { correct } from "../../../src/domain/checks/correct.ts";
import type { Fix } from "../../../src/domain/checks/finding.ts";
import type { Reading } from "../../../src/points/points.ts";

const READINGS: readonly Reading[] = [
  { point: "meter.power", value: 0 },
  { point: "meter.power.l1", value: 100.1 },
  { point: "meter.power.l2", value: null },
  { point: "meter.power.l3", value: -3 },
  { point: "battery.status", value: "IDLE" },
];

test("a direction is turned, and nothing becomes minus nothing", () => {
  const turned = correct(READINGS, [
    { kind: "invert", deviceId: "m", points: ["meter.power", "meter.power.l1", "meter.power.l2", "battery.status"] },
  ]);
  expect(turned.map(({ value }) => value)).toEqual([0, -100.1, null, -3, "IDLE"]);
});

test("a factor leaves no dust of binary fractions", () => {
  const scaled = correct(READINGS, [{ kind: "scale", deviceId: "m", points: ["meter.power.l1"], factor: 0.1 }]);
  expect(scaled[1]?.value).toBe(10.01);
});

test("phases are put where they are in the house", () => {
  const moved = correct(READINGS, [{ kind: "phases", deviceId: "m", order: [1, 2, 0] }]);
  expect(moved.slice(1, 4)).toEqual([
    { point: "meter.power.l2", value: 100.1 },
    { point: "meter.power.l3", value: null },
    { point: "meter.power.l1", value: -3 },
  ]);
});

test("what is hidden is not taken, and fixes follow each other", () => {
  const left = correct(READINGS, [
    { kind: "hide", deviceId: "m", assetKind: "meter" },
    { kind: "invert", deviceId: "m", points: ["meter.power"] },
  ]);
  expect(left).toEqual([{ point: "battery.status", value: "IDLE" }]);
});

test("all power of a meter with one phase turned is the sum of the phases", () => {
  const fix: Fix = { kind: "invert", deviceId: "m", points: ["meter.power.l3"] };
  const whole: readonly Reading[] = [
    { point: "meter.power", value: 400.1 },
    { point: "meter.power.l1", value: 100.1 },
    { point: "meter.power.l2", value: 400 },
    { point: "meter.power.l3", value: -100 },
  ];
  expect(correct(whole, [fix]).map(({ value }) => value)).toEqual([600.1, 100.1, 400, 100]);
  expect(correct(READINGS, [fix])[0]).toEqual({ point: "meter.power", value: null });
  expect(correct(whole.slice(0, 1), [fix])).toEqual([]);
});
