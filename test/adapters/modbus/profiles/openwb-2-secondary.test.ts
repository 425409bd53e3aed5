import { describe, expect, test } from "vitest";
import { openwb2Secondary, openwb2Secondary2 } from "../../../../adapters/modbus/profiles/openwb-2-secondary.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

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
      "charger.phases": null,
    });
    await driver.write("charger.maxCurrent", 7.5, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.phases", 1, calm);
    expect(unit.writes).toEqual([
      [limit, [750], 6],
      [limit, [0], 6],
      [limit + 9, [1], 6],
      [limit + 10, [1], 6],
    ]);
    expect(await readAll(driver)).toMatchObject({
      "charger.maxCurrent": 7.5,
      "charger.enabled": false,
      "charger.phases": 1,
    });
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
