import { describe, expect, test } from "vitest";
import { alphaEssSmile } from "../../../../adapters/modbus/profiles/alpha-ess-smile.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

function alpha(timeFlag: number, cutSoc: number): FakeUnit {
  const unit = new FakeUnit();
  unit.set("holding", 16, 0, 100, 0, 200).set("holding", 23, 0xffec, 10, 0).set("holding", 33, 0xffff, 0xfda8);
  unit.set("holding", 161, 0, 300).set("holding", 258, 505).set("holding", 288, 0, 11, 0, 12);
  // 750 W are discharged.
  unit.set("holding", 294, 750).set("holding", 1055, 0, 1_000).set("holding", 1059, 0, 2_000);
  return unit.set("holding", 1086, 0, 40).set("holding", 2127, timeFlag).set("holding", 2133, cutSoc);
}

describe("Alpha ESS", () => {
  test("import is positive at the meter, discharge in the battery's register", async () => {
    expect(await readAll(await profileDriver(alphaEssSmile, alpha(0, 100)))).toMatchObject({
      "meter.power": -600,
      "meter.current.l1": -2,
      "meter.energyExport": 1_000,
      "meter.energyImport": 2_000,
      "inverter.power": 3_300,
      "inverter.energy": 4_000,
      "battery.soc": 50.5,
      "battery.power": -750,
      "battery.energyCharged": 1_100,
      "battery.energyDischarged": 1_200,
      "battery.mode": "SELF_RELIANCE",
    });
  });

  test.each([
    [0, 10, "SELF_RELIANCE"],
    [1, 100, "IMPORT_FOCUS"],
    // The owner's own charging times up to half.
    [1, 50, "TIME_OF_USE"],
    [2, 100, "TIME_OF_USE"],
    [3, 100, "TIME_OF_USE"],
  ])("flag %i up to %i %% is %s", async (flag, cut, shown) => {
    expect(await readAll(await profileDriver(alphaEssSmile, alpha(flag, cut)))).toMatchObject({
      "battery.mode": shown,
    });
  });

  test("a forced charge writes the flag and the end, each only to change it", async () => {
    const unit = alpha(0, 100);
    const driver = await profileDriver(alphaEssSmile, unit, { confirmUnverified: false, settings: { maxSoc: 90 } });
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    unit.set("holding", 2127, 1).set("holding", 2133, 90);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [2127, [1], 16],
      [2133, [90], 16],
      [2127, [0], 16],
    ]);
  });
});
