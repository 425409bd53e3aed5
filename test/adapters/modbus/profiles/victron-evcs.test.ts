import { describe, expect, test } from "vitest";
import { victronEvcs, victronEvcsDirect } from "../../../../adapters/modbus/profiles/victron-evcs.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

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
