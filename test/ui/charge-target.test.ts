import { expect, test } from "vitest";
import { targetOf } from "../../src/ui/app/pages/charge-target.ts";

const nowMs = Date.parse("2026-11-29T12:00:00Z");
const input = { amount: 90, time: "07:00", days: [], isLevel: true, nowMs };
const saturday = "2026-12-05T07:00:00.000Z";

test("A target on a date that is set and shown keeps its date when only the level is changed", () => {
  expect(targetOf({ ...input, by: saturday })).toEqual({ kind: "ONCE", by: saturday, soc: 90, energyKwh: null });
});

test("A target whose date is over, or whose time was changed, is for the next such time", () => {
  for (const by of ["2026-11-28T07:00:00.000Z", null]) {
    const target = targetOf({ ...input, by });
    const at = target.kind === "ONCE" ? Date.parse(target.by) : 0;
    expect(at - nowMs).toBeGreaterThan(0);
    expect(at - nowMs).toBeLessThanOrEqual(86_400_000);
  }
});
