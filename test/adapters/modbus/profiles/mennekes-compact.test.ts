import { describe, expect, test } from "vitest";
import { mennekesCompact } from "../../../../adapters/modbus/profiles/mennekes-compact.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

const HEARTBEAT = [3_328, [0x55aa], 6];

/** Sixteen characters, "1.0.7" and "142A3", padded with NUL. */
function compact(pilot: number, release: number): FakeUnit {
  const unit = new FakeUnit().set("holding", 1, 0x312e, 0x302e, 0x3700, 0, 0, 0, 0, 0);
  unit.set("holding", 19, 0x3134, 0x3241, 0x3300, 0, 0, 0, 0, 0);
  unit.set("holding", 264, pilot).set("holding", 770, 0x4120, 0x0000);
  unit.set("holding", 1_280, 0x4120, 0x0000, 0x0000, 0x0000, 0x3f40, 0x0000);
  unit.set("holding", 1_286, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("holding", 1_298, 0x450f, 0xc000).set("holding", 2_818, 0x40f0, 0x0000);
  return unit.set("holding", 3_333, release).set("holding", 4_096, 0x4640, 0xe6b6);
}

describe("MENNEKES Compact", () => {
  test("floats; energy in kWh becomes Wh", async () => {
    const driver = await profileDriver(mennekesCompact, compact(28, 1));
    expect(driver.identity).toMatchObject({ manufacturer: "MENNEKES", version: "1.0.7", serial: "142A3" });
    expect(await readAll(driver)).toEqual({
      "charger.maxCurrent": 10,
      "charger.current.l1": 10,
      "charger.current.l2": 0,
      "charger.current.l3": 0.75,
      "charger.voltage.l1": 230.5,
      "charger.voltage.l2": 231.25,
      "charger.voltage.l3": 229.75,
      "charger.power": 2_300,
      "charger.energySession": 7_500,
      "charger.energy": 12_345_678,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.enabled": true,
    });
  });

  test.each([
    [10, "UNPLUGGED"],
    [26, "UNPLUGGED"],
    [11, "PLUGGED_IN:STOPPED"],
    [27, "PLUGGED_IN:INITIALIZING"],
    [29, "PLUGGED_IN:CHARGING"],
    [14, "PLUGGED_IN:FAULT"],
    [99, "UNKNOWN"],
  ])("pilot %i is %s", async (pilot, state) => {
    expect(await readAll(await profileDriver(mennekesCompact, compact(pilot, 1)))).toMatchObject({
      "charger.state": state,
    });
  });

  test("the token goes before each write; a limit renewed while stopped releases nothing", async () => {
    const unit = compact(28, 1);
    const driver = await profileDriver(mennekesCompact, unit);
    expect(driver.controls.map(({ holdMs }) => holdMs)).toEqual([10_000, 10_000]);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 12.5, calm);
    await driver.write("charger.enabled", false, calm);
    await driver.write("charger.maxCurrent", 12.5, calm);
    await driver.write("charger.enabled", true, calm);
    expect(unit.writes).toEqual([
      HEARTBEAT,
      [770, [0x4148, 0x0000], 16],
      [3_333, [1], 6],
      HEARTBEAT,
      [3_333, [0], 6],
      HEARTBEAT,
      [770, [0x4148, 0x0000], 16],
      [3_333, [0], 6],
      HEARTBEAT,
      [770, [0x4148, 0x0000], 16],
      [3_333, [1], 6],
    ]);
  });
});
