import { describe, expect, test } from "vitest";
import { goodweEt } from "../../../../adapters/modbus/profiles/goodwe-et.ts";
import { calm } from "../bus/bus-world.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

describe("GoodWe ET", () => {
  test("two batteries are added; what stays in them is told as reserve", async () => {
    const unit = zeroUnit(goodweEt).set("holding", 35105, 0, 900).set("holding", 35109, 0xffff, 0xffff);
    unit.set("holding", 35182, 0xffff, 0xfc18, 3).set("holding", 35264, 0xffff, 0xff9c).set("holding", 37007, 61);
    unit.set("holding", 35206, 0, 70).set("holding", 35209, 0, 60).set("holding", 36025, 0xffff, 0xff00);
    // 1234.5 as a float of Wh.
    unit.set("holding", 36017, 0x449a, 0x5000).set("holding", 45356, 85).set("holding", 47511, 1, 0);
    expect(await readAll(await profileDriver(goodweEt, unit))).toMatchObject({
      "inverter.power": 900,
      "battery.power": 1_100,
      "battery.status": "CHARGING",
      "battery.soc": 61,
      "battery.reserve": 15,
      "battery.energyCharged": 7_000,
      "battery.energyDischarged": 6_000,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": 256,
      "meter.energyImport": 1_234.5,
    });
  });

  test.each([
    [1, 0, "SELF_RELIANCE"],
    [2, 0, "UNKNOWN"],
    [2, 500, "IMPORT_FOCUS"],
    [3, 500, "EXPORT_FOCUS"],
    [8, 0, "IDLE"],
    [11, 500, "IMPORT_FOCUS"],
    [6, 0, "UNKNOWN"],
  ])("EMS mode %i at %i W is %s", async (mode, power, shown) => {
    const unit = zeroUnit(goodweEt).set("holding", 47511, mode, power);
    expect(await readAll(await profileDriver(goodweEt, unit))).toMatchObject({ "battery.mode": shown });
  });

  test.each([
    ["SELF_RELIANCE", 1, 0],
    ["IDLE", 8, 0],
    ["IMPORT_FOCUS", 2, 2_000],
    ["EXPORT_FOCUS", 3, 2_000],
  ] as const)("%s is mode %i at %i W, written only to change it", async (mode, code, power) => {
    const unit = zeroUnit(goodweEt).set("holding", 47511, 6, 1);
    const driver = await profileDriver(goodweEt, unit, { confirmUnverified: true });
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual([
      [47511, [code], 6],
      [47512, [power], 6],
    ]);
    unit.set("holding", 47511, code, power);
    unit.writes.length = 0;
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual([]);
  });

  test("IDLE, which no driver writes, waits for confirmation", async () => {
    const driver = await profileDriver(goodweEt, zeroUnit(goodweEt));
    expect(driver.controls).toMatchObject([
      { values: ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS"], holdMs: null, safeDefault: "SELF_RELIANCE" },
    ]);
  });
});
