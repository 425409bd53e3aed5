import { describe, expect, test } from "vitest";
import { mennekesHcc3 } from "../../../../adapters/modbus/profiles/mennekes-hcc3.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

describe("MENNEKES HCC3", () => {
  function hcc3(pilot: number, limit: number): FakeUnit {
    const unit = new FakeUnit().set("input", 770, pilot).set("input", 779, 0x1170, 0x0001);
    return unit.set("input", 781, 0xd687, 0x0012, 0x2b0c, 0).set("holding", 1_024, limit);
  }

  test("low word first", async () => {
    const driver = await profileDriver(mennekesHcc3, hcc3(6, 16));
    expect(driver.identity.serial).toBe("70000");
    expect(await readAll(driver)).toEqual({
      "charger.energySession": 1_234_567,
      "charger.power": 11_020,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
  });

  test("whole amperes with function 6; 0 stops", async () => {
    const unit = hcc3(6, 16);
    const driver = await profileDriver(mennekesHcc3, unit);
    await readAll(driver);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.enabled", true, calm);
    await driver.write("charger.maxCurrent", 8, calm);
    expect(unit.writes).toEqual([
      [1_024, [0], 6],
      [1_024, [16], 6],
      [1_024, [8], 6],
    ]);
  });
});
