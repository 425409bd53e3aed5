import { expect, test } from "vitest";
import { allocate } from "../../../src/domain/energy/cycle/charger-allocation.ts";
import { chargerState } from "../../../src/domain/energy/cycle/charger-state.ts";
import { EMPTY_CHARGER_MEMORY } from "../../../src/domain/energy/cycle/cycle-memory.ts";
import type { LimitRow } from "../../../src/domain/energy/cycle/limit-row.ts";
import { makeCharger } from "./makers.ts";

const NOW_MS = 1_000_000;

/** A charger that draws 10 A, beside a fuse that leaves the chargers `freeA`; surplus keeps it at 8 A, and lets it rise to 12 A. */
function shares(freeA: number) {
  const view = makeCharger({
    ...{ currentA: [10, 10, 10], powerW: 6_900, offeredA: 10 },
    isEnabled: true,
    measuredAtMs: NOW_MS,
  });
  const charger = chargerState(view, undefined, { nowMs: NOW_MS, gridAtMs: NOW_MS });
  expect(charger).toMatchObject({ isOn: true, offerA: 10 });
  const reason = { code: "surplus", subject: null, untilMs: null } as const;
  const target = { keepA: 8, riseA: 12, reason, memory: EMPTY_CHARGER_MEMORY };
  const taken = { surelyTaken: 20 - freeA, maybeTaken: 20 - freeA, measured: 20 - freeA + 10 };
  const row: LimitRow = {
    ...{ key: "fuse L1", code: "fuse", subject: "L1", untilMs: null, limit: 20, target: 20, perAmp: [1], isHard: true },
    ...{ ...taken, deadlines: [] },
  };
  return allocate([{ charger, target }], [row], () => false)[0];
}

test("A charger that waits for more surplus is not told to wait for the fuse", () => {
  expect(shares(18)).toMatchObject({ cutA: 8, shortRow: null });
});

test("A charger that the fuse leaves less than the surplus is told so", () => {
  expect(shares(11)).toMatchObject({ cutA: 8, shortRow: { code: "fuse" } });
});
