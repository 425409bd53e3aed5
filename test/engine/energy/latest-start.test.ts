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
