import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chargeRateCapability,
  chargeRateFault,
  resolveSetting,
  shownChargeRateLimit,
} from "../../../src/domain/actions/charge-rate-limit.ts";
import type { PointValues } from "../../../src/domain/assets/snapshot.ts";

const CONTROLS = [{ point: "charger.maxCurrent" as const, range: { min: 6, max: 32 } }];
const THREE = { controls: CONTROLS, points: [] };
const ONE = { controls: CONTROLS, points: ["charger.voltage.l1" as const, "charger.current.l1" as const] };

/** The current that a limit is kept with. */
function currentOf(chargeRateLimit: number | null, device: typeof ONE | typeof THREE, values: PointValues = {}) {
  return resolveSetting({ targetType: "charger", chargeRateLimit }, device, values);
}

describe("what a charger can be limited to", () => {
  test("is its range of currents at 230 V on as many phases as it measures, three when it measures none", () => {
    expect(chargeRateCapability(THREE)).toEqual({
      isCapable: true,
      interventionIds: [],
      range: { min: 4.14, max: 22.08 },
    });
    expect(chargeRateCapability(ONE).range).toEqual({ min: 1.38, max: 7.36 });
  });

  test.each([
    ["cannot be set", []],
    ["has no range", [{ point: "charger.maxCurrent" as const }]],
  ])("is nothing when the current %s", (_why, controls) => {
    expect(chargeRateCapability({ controls, points: [] })).toEqual({ isCapable: false, interventionIds: [] });
  });
});

describe("the current that keeps a limit", () => {
  test.each([
    [4.14, 6],
    [7, 10],
    [6.9, 10],
    [6.89, 9],
    [22.08, 32],
  ])("of %d kW on three phases is %d A", (limit, maxCurrent) => {
    expect(currentOf(limit, THREE)).toEqual({ targetType: "charger", chargeRateLimit: limit, maxCurrent });
  });

  test("is less where the charger shows more than 230 V, and no more where it shows less", () => {
    expect(currentOf(2.3, ONE, { "charger.voltage.l1": 240 })).toMatchObject({ maxCurrent: 9 });
    expect(currentOf(2.3, ONE, { "charger.voltage.l1": 0 })).toMatchObject({ maxCurrent: 10 });
    expect(currentOf(2.3, ONE, { "charger.voltage.l1": null })).toMatchObject({ maxCurrent: 10 });
  });

  test("of none is the most that the charger takes", () => {
    expect(currentOf(null, ONE)).toMatchObject({ chargeRateLimit: null, maxCurrent: 32 });
  });

  test("never gives more than the limit, and wastes less than an ampere", () => {
    const limits = fc.double({ min: 1.4, max: 7.3, noNaN: true });
    const voltages = fc.integer({ min: 200, max: 253 });
    fc.assert(
      fc.property(limits, voltages, (limit, volts) => {
        const { maxCurrent } = currentOf(limit, ONE, { "charger.voltage.l1": volts }) as { maxCurrent: number };
        const reckoned = Math.max(230, volts);
        expect((maxCurrent * volts) / 1_000).toBeLessThanOrEqual(limit + 1e-9);
        expect(((maxCurrent + 1) * reckoned) / 1_000).toBeGreaterThan(limit);
      }),
    );
  });

  test("of another setting is left alone", () => {
    const setting = { targetType: "charger", maxCurrent: 7.5 } as const;
    expect(resolveSetting(setting, ONE, {})).toBe(setting);
  });
});

describe("a limit that cannot be kept", () => {
  const faultOf = (chargeRateLimit: number | null, maxCurrent: number, device = ONE as typeof ONE | typeof THREE) =>
    chargeRateFault({ chargeRateLimit, maxCurrent }, device, chargeRateCapability(device));

  test("is refused with the range of the limit", () => {
    const words = "The charge rate limit of this charger must be between 1.38 and 7.36 kW.";
    expect([faultOf(1.3, 5), faultOf(7.4, 32)]).toEqual([words, words]);
    expect([faultOf(1.38, 6), faultOf(7.36, 32), faultOf(null, 32)]).toEqual([null, null, null]);
  });

  test("is refused with the current when it is too low at the present voltage", () => {
    expect(faultOf(1.4, 5)).toBe(
      "At the present voltage 1.4 kW is 5 A; this charger needs at least 6 A. Set a higher limit, or stop charging.",
    );
  });

  test("is refused when the charger accepts no current", () => {
    expect(faultOf(7, 30, { controls: [], points: [] })).toMatch("does not offer this command");
  });
});

describe("the limit that is shown", () => {
  const shown = (values: PointValues) => shownChargeRateLimit(chargeRateCapability(THREE), values);

  test("is what the set current amounts to, whoever set it", () => {
    expect(shown({ "charger.maxCurrent": 10 })).toBe(6.9);
  });

  test.each([[32], [31.95], [null]])("is none at a current of %s", (current) => {
    expect(shown({ "charger.maxCurrent": current })).toBeNull();
  });
});
