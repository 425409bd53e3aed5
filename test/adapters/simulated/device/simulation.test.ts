import { describe, expect, test } from "vitest";
import { batteryPower } from "../../../../adapters/simulated/device/battery-model.ts";
import { commanded } from "../../../../adapters/simulated/device/command.ts";
import { controlsOf } from "../../../../adapters/simulated/device/device-points.ts";
import { Simulation } from "../../../../adapters/simulated/device/simulation.ts";
import type { AssetKind } from "../../../../src/domain/assets/asset.ts";
import { conditionOf, type SimulatedDevice } from "../../../../src/domain/sandbox/simulated.ts";
import { countedExpect } from "../../../counted-expect.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON_MS = Date.parse("2026-06-21T11:15:00Z");
const PLACE = { latitude: 48.1, longitude: 11.6 };

/** A clock that a test sets. */
class SetClock {
  atMs = NOON_MS;

  nowMs(): number {
    return this.atMs;
  }
}

function makeDevice(id: string, kind: AssetKind, state: object = {}): SimulatedDevice {
  return {
    ...conditionOf(kind, state),
    id,
    home: "ann",
    vendor: "SIMULATED",
    name: null,
    model: null,
    year: null,
    category: null,
    groupName: null,
    location: PLACE,
    account: null,
    grant: 0,
    faults: [],
    slowCommands: [],
    createdAtMs: NOON_MS,
    asOfMs: NOON_MS,
  };
}

function makeSimulation(...devices: readonly SimulatedDevice[]): { simulation: Simulation; clock: SetClock } {
  const clock = new SetClock();
  const simulation = new Simulation(clock);
  for (const device of devices) simulation.put(device);
  return { simulation, clock };
}

const HOME = [
  makeDevice("sun", "inverter", { cloudCover: 0 }),
  makeDevice("store", "battery", { batteryLevel: 40 }),
  makeDevice("grid", "meter"),
  makeDevice("box", "charger"),
  makeDevice("car", "vehicle", { batteryLevel: 20, isPluggedIn: true, pluggedInChargerId: "box" }),
  makeDevice("heat", "hvac", { outdoorTemperature: 5 }),
] as const;

describe("a made-up home", () => {
  test("is the same whether it was looked at all the time or once at the end", () => {
    const watched = makeSimulation(...HOME);
    const left = makeSimulation(...HOME);
    for (let minute = 0; minute < 6 * 60; minute += 1) {
      watched.clock.atMs += MINUTE;
      watched.simulation.get("car");
    }
    left.clock.atMs += 6 * HOUR;
    for (const { id } of HOME) expect(left.simulation.get(id)).toEqual(watched.simulation.get(id));
  });

  test("goes on from what was stored, at whatever moments its devices were", () => {
    const { simulation, clock } = makeSimulation(...HOME);
    const stored = HOME.map(({ id }, at) => {
      clock.atMs += at * MINUTE;
      return simulation.get(id);
    });
    clock.atMs = NOON_MS + 4 * HOUR;
    const expectLevel = countedExpect();
    const restarted = makeSimulation(...stored.filter((device) => device !== null));
    restarted.clock.atMs = clock.atMs;
    for (const { id, kind } of HOME) {
      const [went, again] = [simulation.get(id), restarted.simulation.get(id)];
      expect(again?.asOfMs).toBe(went?.asOfMs);
      if (kind === "vehicle" && went?.kind === "vehicle" && again?.kind === "vehicle") {
        expectLevel(again.state.batteryLevel).toBeCloseTo(went.state.batteryLevel, 1);
      }
    }
    expectLevel.wasCalled();
  });

  test("keeps its energy: what the car gained, the charger gave", () => {
    const { simulation, clock } = makeSimulation(...HOME);
    clock.atMs += 2 * HOUR;
    const [car, box] = [simulation.get("car"), simulation.get("box")];
    if (car?.kind !== "vehicle" || box?.kind !== "charger") throw new Error("the home lacks them");
    const gained = ((car.state.batteryLevel - 20) / 100) * car.state.batteryCapacity;
    expect(gained).toBeCloseTo(box.state.energySession * 0.92, 6);
    expect(box.state.energySession).toBeCloseTo(22, 1);
  });

  test("stays in its bounds for a year, and a year is quickly caught up with", () => {
    const { simulation, clock } = makeSimulation(...HOME);
    const expectLevel = countedExpect();
    const expectWarmth = countedExpect();
    for (let month = 0; month < 12; month += 1) {
      clock.atMs += 30 * 24 * HOUR;
      for (const { id } of HOME) {
        const device = simulation.get(id);
        if (device?.kind === "battery" || device?.kind === "vehicle") {
          expectLevel(device.state.batteryLevel).toBeGreaterThanOrEqual(10);
          expect(device.state.batteryLevel).toBeLessThanOrEqual(100);
        }
        if (device?.kind === "hvac") expectWarmth(device.state.currentTemperature).toBeGreaterThan(15);
      }
    }
    expectLevel.wasCalled();
    expectWarmth.wasCalled();
  });

  test("stands still while the wall clock is behind", () => {
    const { simulation, clock } = makeSimulation(...HOME);
    clock.atMs += HOUR;
    const before = simulation.get("car");
    clock.atMs -= 2 * HOUR;
    expect(simulation.get("car")).toEqual(before);
  });

  test("has no sun at night and most at noon", () => {
    const { simulation, clock } = makeSimulation(...HOME);
    const power = () => simulation.readings("sun").find(({ point }) => point === "inverter.power")?.value;
    expect(power()).toBeGreaterThan(5_000);
    clock.atMs = Date.parse("2026-06-21T23:00:00Z");
    expect(power()).toBe(0);
  });
});

