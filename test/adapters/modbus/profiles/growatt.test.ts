import { describe, expect, test } from "vitest";
import { growattSph } from "../../../../adapters/modbus/profiles/growatt-sph.ts";
import { growattTlxh } from "../../../../adapters/modbus/profiles/growatt-tlxh.ts";
import { calm } from "../bus/bus-world.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

describe("Growatt SPH", () => {
  test("direction is which of two registers counts", async () => {
    const unit = zeroUnit(growattSph).set("input", 1, 0, 30_005).set("input", 91, 0x0001, 0x0000);
    unit
      .set("input", 1009, 0, 0, 0, 8_000)
      .set("input", 1014, 88)
      .set("input", 1029, 0, 5_000)
      .set("input", 1037, 0, 12_000);
    unit.set("input", 1046, 0, 1).set("input", 1050, 0, 2).set("input", 1054, 0, 3).set("input", 1058, 0, 4);
    expect(await readAll(await profileDriver(growattSph, unit))).toEqual({
      "inverter.power": 3_000.5,
      "inverter.energy": 6_553_600,
      "battery.power": 800,
      "battery.status": "CHARGING",
      "battery.soc": 88,
      "battery.energyDischarged": 300,
      "battery.energyCharged": 400,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": -500,
      "meter.energyImport": 100,
      "meter.energyExport": 200,
      "hem.load": 1_200,
    });
  });

  test.each([
    [0, 0, "SELF_RELIANCE"],
    [0, 1, "SELF_RELIANCE"],
    [1, 1, "IMPORT_FOCUS"],
    [1, 0, "UNKNOWN"],
  ])("battery first %i with grid charge %i is %s", async (first, grid, mode) => {
    const unit = zeroUnit(growattSph).set("holding", 1102, first).set("holding", 1092, grid);
    expect(await readAll(await profileDriver(growattSph, unit))).toMatchObject({ "battery.mode": mode });
  });

  test("only the release is sure; confirmed, a charge covers the day and writes flash only to change it", async () => {
    const unit = zeroUnit(growattSph).set("holding", 1090, 100).set("holding", 1100, 0x0600, 0x0800, 0);
    expect((await profileDriver(growattSph, unit)).controls).toMatchObject([
      { values: ["SELF_RELIANCE"], holdMs: null },
    ]);
    const driver = await profileDriver(growattSph, unit, { confirmUnverified: true, settings: { maxChargePct: 40 } });
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [1100, [0], 16],
      [1101, [0x173b], 16],
      [1090, [40], 16],
      [1102, [1], 16],
      [1092, [1], 16],
    ]);
    unit.set("holding", 1090, 40, 0, 1).set("holding", 1100, 0, 0x173b, 1);
    unit.writes.length = 0;
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([]);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [1102, [0], 16],
      [1092, [0], 16],
    ]);
  });
});

describe("Growatt TL-XH", () => {
  test("reads the range of 3000", async () => {
    const unit = zeroUnit(growattTlxh).set("input", 3001, 0, 41_000).set("input", 3041, 0, 2_500, 0, 0, 0, 9_000);
    unit.set("input", 3053, 0, 10).set("input", 3069, 0, 20).set("input", 3073, 0, 30).set("input", 3127, 0, 40);
    unit.set("input", 3131, 0, 50).set("input", 3171, 33).set("input", 3178, 0x0001, 0x0000, 0, 0);
    expect(await readAll(await profileDriver(growattTlxh, unit))).toEqual({
      "inverter.power": 4_100,
      "inverter.energy": 1_000,
      "battery.power": -6_553.6,
      "battery.status": "DISCHARGING",
      "battery.soc": 33,
      "battery.energyDischarged": 4_000,
      "battery.energyCharged": 5_000,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": 250,
      "meter.energyImport": 2_000,
      "meter.energyExport": 3_000,
      "hem.load": 900,
    });
  });

  test.each([
    ["off", [0x2000, 0x173b], 0, "SELF_RELIANCE"],
    ["battery first from the grid", [0xa000, 0x173b], 1, "IMPORT_FOCUS"],
    ["battery first", [0xa000, 0x173b], 0, "UNKNOWN"],
    ["the owner's own", [0xc600, 0x0a00], 1, "TIME_OF_USE"],
  ] as const)("slot 1 is %s", async (_name, slot, grid, mode) => {
    const unit = zeroUnit(growattTlxh)
      .set("holding", 3038, ...slot)
      .set("holding", 3049, grid);
    expect(await readAll(await profileDriver(growattTlxh, unit))).toMatchObject({ "battery.mode": mode });
  });

  test("a charge turns slot 1 and charging from the grid on, and writes flash only to change it", async () => {
    const unit = zeroUnit(growattTlxh).set("holding", 3038, 0x2000, 0x173b);
    const driver = await profileDriver(growattTlxh, unit);
    expect(driver.controls).toMatchObject([
      { values: ["SELF_RELIANCE", "IMPORT_FOCUS"], safeDefault: "SELF_RELIANCE" },
    ]);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([]);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [3038, [0xa000, 0x173b], 16],
      [3049, [1], 16],
    ]);
    unit.set("holding", 3038, 0xa000, 0x173b).set("holding", 3049, 1);
    unit.writes.length = 0;
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [3038, [0x2000, 0x173b], 16],
      [3049, [0], 16],
    ]);
  });
});
