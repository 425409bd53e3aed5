import { describe, expect, test } from "vitest";
import { sofarHydG3 } from "../../../../adapters/modbus/profiles/sofar-hyd-g3.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

function sofar(mode: number): FakeUnit {
  const unit = new FakeUnit();
  // 1.23 kW of import: the meter counts export.
  unit.set("holding", 1160, 0xff85).set("holding", 1170, 530, 0xff9c).set("holding", 1181, 0, 5);
  unit.set("holding", 1192, 0, 0).set("holding", 1414, 210).set("holding", 1417, 95).set("holding", 1420, 0);
  unit.set("holding", 1542, 0xffce).set("holding", 1544, 47);
  return unit.set("holding", 1670, 1, 2).set("holding", 1678, 0, 30).set("holding", 4368, mode);
}

describe("Sofar HYD", () => {
  test("powers are steps of 10 W; the battery counts charging as positive", async () => {
    expect(await readAll(await profileDriver(sofarHydG3, sofar(0)))).toMatchObject({
      "meter.power": 1_230,
      "meter.power.l1": 1_000,
      "meter.power.l2": -50,
      "meter.current.l1": 5.3,
      "inverter.power": 3_050,
      "inverter.energy": 6_553_800,
      "meter.energyImport": 3_000,
      "battery.power": -500,
      "battery.status": "DISCHARGING",
      "battery.soc": 47,
      "battery.mode": "SELF_RELIANCE",
    });
  });

  test("a forced charge is passive mode and one block of three powers", async () => {
    const unit = sofar(0);
    const driver = await profileDriver(sofarHydG3, unit);
    expect(driver.controls).toMatchObject([{ holdMs: null, values: ["SELF_RELIANCE", "IMPORT_FOCUS"] }]);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [4368, [3], 16],
      [4487, [0, 0, 0, 2_000, 0, 2_000], 16],
    ]);
    unit.set("holding", 4368, 3);
    expect(await readAll(driver)).toMatchObject({ "battery.mode": "IMPORT_FOCUS" });
  });

  test.each([
    [1, "TIME_OF_USE"],
    [2, "TIME_OF_USE"],
    // Passive by somebody else, or by us before a restart.
    [3, null],
    [4, "UNKNOWN"],
  ])("mode %i is %s", async (mode, shown) => {
    expect(await readAll(await profileDriver(sofarHydG3, sofar(mode)))).toMatchObject({ "battery.mode": shown });
  });

  test("the mode is written only to change it", async () => {
    const unit = sofar(0);
    await (await profileDriver(sofarHydG3, unit)).write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([]);
  });
});
