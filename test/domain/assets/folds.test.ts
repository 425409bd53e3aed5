import { describe, expect, test } from "vitest";
import { foldBattery, newBattery } from "../../../src/domain/assets/battery.ts";
import { foldCharger, newCharger } from "../../../src/domain/assets/charger.ts";
import { foldInverter, newInverter } from "../../../src/domain/assets/inverter.ts";
import { foldMeter, newMeter } from "../../../src/domain/assets/meter.ts";
import { snapshotOf } from "../../../src/domain/assets/snapshot.ts";
import { kilo, threeDecimals } from "../../../src/domain/units.ts";
import type { Reading } from "../../../src/points/points.ts";
import { makeSeed } from "../makers.ts";

const NOW_MS = Date.UTC(2026, 5, 21, 12);
const NOW = "2026-06-21T12:00:00.000Z";

const battery = (...readings: Reading[]) => foldBattery(newBattery(makeSeed()), snapshotOf(readings), NOW_MS);
const charger = (...readings: Reading[]) => foldCharger(newCharger(makeSeed()), snapshotOf(readings), NOW_MS);
const inverter = (...readings: Reading[]) => foldInverter(newInverter(makeSeed()), snapshotOf(readings), NOW_MS);
const meter = (...readings: Reading[]) => foldMeter(newMeter(makeSeed()), snapshotOf(readings), NOW_MS);

describe("units", () => {
  test.each([
    [1_234, 1.234],
    [-1_234, -1.234],
    [0.1 + 0.2, 0.0003],
    [1_234.0999755859375, 1.2341],
    [29_000_000.5, 29_000.0005],
    [-0, 0],
    [-0.0004, 0],
  ])("%d W is %d kW, without float dust", (watts, kilowatts) => {
    expect(kilo(watts)).toBe(kilowatts);
  });

  test("a float32 shows as what it was made from", () => {
    expect(threeDecimals(Math.fround(15.9))).toBe(15.9);
    expect(threeDecimals(Math.fround(97.3))).toBe(97.3);
  });
});

describe("a battery", () => {
  test("shows charging as positive kW, and energy in kWh", () => {
    const shown = battery(
      { point: "battery.power", value: 2_500 },
      { point: "battery.capacity", value: 10_240 },
      { point: "battery.soc", value: 55 },
      { point: "battery.reserve", value: 10 },
    );
    expect(shown.chargeState).toEqual({
      status: "CHARGING",
      batteryCapacity: 10.24,
      batteryLevel: 55,
      chargeRate: 2.5,
      dischargeLimit: 10,
      lastUpdated: NOW,
    });
    expect(shown.config).toEqual({ operationMode: null, lastUpdated: null });
  });

  test.each([
    [3_000, "CHARGING"],
    [-3_000, "DISCHARGING"],
    [24, "IDLE"],
    [-24, "IDLE"],
    [0, "IDLE"],
    [null, null],
  ] as const)("that tells no status shows %o W as %o", (value, status) => {
    expect(battery({ point: "battery.power", value }).chargeState.status).toBe(status);
  });

  test("believes the device's own status before the power", () => {
    const shown = battery({ point: "battery.status", value: "FAULT" }, { point: "battery.power", value: 3_000 });
    expect(shown.chargeState.status).toBe("FAULT");
  });

  test("shows what the device cannot tell as null, never as 0", () => {
    const shown = battery({ point: "battery.power", value: null }, { point: "battery.soc", value: null });
    expect(shown.chargeState).toMatchObject({ chargeRate: null, batteryLevel: null, lastUpdated: NOW });
  });

  test("updates only the group that was read", () => {
    const shown = battery({ point: "battery.mode", value: "IDLE" });
    expect(shown.config).toEqual({ operationMode: "IDLE", lastUpdated: NOW });
    expect(shown.chargeState.lastUpdated).toBeNull();
  });

  test("stays the same object when nothing of it was read, or nothing changed", () => {
    const before = battery({ point: "battery.soc", value: 50 });
    expect(foldBattery(before, snapshotOf([{ point: "meter.power", value: 1 }]), NOW_MS)).toBe(before);
    expect(foldBattery(before, snapshotOf([{ point: "battery.soc", value: 50 }]), NOW_MS)).toBe(before);
    expect(foldBattery(before, snapshotOf([{ point: "battery.soc", value: 50 }]), NOW_MS + 1)).not.toBe(before);
  });

  test("can do what its mode control takes, and nothing else", () => {
    const controls = [{ point: "battery.mode", values: ["IDLE", "SELF_RELIANCE"] } as const];
    expect(newBattery(makeSeed({ controls })).capabilities).toMatchObject({
      idle: { isCapable: true },
      selfReliance: { isCapable: true },
      importFocus: { isCapable: false },
      exportFocus: { isCapable: false },
      timeOfUse: { isCapable: false },
    });
    expect(newBattery(makeSeed()).capabilities.idle.isCapable).toBe(false);
  });
});

