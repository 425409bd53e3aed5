import { describe, expect, test } from "vitest";
import { webastoNextTq } from "../../../../adapters/modbus/profiles/webasto-next-tq.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

describe("Webasto", () => {
  function next(state: number): FakeUnit {
    const unit = new FakeUnit().set("holding", 1_000, state, 1, 0, 0, 3, 0, 0, 0, 16_000, 0, 0, 0, 15_900);
    unit.set("holding", 1_020, 0, 7_360).set("holding", 1_036, 0x0012, 0xd687);
    return unit.set("holding", 2_002, 60);
  }

  test("milliamperes in one register; power and energy in two", async () => {
    expect(await readAll(await profileDriver(webastoNextTq, next(3)))).toEqual({
      "charger.current.l1": 16,
      "charger.current.l2": 0,
      "charger.current.l3": 15.9,
      "charger.power": 7_360,
      "charger.energy": 1_234_567,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": null,
      "charger.enabled": true,
    });
  });

  test.each([
    [0, "UNPLUGGED", null],
    [1, "PLUGGED_IN:STOPPED", null],
    [4, "PLUGGED_IN:STOPPED", false],
    [7, "PLUGGED_IN:FAULT", null],
    [8, "UNKNOWN", null],
  ])("state %i is %s, enabled %s", async (state, shown, isEnabled) => {
    expect(await readAll(await profileDriver(webastoNextTq, next(state)))).toMatchObject({
      "charger.state": shown,
      "charger.enabled": isEnabled,
    });
  });

  test("its time without a life bit is set once, the life bit each time, the limit last", async () => {
    const unit = next(3);
    const driver = await profileDriver(webastoNextTq, unit);
    expect(driver.controls.map(({ point, holdMs }) => [point, holdMs])).toEqual([["charger.maxCurrent", 12_000]]);
    await driver.write("charger.maxCurrent", 10, calm);
    unit.set("holding", 2_002, 12);
    await driver.write("charger.maxCurrent", 10, calm);
    expect(unit.writes).toEqual([
      [2_002, [12], 6],
      [6_000, [1], 6],
      [5_004, [10], 6],
      [6_000, [1], 6],
      [5_004, [10], 6],
    ]);
    expect(await readAll(driver)).toMatchObject({ "charger.maxCurrent": 10 });
  });

  test("confirmed, 0 A stops, and what was set meanwhile starts", async () => {
    const unit = next(3).set("holding", 2_002, 12);
    const driver = await profileDriver(webastoNextTq, unit, { confirmUnverified: true });
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.maxCurrent", 9, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes.filter(([address]) => address === 5_004)).toEqual([
      [5_004, [0], 6],
      [5_004, [0], 6],
      [5_004, [9], 6],
    ]);
  });
});
