import { describe, expect, test } from "vitest";
import { planTest, type TestedDevice, type TestSurroundings } from "../../../src/domain/setup/control-test.ts";

const QUIET: TestSurroundings = {
  site: { phases: 3, fuseA: 35, importKw: 24, peakKw: null, exportKw: 10 },
  gridW: 500,
  gridA: 2,
  isOperatorLimited: false,
  isLimited: false,
  isRegulated: () => false,
  isOthers: () => false,
  isBusy: false,
};
const COMMON = { isReachable: true, mayCommand: true };
const CHARGER: TestedDevice = {
  ...COMMON,
  kind: "charger",
  controls: [{ point: "charger.enabled" }, { point: "charger.maxCurrent", range: { min: 6, max: 32 } }],
  values: { "charger.maxCurrent": 16, "charger.enabled": true, "charger.power": 11_000 },
};
const BATTERY: TestedDevice = {
  ...COMMON,
  kind: "battery",
  controls: [{ point: "battery.mode", values: ["SELF_RELIANCE", "IDLE"] }],
  values: { "battery.mode": "SELF_RELIANCE", "battery.power": -3_000 },
};
const INVERTER: TestedDevice = {
  ...COMMON,
  kind: "inverter",
  controls: [{ point: "inverter.powerLimit", range: { min: 0, max: 100 } }],
  values: { "inverter.powerLimit": 60, "inverter.power": 5_000 },
};
const HEAT: TestedDevice = {
  ...COMMON,
  kind: "hvac",
  controls: [{ point: "hvac.heatSetpoint", range: { min: 5, max: 30 } }],
  values: { "hvac.heatSetpoint": 21 },
};

const withValues = (device: TestedDevice, values: TestedDevice["values"]): TestedDevice => ({
  ...device,
  values: { ...device.values, ...values },
});

describe("the command of a control test", () => {
  test("lowers a charger's current, and pauses one that is at its least current", () => {
    expect(planTest(CHARGER, QUIET)).toMatchObject({ point: "charger.maxCurrent", before: 16, asked: 14 });
    const least = withValues(CHARGER, { "charger.maxCurrent": 6, "charger.power": 4_100 });
    expect(planTest(least, QUIET)).toMatchObject({ point: "charger.enabled", before: true, asked: false });
    const off = withValues(least, { "charger.enabled": false });
    expect(planTest(off, QUIET)).toMatchObject({ kind: "refused", code: "no-safe-command" });
  });

  test("holds a battery for a minute, lowers an inverter's limit and never raises it, and warms by half a degree", () => {
    expect(planTest(BATTERY, QUIET)).toMatchObject({ asked: "IDLE", holdMs: 60_000 });
    expect(planTest(INVERTER, QUIET)).toMatchObject({ before: 60, asked: 59 });
    expect(planTest(HEAT, QUIET)).toMatchObject({ asked: 21.5 });
  });

  test("is not sent where the value before is not known, because it could not be given back", () => {
    const unknown = [
      withValues(CHARGER, { "charger.maxCurrent": null, "charger.enabled": null } as never),
      withValues(BATTERY, { "battery.mode": "UNKNOWN" }),
      withValues(INVERTER, { "inverter.powerLimit": null } as never),
      withValues(HEAT, { "hvac.heatSetpoint": null } as never),
    ];
    for (const device of unknown) expect(planTest(device, QUIET)).toMatchObject({ code: "unknown-value" });
  });

  test("is not sent to what is only read, is silent, follows its own schedule, or would not end a forced mode", () => {
    expect(planTest({ ...CHARGER, kind: "meter", controls: [] }, QUIET)).toMatchObject({ code: "no-control" });
    expect(planTest({ ...CHARGER, isReachable: false }, QUIET)).toMatchObject({ code: "silent" });
    expect(planTest(withValues(HEAT, { "hvac.holdType": "SCHEDULED" }), QUIET)).toMatchObject({
      code: "no-safe-command",
    });
    const bare = { ...BATTERY, controls: [{ point: "battery.mode", values: ["SELF_RELIANCE"] }] as const };
    expect(planTest(bare, QUIET)).toMatchObject({ code: "no-safe-command" });
  });

  test.each([
    ["grid-operator", { isOperatorLimited: true }],
    ["limited", { isLimited: true }],
    ["energy-manager", { isRegulated: () => true }],
    ["other-controller", { isOthers: () => true }],
    ["busy", { isBusy: true }],
  ] as const)("is refused as %s, with what to do", (code, change) => {
    for (const device of [CHARGER, BATTERY, INVERTER, HEAT]) {
      const plan = planTest(device, { ...QUIET, ...change });
      expect(plan).toMatchObject({ kind: "refused", code });
    }
  });

  test("is refused where the house would buy more than its fuse or its contract allows", () => {
    expect(planTest(BATTERY, { ...QUIET, gridW: 22_000 })).toMatchObject({ code: "no-room" });
    expect(planTest(BATTERY, { ...QUIET, gridA: 31 })).toMatchObject({ code: "no-room" });
    expect(planTest(BATTERY, { ...QUIET, gridA: null, gridW: 9_000 })).toMatchObject({ code: "no-room" });
    expect(planTest(BATTERY, { ...QUIET, gridA: null, gridW: 500 })).toMatchObject({ kind: "test" });
    expect(planTest(BATTERY, { ...QUIET, gridW: null })).toMatchObject({ code: "no-meter" });
  });

  test("is refused where the house would feed in more than it may", () => {
    const charging = withValues(BATTERY, { "battery.power": 4_000 });
    expect(planTest(charging, { ...QUIET, gridW: -7_000 })).toMatchObject({ code: "no-room" });
    expect(planTest(charging, { ...QUIET, gridW: -5_000 })).toMatchObject({ kind: "test" });
    expect(planTest(CHARGER, { ...QUIET, gridW: -9_000 })).toMatchObject({ code: "no-room" });
  });

  test("needs no room where nothing limits the connection", () => {
    const site = { phases: 3, fuseA: null, importKw: null, peakKw: null, exportKw: null } as const;
    expect(planTest(BATTERY, { ...QUIET, site, gridW: null, gridA: null })).toMatchObject({ kind: "test" });
  });
});
