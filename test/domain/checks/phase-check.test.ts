/** A charger on one phase, whose power shows on the phase of the meter that it hangs on. */
import { expect, test } from "vitest";
import { type Sample, Source } from "../../../src/domain/checks/house-history.ts";
import { checkPhases } from "../../../src/domain/checks/phase-check.ts";
import type { Phase } from "../../../src/domain/energy/site/site-connection.ts";

const VOLTS = 230;
const CAR_A = 16;

/** Three minutes in which a car on L2 starts and stops; the charger calls its only phase L1. */
function houseOnL2(): readonly Source[] {
  const seconds = Array.from({ length: 180 }, (_, second) => second);
  const carA = (second: number): number => (second >= 60 && second < 120 ? CAR_A : 0);
  const meter = seconds.map((second): Sample => {
    const [l1, l2, l3] = [300 + (second % 7), 200 + carA(second) * VOLTS, 100 + (second % 5)];
    const values = { "meter.power": l1 + l2 + l3, "meter.power.l1": l1, "meter.power.l2": l2, "meter.power.l3": l3 };
    return { atMs: second * 1_000, values };
  });
  const charger = seconds.map((second): Sample => {
    const values = { "charger.power": carA(second) * VOLTS, "charger.current.l1": carA(second) };
    return { atMs: second * 1_000, values };
  });
  return [new Source("meter", "meter", meter), new Source("box", "charger", charger)];
}

function found(phases: readonly Phase[] | null) {
  return checkPhases(houseOnL2(), phases === null ? undefined : new Map([["box", phases]]));
}

test("A charger on one phase that is declared on L2, and draws there, is not reported", () => {
  expect(found(["L2"])).toEqual([]);
});

test("The same charger is reported if nothing is declared, with the order that would explain it", () => {
  expect(found(null)).toMatchObject([{ check: "phase", deviceId: "box", against: "meter", fix: { kind: "phases" } }]);
});

test("If it is declared on another phase it is reported without a fix: the declaration is what has to change", () => {
  expect(found(["L3"])).toMatchObject([{ check: "phase", deviceId: "box", against: "meter", fix: null }]);
});
