/** Cars and chargers in memory for what is smart about charging. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
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
    pollMs: 20_000,
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

const STEP_MS = 60_000;

/** Fills the car while it charges, minute by minute; full it stops by itself. Disposing ends it. */
export function fillWhileCharging(car: FakeDevice, clock: Pick<Clock, "timer">): Disposable {
  let timer: Disposable | null = null;
  const step = (): void => {
    if (car.values["vehicle.state"] === "PLUGGED_IN:CHARGING") fill(car);
    timer = clock.timer(STEP_MS, step);
  };
  step();
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}

function fill(car: FakeDevice): void {
  const { values } = car;
  const energyWh = ((values["vehicle.power"] ?? 0) * STEP_MS) / 3_600_000;
  const level = (values["vehicle.soc"] ?? 0) + (100 * energyWh) / (values["vehicle.capacity"] ?? 1);
  const limit = values["vehicle.chargeLimit"] ?? 100;
  car.show("vehicle.soc", Math.min(level, limit));
  if (level < limit - 1e-6) return;
  car.show("vehicle.state", "PLUGGED_IN:COMPLETE");
  car.show("vehicle.power", 0);
}
