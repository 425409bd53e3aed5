import { describe, expect, test } from "vitest";
import { benderCcMennekesEcu } from "../../../../adapters/modbus/profiles/bender-cc-mennekes-ecu.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

describe("Bender and the ECU of MENNEKES", () => {
  function ecu(letter: number, limit: number): FakeUnit {
    const unit = new FakeUnit().set("holding", 100, 0x352e, 0x3333).set("holding", 122, letter);
    unit.set("holding", 142, 0x4143, 0x5532, 0, 0, 0, 0, 0, 0, 0, 0);
    unit.set("holding", 212, 0, 16_000, 0, 0, 0xffff, 0xffff, 0x0012, 0xd687, 0, 3_680, 0, 230, 0, 231, 0xffff, 0xffff);
    return unit.set("holding", 716, 0, 900).set("holding", 1_000, limit);
  }

  test("milliamperes, and nothing where the controller says all ones for a moment", async () => {
    const unit = ecu(3, 16);
    const driver = await profileDriver(benderCcMennekesEcu, unit);
    expect(driver.identity).toMatchObject({ model: "ACU2", version: "5.33" });
    unit.reads.length = 0;
    expect(await readAll(driver)).toEqual({
      "charger.current.l1": 16,
      "charger.current.l2": 0,
      "charger.current.l3": null,
      "charger.energy": 1_234_567,
      "charger.power": 3_680,
      "charger.voltage.l1": 230,
      "charger.voltage.l2": 231,
      "charger.voltage.l3": null,
      "charger.energySession": 900,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
    // Some close the connection when 730 or 740 are read.
    for (const [, address, count] of unit.reads) expect(address >= 1_000 || address + count <= 718).toBe(true);
  });

  test.each([
    [1, 16, "UNPLUGGED"],
    [2, 16, "PLUGGED_IN:INITIALIZING"],
    [2, 0, "PLUGGED_IN:STOPPED"],
    [3, 0, "PLUGGED_IN:STOPPED"],
    [5, 16, "PLUGGED_IN:FAULT"],
    [9, 16, "UNKNOWN"],
  ])("letter %i at %i A is %s", async (letter, limit, state) => {
    expect(await readAll(await profileDriver(benderCcMennekesEcu, ecu(letter, limit)))).toMatchObject({
      "charger.state": state,
    });
  });

  test("the limit is written with function 16", async () => {
    const unit = ecu(3, 16);
    const driver = await profileDriver(benderCcMennekesEcu, unit);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 7, calm);
    await driver.write("charger.enabled", false, calm);
    expect(unit.writes).toEqual([
      [1_000, [7], 16],
      [1_000, [0], 16],
    ]);
  });

  test("a limit between two of its steps becomes the lower one, also at a start", async () => {
    const unit = ecu(3, 16);
    const driver = await profileDriver(benderCcMennekesEcu, unit);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 9.6, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes.map(([, registers]) => registers)).toEqual([[9], [9]]);
  });
});
