/** Cars and chargers in memory for what is smart about charging. */
import type { FakeDevice, FakeDeviceOptions } from "../../../src/testing/fake-adapter.ts";

/** A car of 50 kWh at the plug, half full, charging with 10 kW, which a switch stops. */
export function carOptions(change: Partial<FakeDeviceOptions["values"]> = {}): Omit<FakeDeviceOptions, "clock"> {
  return {
    values: {
      "vehicle.state": "PLUGGED_IN:CHARGING",
      "vehicle.soc": 50,
      "vehicle.capacity": 50_000,
      "vehicle.chargeLimit": 100,
      "vehicle.power": 10_000,
      "vehicle.enabled": true,
      ...change,
    },
    controls: [{ point: "vehicle.enabled", values: [true, false], holdMs: null, safeDefault: "as-found" }],
    identity: { manufacturer: "TESLA", model: "Model 3", serial: "V-1" },
    vendors: ["TESLA"],
    pollMs: 10_000,
  };
}

/** Lets a car follow its switch, as long as it is plugged in and not full. */
export function followCarSwitch(car: FakeDevice): void {
  car.onWrite = (point, value) => {
    car.show(point, value);
    if (point === "vehicle.enabled") showCharging(car, value === true);
  };
}

/** What the car shows while it charges, or does not. */
export function showCharging(car: FakeDevice, isCharging: boolean): void {
  const state = car.values["vehicle.state"];
  if (state === "UNPLUGGED" || state === "PLUGGED_IN:COMPLETE") return;
  car.show("vehicle.state", isCharging ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED");
  car.show("vehicle.power", isCharging ? 10_000 : 0);
}
