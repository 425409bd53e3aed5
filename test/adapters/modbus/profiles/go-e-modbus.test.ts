import { describe, expect, test } from "vitest";
import { goEModbus } from "../../../../adapters/modbus/profiles/go-e-modbus.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

describe("go-e", () => {
  function goe(state: number, force: number, allow = 1): FakeUnit {
    const unit = new FakeUnit().set("input", 100, state).set("input", 304, 0x3132, 0x3334, 0x3536, 0, 0, 0);
    unit.set("input", 108, 0, 230, 0, 231, 0, 0, 0, 160, 0, 0, 0, 1, 0x000b, 0x3b00);
    unit.set("input", 128, 0x0001, 0xe240, 0, 0, 0, 3_600);
    return unit.set("holding", 200, allow).set("holding", 299, 16).set("holding", 332, 2).set("holding", 337, force);
  }

  test("hundredths of a watt, tenths of a kWh, and ten watt-seconds", async () => {
    const driver = await profileDriver(goEModbus, goe(2, 0));
    expect(driver.identity.serial).toBe("123456");
    expect(await readAll(driver)).toEqual({
      "charger.voltage.l1": 230,
      "charger.voltage.l2": 231,
      "charger.voltage.l3": 0,
      "charger.current.l1": 16,
      "charger.current.l2": 0,
      "charger.current.l3": 0.1,
      "charger.power": 7_360,
      "charger.energy": 12_345_600,
      "charger.energySession": 10,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
      "charger.phases": 3,
    });
  });

  test.each([
    [0, 0, 1, "UNKNOWN", true],
    [1, 0, 1, "UNPLUGGED", true],
    [3, 0, 1, "PLUGGED_IN:INITIALIZING", true],
    [3, 1, 1, "PLUGGED_IN:STOPPED", false],
    [4, 0, 0, "PLUGGED_IN:STOPPED", false],
    [4, 2, 0, "PLUGGED_IN:STOPPED", true],
  ])("state %i, force %i, allow %i is %s, enabled %s", async (state, force, allow, shown, isEnabled) => {
    expect(await readAll(await profileDriver(goEModbus, goe(state, force, allow)))).toMatchObject({
      "charger.state": shown,
      "charger.enabled": isEnabled,
    });
  });

  test("everything is written with function 16, the current where it is not stored", async () => {
    const unit = goe(2, 0);
    expect((await profileDriver(goEModbus, unit)).controls).toEqual([]);
    const driver = await profileDriver(goEModbus, unit, { confirmUnverified: true });
    await driver.write("charger.maxCurrent", 8, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.enabled", true, calm);
    await driver.write("charger.phases", 1, calm);
    await driver.write("charger.phases", 3, calm);
    await driver.write("charger.phases", 0, calm);
    expect(unit.writes).toEqual([
      [299, [8], 16],
      [337, [1], 16],
      [337, [2], 16],
      [332, [1], 16],
      [332, [2], 16],
      [332, [0], 16],
    ]);
  });
});
