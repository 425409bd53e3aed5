import { describe, expect, test } from "vitest";
import { deye1p } from "../../../../adapters/modbus/profiles/deye-1p.ts";
import { deye3p } from "../../../../adapters/modbus/profiles/deye-3p.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

/** Sun from two of four inputs; the battery, of 52 V, takes 1.5 kW; 240 W to the grid. */
function threePhase(): FakeUnit {
  const unit = zeroUnit(deye3p).set("holding", 108, 100, 120).set("holding", 127, 20).set("holding", 130, 1);
  unit.set("holding", 128, 0).set("holding", 166, 20, 20, 20, 20, 20, 20).set("holding", 146, 255);
  unit.set("holding", 516, 10, 1, 20, 0).set("holding", 522, 30, 0, 40, 0).set("holding", 534, 50, 0);
  unit.set("holding", 587, 5_200, 64).set("holding", 590, 0xfa24).set("holding", 598, 2_301, 2_299, 2_305);
  unit.set("holding", 613, 0xff38, 150, 0).set("holding", 625, 0xff10).set("holding", 653, 1_700);
  return unit.set("holding", 672, 2_000, 1_440, 0, 0);
}

describe("Deye, three phases", () => {
  test("battery, sun and meter, with the low word of a counter first", async () => {
    expect(await readAll(await profileDriver(deye3p, threePhase()))).toMatchObject({
      "inverter.power": 3_440,
      "inverter.energy": 5_000,
      "battery.power": 1_500,
      "battery.status": "CHARGING",
      "battery.soc": 64,
      "battery.energyCharged": 6_554_600,
      "battery.energyDischarged": 2_000,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": -240,
      "meter.voltage.l3": 230.5,
      "meter.current.l1": -2,
      "meter.energyImport": 3_000,
      "meter.energyExport": 4_000,
      "hem.load": 1_700,
    });
  });

  test("a model of high voltage counts battery and sun in 10 W", async () => {
    const settings = { wattsPerCount: 10 };
    const driver = await profileDriver(deye3p, threePhase(), { confirmUnverified: false, settings });
    expect(await readAll(driver)).toMatchObject({
      "inverter.power": 34_400,
      "battery.power": 15_000,
      "meter.power": -240,
    });
  });

  test.each([
    ["both limits at 0", { 108: 0, 109: 0 }, "IDLE"],
    ["discharging at 0", { 109: 0 }, "UNKNOWN"],
    ["a charge from the grid", { 127: 95, 130: 1, 146: 0 }, "IMPORT_FOCUS"],
    ["a charge that the programs rule", { 127: 95, 130: 1, 146: 1 }, "SELF_RELIANCE"],
    ["a charge that is not permitted", { 127: 95, 130: 0, 146: 0 }, "SELF_RELIANCE"],
  ])("%s", async (_name, registers, mode) => {
    const unit = threePhase();
    for (const [address, value] of Object.entries(registers)) unit.set("holding", Number(address), value);
    expect(await readAll(await profileDriver(deye3p, unit))).toMatchObject({ "battery.mode": mode });
  });

  test("a charge from the grid is set in A of the battery's voltage, and flash only to change it", async () => {
    const unit = threePhase();
    const driver = await profileDriver(deye3p, unit);
    await readAll(driver);
    expect(driver.controls).toMatchObject([
      { values: ["SELF_RELIANCE", "IMPORT_FOCUS"], holdMs: null, safeDefault: "SELF_RELIANCE" },
    ]);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      // 2000 W at 52 V
      [128, [38], 16],
      [127, [95], 16],
      [146, [0], 16],
    ]);
    unit.set("holding", 127, 95, 38).set("holding", 146, 0);
    unit.writes.length = 0;
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([]);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [127, [20], 16],
      [146, [255], 16],
    ]);
  });

  test("no charge is so strong that it exceeds maxChargeA", async () => {
    const unit = threePhase();
    const settings = { maxChargeW: 8_000, maxChargeA: 60 };
    const driver = await profileDriver(deye3p, unit, { confirmUnverified: false, settings });
    await readAll(driver);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toContainEqual([128, [60], 16]);
  });

  test("confirmed, IDLE closes both limits, and what follows opens them though they were not read since", async () => {
    const unit = threePhase();
    const driver = await profileDriver(deye3p, unit, { confirmUnverified: true });
    await readAll(driver);
    await driver.write("battery.mode", "IDLE", calm);
    expect(unit.writes).toEqual([
      [109, [0], 16],
      [108, [0], 16],
    ]);
    unit.set("holding", 108, 0, 0);
    unit.writes.length = 0;
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [108, [50], 16],
      [109, [50], 16],
    ]);
  });
});