describe("a made-up battery", () => {
  const levelAfter = (mode: string, hours: number): number => {
    const battery = makeDevice("store", "battery", { batteryLevel: 50, operationMode: mode });
    const { simulation, clock } = makeSimulation(battery, makeDevice("grid", "meter", { householdPower: 1 }));
    clock.atMs = NOON_MS + hours * HOUR;
    const after = simulation.get("store");
    if (after?.kind !== "battery") throw new Error("no battery");
    return after.state.batteryLevel;
  };

  test("fills up, empties to its reserve, rests, or serves the home", () => {
    expect(levelAfter("IMPORT_FOCUS", 5)).toBeGreaterThan(99);
    expect(levelAfter("EXPORT_FOCUS", 5)).toBeCloseTo(10, 0);
    expect(levelAfter("IDLE", 5)).toBe(50);
    // 1 kW for 2 h, with what discharging loses, of 10 kWh.
    expect(levelAfter("SELF_RELIANCE", 2)).toBeCloseTo(50 - 20 / 0.95, 1);
  });

  test("of a rate plan keeps what it has until the dear hours", () => {
    expect(levelAfter("TIME_OF_USE", 2)).toBe(50);
    expect(levelAfter("TIME_OF_USE", 8)).toBeLessThan(40);
  });
});

test.each([
  ["IMPORT_FOCUS", 1_500, 1.5],
  ["EXPORT_FOCUS", -700, -0.7],
  ["IMPORT_FOCUS", -700, 5],
  ["EXPORT_FOCUS", 0, -5],
] as const)(
  "A made-up battery in %s takes %i W as its power, and all its power for none in its direction",
  (mode, watts, kw) => {
    const battery = makeDevice("store", "battery", { batteryLevel: 50, operationMode: mode });
    const commandedBattery = commanded(battery, "battery.powerSetpoint", watts);
    if (commandedBattery.kind !== "battery") throw new Error("no battery");
    expect(batteryPower(commandedBattery, 0, 12)).toBe(kw);
    expect(controlsOf(battery)).toContainEqual({
      ...{ point: "battery.powerSetpoint", range: { min: -5_000, max: 5_000 }, holdMs: null, safeDefault: 0 },
    });
  },
);