describe("a charger", () => {
  test.each([
    ["UNKNOWN", null, null],
    ["UNPLUGGED", false, false],
    ["PLUGGED_IN:INITIALIZING", true, false],
    ["PLUGGED_IN:CHARGING", true, true],
    ["PLUGGED_IN:STOPPED", true, false],
    ["PLUGGED_IN:NO_POWER", true, false],
    ["PLUGGED_IN:FAULT", true, false],
    ["PLUGGED_IN:DISCHARGING", true, false],
  ] as const)("in %s is plugged in: %o, charging: %o", (state, isPluggedIn, isCharging) => {
    const shown = charger({ point: "charger.state", value: state }, { point: "charger.power", value: 7_400 });
    expect(shown.chargeState).toMatchObject({
      isPluggedIn,
      isCharging,
      chargeRate: isCharging ? 7.4 : null,
      powerDeliveryState: state,
    });
  });

  test("shows a state that it cannot tell as UNKNOWN", () => {
    expect(charger({ point: "charger.state", value: null }).chargeState.powerDeliveryState).toBe("UNKNOWN");
  });

  test("can start, stop and limit as far as it can be written", () => {
    const switchOnly = newCharger(makeSeed({ controls: [{ point: "charger.enabled" }] })).capabilities;
    expect(switchOnly).toMatchObject({
      startCharging: { isCapable: true },
      stopCharging: { isCapable: true },
      setMaxCurrent: { isCapable: false },
    });
    const stopOnly = newCharger(makeSeed({ controls: [{ point: "charger.enabled", values: [false] }] })).capabilities;
    expect(stopOnly).toMatchObject({ startCharging: { isCapable: false }, stopCharging: { isCapable: true } });
  });
});

describe("an inverter", () => {
  test("shows production as positive kW", () => {
    const shown = inverter({ point: "inverter.power", value: 4_321 }, { point: "inverter.energy", value: 12_345_678 });
    expect(shown.productionState).toEqual({
      productionRate: 4.321,
      isProducing: true,
      totalLifetimeProduction: 12_345.678,
      lastUpdated: NOW,
    });
  });

  test("does not take a few watts of noise for production, and no answer for none", () => {
    expect(inverter({ point: "inverter.power", value: 4 }).productionState.isProducing).toBe(false);
    expect(inverter({ point: "inverter.power", value: null }).productionState).toMatchObject({
      isProducing: null,
      productionRate: null,
    });
  });
});

describe("a meter", () => {
  test("shows import as positive kW and export as negative", () => {
    expect(meter({ point: "meter.power", value: 850 }).energyState.power).toBe(0.85);
    expect(meter({ point: "meter.power", value: -3_200 }).energyState.power).toBe(-3.2);
  });

  test("measures both ways when it tells power, else what it counts", () => {
    const capabilities = (points: readonly Reading["point"][]) => newMeter(makeSeed({ points })).capabilities;
    expect(capabilities(["meter.power"])).toMatchObject({
      measuresConsumption: { isCapable: true },
      measuresProduction: { isCapable: true },
    });
    expect(capabilities(["meter.energyExport"])).toMatchObject({
      measuresConsumption: { isCapable: false },
      measuresProduction: { isCapable: true },
    });
  });
});