/** 1 kW of sun; the battery gives 400 W; 70,000.5 kWh imported. */
function singlePhase(): FakeUnit {
  const unit = zeroUnit(deye1p).set("holding", 72, 1, 0, 2, 0).set("holding", 78, 44_645).set("holding", 80, 10);
  unit.set("holding", 81, 3, 0).set("holding", 96, 4, 0).set("holding", 169, 0xff9c).set("holding", 178, 1_300);
  unit.set("holding", 183, 5_000, 47).set("holding", 186, 600, 400).set("holding", 190, 400);
  unit.set("holding", 230, 0).set("holding", 232, 0).set("holding", 248, 0);
  unit.set("holding", 268, 20, 20, 20, 20, 20, 20);
  return unit.set("holding", 274, 0, 0, 0, 0, 0, 0);
}

describe("Deye, one phase", () => {
  test("the words of imported energy are two registers apart", async () => {
    expect(await readAll(await profileDriver(deye1p, singlePhase()))).toMatchObject({
      "inverter.power": 1_000,
      "inverter.energy": 400,
      "battery.power": -400,
      "battery.status": "DISCHARGING",
      "battery.soc": 47,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": -100,
      "meter.energyImport": 70_000_500,
      "meter.energyExport": 300,
      "hem.load": 1_300,
    });
  });

  test("its control waits for confirmation, and then moves all six programs", async () => {
    expect(await profileDriver(deye1p, singlePhase())).toMatchObject({ controls: [], unconfirmed: ["battery.mode"] });
    const unit = singlePhase();
    const driver = await profileDriver(deye1p, unit, { confirmUnverified: true });
    await readAll(driver);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [230, [40], 16],
      [268, [95, 95, 95, 95, 95, 95], 16],
      [274, [1, 1, 1, 1, 1, 1], 16],
      [232, [1], 16],
      [248, [1], 16],
    ]);
    unit.set("holding", 268, 95, 95, 95, 95, 95, 95).set("holding", 274, 1, 1, 1, 1, 1, 1);
    unit.set("holding", 232, 1).set("holding", 248, 1);
    expect(await readAll(driver)).toMatchObject({ "battery.mode": "IMPORT_FOCUS" });
    unit.writes.length = 0;
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [274, [0, 0, 0, 0, 0, 0], 16],
      [268, [20, 20, 20, 20, 20, 20], 16],
    ]);
  });
});

describe("a Deye with three phases", () => {
  const highVoltage = (firmware: number) => {
    const unit = zeroUnit(deye3p).set("holding", 0, 6).set("holding", 15, firmware).set("holding", 516, 30, 0);
    return unit.set("holding", 534, 50, 0).set("holding", 590, 0xff9c).set("holding", 672, 200);
  };

  test("of high voltage is recognized by register 0: battery and sun count 10 W", async () => {
    expect(await readAll(await profileDriver(deye3p, highVoltage(0x1095)))).toMatchObject({
      "inverter.power": 2_000,
      "battery.power": 1_000,
      "battery.energyCharged": 3_000,
      "inverter.energy": 5_000,
    });
  });

  test("counts whole kWh from firmware 1098 on, where it is of high voltage", async () => {
    const newest = await readAll(await profileDriver(deye3p, highVoltage(0x1098)));
    expect(newest).toMatchObject({ "battery.energyCharged": 30_000, "inverter.energy": 50_000 });
    const lowVoltage = highVoltage(0x1098).set("holding", 0, 5);
    expect(await readAll(await profileDriver(deye3p, lowVoltage))).toMatchObject({
      "inverter.power": 200,
      "battery.energyCharged": 3_000,
    });
  });

  test("counts microinverters at its generator port as sun, and a generator not", async () => {
    const unit = zeroUnit(deye3p).set("holding", 672, 1_000).set("holding", 667, 600);
    expect((await readAll(await profileDriver(deye3p, unit)))["inverter.power"]).toBe(1_000);
    unit.set("holding", 133, 2);
    expect((await readAll(await profileDriver(deye3p, unit)))["inverter.power"]).toBe(1_600);
  });
});
