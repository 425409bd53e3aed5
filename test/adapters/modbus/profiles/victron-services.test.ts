import { describe, expect, test } from "vitest";
import { victronEvcs, victronEvcsDirect } from "../../../../adapters/modbus/profiles/victron-evcs.ts";
import { victronGrid } from "../../../../adapters/modbus/profiles/victron-grid.ts";
import { victronHeatpump } from "../../../../adapters/modbus/profiles/victron-heatpump.ts";
import { victronVebus } from "../../../../adapters/modbus/profiles/victron-vebus.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

function multi(state: number, current: number): FakeUnit {
  const unit = new FakeUnit();
  // 230.1 V, -4.3 A, 49.98 Hz, -1000 W on one phase.
  unit.set("holding", 3, 2_301, 0, 0, 0xffd5, 0, 0, 4_998, 0, 0, 0xff9c, 0, 0);
  unit.set("holding", 26, 5_200, current).set("holding", 30, 805, state);
  for (let counter = 0; counter < 8; counter++) unit.set("holding", 74 + 2 * counter, 0, 100 * (counter + 1));
  return unit;
}

describe("Victron MultiPlus", () => {
  test("the battery's power is volts times amperes, the meter is the AC input", async () => {
    expect(await readAll(await profileDriver(victronVebus, multi(9, 0xfecb)))).toMatchObject({
      "battery.power": expect.closeTo(-1_606.8),
      "battery.status": "DISCHARGING",
      "battery.soc": 80.5,
      "meter.voltage.l1": 230.1,
      "meter.current.l1": -4.3,
      "meter.frequency": 49.98,
      "meter.power": -1_000,
      // 1 + 2 + 3 + 4 and 5 + 6 + 7 + 8 kWh.
      "meter.energyImport": 10_000,
      "meter.energyExport": 26_000,
    });
  });

  test("its fault is the battery's", async () => {
    const told = await readAll(await profileDriver(victronVebus, multi(2, 0)));
    expect(told).toMatchObject({ "battery.power": 0, "battery.status": "FAULT" });
  });

  test("its AC power, which has the battery in it, is no inverter's", async () => {
    expect((await profileDriver(victronVebus, multi(3, 0))).points).not.toContain("inverter.power");
  });
});

test("the GX's grid meter sums its phases and takes the totals of its energy", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 2600, 0xfe0c, 250, 0).set("holding", 2616, 2_310, 0xffeb, 2_305, 11, 2_299, 0);
  unit.set("holding", 2634, 1, 0, 0, 500).set("holding", 2644, 5_003);
  expect(await readAll(await profileDriver(victronGrid, unit))).toEqual({
    "meter.power.l1": -500,
    "meter.power.l2": 250,
    "meter.power.l3": 0,
    "meter.power": -250,
    "meter.voltage.l1": 231,
    "meter.voltage.l2": 230.5,
    "meter.voltage.l3": 229.9,
    "meter.current.l1": -2.1,
    "meter.current.l2": 1.1,
    "meter.current.l3": 0,
    "meter.energyImport": 655_360,
    "meter.energyExport": 5_000,
    "meter.frequency": 50.03,
  });
});

function evcs(mode: number, state: number, enabled = 1): FakeUnit {
  const unit = new FakeUnit().set("holding", 3815, mode, 0, 1_250).set("holding", 3821, 7_400);
  return unit.set("holding", 3824, state, 16, enabled).set("holding", 3836, 2, 0);
}

describe("Victron EV Charging Station", () => {
  test("behind a GX", async () => {
    expect(await readAll(await profileDriver(victronEvcs, evcs(0, 2)))).toEqual({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 7_400,
      "charger.maxCurrent": 16,
      "charger.enabled": true,
      "charger.energySession": 12_500,
      "charger.energy": 1_310_720,
    });
  });

  test.each([
    [0, "UNPLUGGED"],
    [1, "PLUGGED_IN:INITIALIZING"],
    [3, "PLUGGED_IN:STOPPED"],
    [4, "PLUGGED_IN:STOPPED"],
    [8, "PLUGGED_IN:FAULT"],
    [14, "PLUGGED_IN:FAULT"],
    [15, "UNKNOWN"],
    [22, "PLUGGED_IN:INITIALIZING"],
    [24, "PLUGGED_IN:STOPPED"],
    [99, "UNKNOWN"],
  ])("status %i is %s", async (state, shown) => {
    expect(await readAll(await profileDriver(victronEvcs, evcs(0, state)))).toMatchObject({ "charger.state": shown });
  });

  test("a command takes it out of its automatic mode first, once", async () => {
    const unit = evcs(1, 2);
    const driver = await profileDriver(victronEvcs, unit);
    await driver.write("charger.maxCurrent", 13, calm);
    unit.set("holding", 3815, 0);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes).toEqual([
      [3815, [0], 6],
      [3825, [13], 6],
      [3826, [0], 6],
      [3826, [1], 6],
    ]);
    await expect(driver.write("charger.maxCurrent", 5, calm)).rejects.toMatchObject({ kind: "rejected" });
  });

  test("directly it has other registers, whose control is off until it is confirmed", async () => {
    const unit = new FakeUnit().set("holding", 5009, 1, 0).set("holding", 5014, 0, 4, 10).set("holding", 5021, 333);
    const driver = await profileDriver(victronEvcsDirect, unit);
    expect(await readAll(driver)).toEqual({
      "charger.enabled": false,
      "charger.power": 0,
      "charger.state": "PLUGGED_IN:STOPPED",
      "charger.maxCurrent": 10,
      "charger.energySession": 3_330,
    });
    expect(driver.controls).toEqual([]);
    expect(driver.unconfirmed).toEqual(["charger.maxCurrent", "charger.enabled"]);
    const confirmed = await profileDriver(victronEvcsDirect, unit, { confirmUnverified: true });
    await confirmed.write("charger.maxCurrent", 20, calm);
    expect(unit.writes).toEqual([
      [5009, [0], 6],
      [5016, [20], 6],
    ]);
  });
});

test.each([
  [0, false],
  [1, false],
  [2, false],
  [3, true],
  [4, true],
  [9, null],
])("a heat pump's state %i: active %s", async (state, isActive) => {
  const unit = new FakeUnit().set("holding", 5501, state, 0, 1_900);
  expect(await readAll(await profileDriver(victronHeatpump, unit))).toEqual({
    "hvac.isActive": isActive,
    "hvac.power": 1_900,
  });
});
