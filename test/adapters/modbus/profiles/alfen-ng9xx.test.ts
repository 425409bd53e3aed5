import { describe, expect, test } from "vitest";
import { alfenNg9xx } from "../../../../adapters/modbus/profiles/alfen-ng9xx.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

/** An Eve with one phase in use; the others answer NaN. */
function eve(state: readonly number[], limit: readonly number[]): FakeUnit {
  const unit = new FakeUnit();
  unit.set("holding", 306, 0x4366, 0x8000, 0xffff, 0xffff, 0xffff, 0xffff);
  unit.set("holding", 320, 0x4120, 0x0000, 0xffff, 0xffff, 0xffff, 0xffff);
  unit.set("holding", 344, 0x450f, 0xc000).set("holding", 374, 0x4150, 0x7bba, 0x0000, 0x0000);
  return unit
    .set("holding", 1_201, ...state, 0, 0, 0, 0)
    .set("holding", 1_210, ...limit)
    .set("holding", 1_215, 3);
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
      "charger.phases": 3,
    });
  });

  test("one phase or three, with function 16 and without a timer", async () => {
    const unit = eve([0x4231], NOTHING);
    const driver = await profileDriver(alfenNg9xx, unit);
    await driver.write("charger.phases", 1, calm);
    await driver.write("charger.phases", 3, calm);
    expect(unit.writes).toEqual([
      [1_215, [1], 16],
      [1_215, [3], 16],
    ]);
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
      ["charger.phases", null],
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
