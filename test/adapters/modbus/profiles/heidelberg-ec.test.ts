import { describe, expect, test } from "vitest";
import { heidelbergEc } from "../../../../adapters/modbus/profiles/heidelberg-ec.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

function box(state: number, limit: number): FakeUnit {
  const unit = new FakeUnit().set("input", 5, state, 61, 0, 62, 350, 231, 0, 229, 1, 2_820, 0, 900, 0x0012, 0xd687);
  return unit.set("holding", 257, 0, 0, 1).set("holding", 261, limit, 0);
}

describe("Heidelberg", () => {
  test("tenths of an ampere; the counter takes two registers", async () => {
    expect(await readAll(await profileDriver(heidelbergEc, box(7, 160)))).toEqual({
      "charger.current.l1": 6.1,
      "charger.current.l2": 0,
      "charger.current.l3": 6.2,
      "charger.voltage.l1": 231,
      "charger.voltage.l2": 0,
      "charger.voltage.l3": 229,
      "charger.power": 2_820,
      "charger.energy": 1_234_567,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
  });

  test.each([
    [2, "UNPLUGGED"],
    [3, "UNPLUGGED"],
    [4, "PLUGGED_IN:STOPPED"],
    [5, "PLUGGED_IN:INITIALIZING"],
    [6, "PLUGGED_IN:STOPPED"],
    [8, "PLUGGED_IN:CHARGING"],
    [9, "PLUGGED_IN:FAULT"],
    [10, "UNKNOWN"],
    [11, "PLUGGED_IN:FAULT"],
    [12, "UNKNOWN"],
  ])("state %i is %s", async (state, shown) => {
    expect(await readAll(await profileDriver(heidelbergEc, box(state, 160)))).toMatchObject({ "charger.state": shown });
  });

  test("its timer and what it falls back to are set and read back before the limit; nothing stored is written twice", async () => {
    const unit = box(7, 160);
    const driver = await profileDriver(heidelbergEc, unit);
    expect(driver.controls.map(({ holdMs }) => holdMs)).toEqual([15_000, 15_000]);
    await readAll(driver);
    // The box does not take the settings yet: the limit is not sent.
    await expect(driver.write("charger.maxCurrent", 10, calm)).rejects.toMatchObject({ kind: "rejected" });
    expect(unit.writes).toEqual([
      [258, [4], 6],
      [262, [60], 6],
      [257, [15_000], 6],
    ]);
    unit.writes.length = 0;
    unit.set("holding", 257, 15_000, 4).set("holding", 262, 60);
    await driver.write("charger.maxCurrent", 10, calm);
    await driver.write("charger.maxCurrent", 10, calm);
    expect(unit.writes).toEqual([
      [261, [100], 6],
      [261, [100], 6],
    ]);
  });

  test("a stop falls back to a stop, and a limit renewed meanwhile changes neither", async () => {
    const unit = box(7, 160).set("holding", 257, 15_000, 4).set("holding", 262, 0);
    const driver = await profileDriver(heidelbergEc, unit);
    await readAll(driver);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.maxCurrent", 10, calm);
    expect(unit.writes).toEqual([
      [261, [0], 6],
      [261, [0], 6],
    ]);
    unit.set("holding", 262, 60);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes.slice(2)).toEqual([[261, [100], 6]]);
  });

  test("more than 16 A is not taken", async () => {
    const driver = await profileDriver(heidelbergEc, box(7, 160));
    await expect(driver.write("charger.maxCurrent", 17, calm)).rejects.toMatchObject({ kind: "rejected" });
  });
});
