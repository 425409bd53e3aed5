import { describe, expect, test } from "vitest";
import { goEModbus } from "../../../../adapters/modbus/profiles/go-e-modbus.ts";
import { openwb2Secondary, openwb2Secondary2 } from "../../../../adapters/modbus/profiles/openwb-2-secondary.ts";
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

describe("openWB as a secondary", () => {
  function openWb(base: number, plugged: number, charging: number, offered: number): FakeUnit {
    const unit = new FakeUnit();
    unit.set("input", base, 0, 7_360, 0x0012, 0xd687, 23_050, 23_012, 0, 1_600, 0, 0xfff6, 0, 0, 0, 0);
    unit.set("input", base + 14, plugged, charging, offered);
    return unit.set("input", base + 50, 0x736e, 0x3432, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  test.each([
    [openwb2Secondary, 10_100, 10_171],
    [openwb2Secondary2, 10_200, 10_271],
  ] as const)("each connector has its own hundred: %#", async (profile, base, limit) => {
    const unit = openWb(base, 1, 1, 1_600);
    expect((await profileDriver(profile, unit)).controls).toEqual([]);
    const driver = await profileDriver(profile, unit, { confirmUnverified: true });
    expect(driver.identity.serial).toBe("sn42");
    expect(await readAll(driver)).toEqual({
      "charger.power": 7_360,
      "charger.energy": 1_234_567,
      "charger.voltage.l1": 230.5,
      "charger.voltage.l2": 230.12,
      "charger.voltage.l3": 0,
      "charger.current.l1": 16,
      "charger.current.l2": 0,
      "charger.current.l3": -0.1,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
    await driver.write("charger.maxCurrent", 7.5, calm);
    await driver.write("charger.enabled", false, calm);
    expect(unit.writes).toEqual([
      [limit, [750], 6],
      [limit, [0], 6],
    ]);
    expect(await readAll(driver)).toMatchObject({ "charger.maxCurrent": 7.5, "charger.enabled": false });
  });

  test.each([
    [0, 0, 1_600, "UNPLUGGED"],
    [1, 0, 1_600, "PLUGGED_IN:INITIALIZING"],
    [1, 0, 0, "PLUGGED_IN:STOPPED"],
    [1, 2, 0, "UNKNOWN"],
  ])("plugged %i, charging %i, %i offered is %s", async (plugged, charging, offered, state) => {
    const driver = await profileDriver(openwb2Secondary, openWb(10_100, plugged, charging, offered));
    expect(await readAll(driver)).toMatchObject({ "charger.state": state });
  });
});

describe("go-e", () => {
  function goe(state: number, force: number, allow = 1): FakeUnit {
    const unit = new FakeUnit().set("input", 100, state).set("input", 304, 0x3132, 0x3334, 0x3536, 0, 0, 0);
    unit.set("input", 108, 0, 230, 0, 231, 0, 0, 0, 160, 0, 0, 0, 1, 0x000b, 0x3b00);
    unit.set("input", 128, 0x0001, 0xe240, 0, 0, 0, 3_600);
    return unit.set("holding", 200, allow).set("holding", 299, 16).set("holding", 337, force);
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
    expect(unit.writes).toEqual([
      [299, [8], 16],
      [337, [1], 16],
      [337, [2], 16],
    ]);
  });
});
