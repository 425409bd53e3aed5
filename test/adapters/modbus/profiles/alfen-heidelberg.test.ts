import { describe, expect, test } from "vitest";
import { alfenNg9xx } from "../../../../adapters/modbus/profiles/alfen-ng9xx.ts";
import { heidelbergEc } from "../../../../adapters/modbus/profiles/heidelberg-ec.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

/** An Eve with one phase in use; the others answer NaN. */
function eve(state: readonly number[], limit: readonly number[]): FakeUnit {
  const unit = new FakeUnit();
  unit.set("holding", 306, 0x4366, 0x8000, 0xffff, 0xffff, 0xffff, 0xffff);
  unit.set("holding", 320, 0x4120, 0x0000, 0xffff, 0xffff, 0xffff, 0xffff);
  unit.set("holding", 344, 0x450f, 0xc000).set("holding", 374, 0x4150, 0x7bba, 0x0000, 0x0000);
  return unit.set("holding", 1_201, ...state, 0, 0, 0, 0).set("holding", 1_210, ...limit);
}

const TEN_A = [0x4120, 0x0000];
const NOTHING = [0x0000, 0x0000];

describe("Alfen", () => {
  test("floats, and NaN where the meter has no value yet", async () => {
    expect(await readAll(await profileDriver(alfenNg9xx, eve([0x4332], TEN_A)))).toEqual({
      "charger.voltage.l1": 230.5,
      "charger.voltage.l2": null,
      "charger.voltage.l3": null,
      "charger.current.l1": 10,
      "charger.current.l2": null,
      "charger.current.l3": null,
      "charger.power": 2_300,
      "charger.energy": 4_321_000,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 10,
      "charger.enabled": true,
    });
  });

  test.each([
    ["A", [0x4100], "UNPLUGGED"],
    ["B1", [0x4231], "PLUGGED_IN:STOPPED"],
    ["B2", [0x4232], "PLUGGED_IN:INITIALIZING"],
    ["C1", [0x4331], "PLUGGED_IN:STOPPED"],
    ["D2", [0x4432], "PLUGGED_IN:CHARGING"],
    ["E", [0x4500], "PLUGGED_IN:FAULT"],
    ["G7", [0x4737], "UNKNOWN"],
  ])("%s", async (_name, words, state) => {
    const told = await readAll(await profileDriver(alfenNg9xx, eve(words, TEN_A)));
    expect(told).toMatchObject({ "charger.state": state });
  });

  test("a limit is a float with function 16, and holds for 60 s", async () => {
    const unit = eve([0x4332], TEN_A);
    const driver = await profileDriver(alfenNg9xx, unit);
    expect(driver.controls.map(({ point, holdMs }) => [point, holdMs])).toEqual([
      ["charger.maxCurrent", 60_000],
      ["charger.enabled", 60_000],
    ]);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 12.5, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes).toEqual([
      [1_210, [0x4148, 0x0000], 16],
      [1_210, [0x0000, 0x0000], 16],
      [1_210, [0x4148, 0x0000], 16],
    ]);
  });

  test("a limit that is set or renewed while charging is stopped keeps it stopped, and shows", async () => {
    const unit = eve([0x4231], NOTHING);
    const driver = await profileDriver(alfenNg9xx, unit);
    expect(await readAll(driver)).toMatchObject({ "charger.enabled": false, "charger.maxCurrent": null });
    await driver.write("charger.maxCurrent", 12.5, calm);
    expect(unit.writes).toEqual([[1_210, [0x0000, 0x0000], 16]]);
    expect(await readAll(driver)).toMatchObject({ "charger.enabled": false, "charger.maxCurrent": 12.5 });
  });

  test("a start without a limit ever set goes on with what is there, at least 6 A", async () => {
    const stopped = eve([0x4231], NOTHING);
    const driver = await profileDriver(alfenNg9xx, stopped);
    await readAll(driver);
    await driver.write("charger.enabled", true, calm);
    expect(stopped.writes).toEqual([[1_210, [0x40c0, 0x0000], 16]]);

    const running = eve([0x4332], TEN_A);
    const other = await profileDriver(alfenNg9xx, running);
    await readAll(other);
    await other.write("charger.enabled", true, calm);
    expect(running.writes).toEqual([[1_210, [0x4120, 0x0000], 16]]);
  });
});

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
