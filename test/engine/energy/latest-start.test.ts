import { expect, test } from "vitest";
import type { EnergyDevice } from "../../../src/engine/energy/energy-device.ts";
import { LatestStart } from "../../../src/engine/energy/latest-start.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const HOUR = 3_600_000;

test("a vehicle whose state of charge jumps above its target waits, and is charged again once it is back", () => {
  const clock = new VirtualClock();
  const dueMs = clock.nowMs() + 1.5 * HOUR;
  const vehicle = { batteryLevel: 50 as number | null, batteryCapacity: 50 };
  const assets = {
    charger: { chargeState: { pluggedInVehicleId: "car" } },
    vehicle: { chargeState: vehicle },
  };
  const device = {
    values: { "charger.state": "PLUGGED_IN:CHARGING", "charger.power": 11_000 },
    assets: { ids: [{ kind: "charger", id: "box" }] },
  };
  const record = {
    ...{ assetId: "box", kind: "charger", mode: "PLANNED" },
    target: { kind: "ONCE", by: new Date(dueMs).toISOString(), soc: 80, energyKwh: null },
  };
  const starts = new LatestStart({
    ...{ clock, zone: "UTC" },
    assets: { get: (kind: "charger" | "vehicle") => assets[kind] } as never,
    recordOf: () => record as never,
    devices: () => [device as unknown as EnergyDevice],
  });
  const isCharging = (): boolean => (starts.plannedCharge("box")?.powerW ?? 0) > 0;
  // 15 kWh take longer than that, with the time to spare.
  expect(isCharging()).toBe(true);
  vehicle.batteryLevel = 99;
  expect(starts.plannedCharge("box")).toBeNull();
  // What it was charging for is forgotten, so that it begins again by the rule of a start and not of a charge that runs.
  vehicle.batteryLevel = 79;
  expect(isCharging()).toBe(false);
  vehicle.batteryLevel = 50;
  expect(isCharging()).toBe(true);
  vehicle.batteryLevel = null;
  expect(starts.needOf("box")).toMatchObject({ dueMs, neededWh: null });
  expect(isCharging()).toBe(true);
});

test("the energy of the session before does not count for a target, whenever the charger begins to count anew", () => {
  const clock = new VirtualClock();
  const values: Record<string, unknown> = { "charger.state": "UNPLUGGED", "charger.energySession": 30_000 };
  const device = { values, assets: { ids: [{ kind: "charger", id: "box" }] } };
  const by = new Date(clock.nowMs() + HOUR).toISOString();
  const record = {
    ...{ assetId: "box", kind: "charger", mode: "PLANNED" },
    target: { kind: "ONCE", by, soc: null, energyKwh: 20 },
  };
  const starts = new LatestStart({
    ...{ clock, zone: "UTC" },
    assets: { get: () => null } as never,
    recordOf: () => record as never,
    devices: () => [device as unknown as EnergyDevice],
  });
  const neededWhOf = (state: string, countedWh: number | null) => {
    Object.assign(values, { "charger.state": state, "charger.energySession": countedWh });
    starts.watch();
    return starts.needOf("box")?.neededWh;
  };
  neededWhOf("UNPLUGGED", 30_000);
  expect(neededWhOf("PLUGGED_IN:STOPPED", 30_000)).toBe(20_000);
  expect(neededWhOf("PLUGGED_IN:CHARGING", 0)).toBe(20_000);
  expect(neededWhOf("PLUGGED_IN:CHARGING", 8_000)).toBe(12_000);
  expect(neededWhOf("PLUGGED_IN:CHARGING", null)).toBeNull();
  // Also above what the session before had.
  expect(neededWhOf("PLUGGED_IN:CHARGING", 31_000)).toBe(-11_000);
  // A charger that never begins anew.
  neededWhOf("UNPLUGGED", 31_000);
  expect(neededWhOf("PLUGGED_IN:CHARGING", 36_000)).toBe(15_000);
});
