import { expect, test } from "vitest";
import { checkFrozen } from "../../../src/domain/checks/frozen-check.ts";
import { type Sample, Source } from "../../../src/domain/checks/house-history.ts";

const SECOND = 1_000;

/** What a device told, second by second; null: no answer came. */
function told(kind: "battery" | "meter" | "inverter", at: (second: number) => Sample["values"] | null): Source {
  const samples = Array.from({ length: 120 }, (_unused, second) => {
    const values = at(second);
    return values === null ? [] : [{ atMs: second * SECOND, values }];
  });
  return new Source(kind, kind, samples.flat());
}

const findings = (...sources: readonly Source[]) => checkFrozen(sources).map(({ deviceId }) => deviceId);
const charge = (second: number) => Number((50 + second / 72).toFixed(1));

test("a battery at its limit whose charge rises is not frozen, whichever of its values came last", () => {
  const battery = told("battery", (second) =>
    second % 5 === 0 ? { "battery.power": 5_000, "battery.soc": charge(second) } : { "battery.power": 5_000 },
  );
  expect(findings(battery)).toEqual([]);
});

test("a charge that no answer told meanwhile is not one that stood still", () => {
  const battery = told("battery", (second) =>
    second === 20 ? { "battery.power": 5_000, "battery.soc": 50.1 } : { "battery.power": 5_000 },
  );
  expect(findings(battery)).toEqual([]);
});

test("nor is one that came again after a gap in which nothing was read", () => {
  const battery = told("battery", (second) =>
    second > 5 && second < 114 ? null : { "battery.power": 4_000, "battery.soc": 50.1, "battery.capacity": 10_240 },
  );
  expect(findings(battery)).toEqual([]);
});

test("a charge that was read again and again and stands still, is", () => {
  const battery = told("battery", (second) => ({
    "battery.power": 5_000,
    ...(second % 5 === 0 && { "battery.soc": 50.1 }),
  }));
  expect(checkFrozen([battery])[0]?.measured).toBe(
    "5000\u00a0W and all other values have not changed for 119\u00a0s, though 160\u00a0Wh should show in its state of charge.",
  );
});

test("a meter that repeats itself while the battery goes up is frozen; not while panels and battery keep each other level", () => {
  const meter = told("meter", () => ({ "meter.power": 400, "meter.voltage.l1": 230 }));
  const up = told("battery", (second) => ({ "battery.power": 10 * second }));
  const sun = told("inverter", (second) => ({ "inverter.power": 10 * second }));
  expect(findings(meter, up)).toEqual(["meter"]);
  expect(findings(meter, up, sun)).toEqual([]);
});

test("a meter that was not read while the house moved is not frozen", () => {
  const meter = told("meter", (second) => (second > 60 ? null : { "meter.power": 400, "meter.voltage.l1": 230 }));
  const later = told("battery", (second) => ({ "battery.power": second > 60 ? 3_000 : 0 }));
  expect(findings(meter, later)).toEqual([]);
});
