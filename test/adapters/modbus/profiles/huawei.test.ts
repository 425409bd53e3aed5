import { describe, expect, test } from "vitest";
import { huaweiEmma } from "../../../../adapters/modbus/profiles/huawei-emma.ts";
import { huaweiSun2000Luna } from "../../../../adapters/modbus/profiles/huawei-sun2000-luna.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

const CONFIRMED = { confirmUnverified: true };

/** 4.5 kW of sun, 2 kW of it into the battery, 500 W to the grid. */
function luna(): FakeUnit {
  const unit = zeroUnit(huaweiSun2000Luna);
  unit.set("holding", 32064, 0, 4_500).set("holding", 32108, 0x0001, 0x86a0);
  unit.set("holding", 37101, 0, 2_301, 0, 2_299, 0, 2_310, 0xffff, 0xff38).set("holding", 37113, 0, 500);
  unit.set("holding", 37119, 0, 1_234, 0, 5_678).set("holding", 37132, 0, 700, 0xffff, 0xff9c, 0x7fff, 0xffff);
  unit.set("holding", 47000, 2).set("holding", 37758, 0, 10_000, 873, 0, 2).set("holding", 37765, 0, 2_000);
  unit.set("holding", 37046, 0, 5_000, 0, 4_800).set("holding", 47075, 0, 5_000, 0, 4_800).set("holding", 47082, 50);
  return unit;
}

describe("SUN2000 with LUNA2000", () => {
  test("sun, storage and meter, from the grid's view in what the meter counts as given", async () => {
    expect(await readAll(await profileDriver(huaweiSun2000Luna, luna()))).toMatchObject({
      "inverter.power": 4_500,
      "inverter.energy": 1_000_000,
      "meter.power": -500,
      "meter.power.l1": -700,
      "meter.power.l2": 100,
      "meter.power.l3": null,
      "meter.voltage.l1": 230.1,
      "meter.current.l1": 2,
      "meter.energyExport": 12_340,
      "meter.energyImport": 56_780,
      "battery.power": 2_000,
      "battery.status": "CHARGING",
      "battery.soc": 87.3,
      "battery.capacity": 10_000,
      "battery.reserve": 5,
      "battery.mode": "SELF_RELIANCE",
    });
  });

  test("an inverter without storage and meter tells neither", async () => {
    const unit = luna().set("holding", 37113, 0x7fff, 0xffff).set("holding", 37760, 0xffff);
    unit.set("holding", 37765, 0x7fff, 0xffff).set("holding", 37762, 2);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({
      "meter.power": null,
      "battery.soc": null,
      "battery.power": null,
      "battery.status": null,
    });
  });

  test.each([
    [0, 0, "UNKNOWN"],
    [1, 500, "IDLE"],
    [3, 0, "FAULT"],
    [4, 0, "IDLE"],
    [2, 10, "IDLE"],
    [2, -900, "DISCHARGING"],
  ])("storage status %i at %i W is %s", async (status, power, shown) => {
    const unit = luna()
      .set("holding", 37762, status)
      .set("holding", 37765, power >>> 16, power);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({ "battery.status": shown });
  });

  test.each([
    [1, 2_500, 5_000, "IMPORT_FOCUS"],
    [1, 0, 5_000, "IDLE"],
    [2, 0, 5_000, "EXPORT_FOCUS"],
    [0, 0, 0, "IDLE"],
    [7, 0, 5_000, "UNKNOWN"],
  ])("command %i with a power of %i W and limits of %i W is %s", async (command, power, limit, mode) => {
    const unit = luna().set("holding", 47100, command).set("holding", 47075, 0, limit, 0, limit);
    unit.set("holding", 47247, 0, power);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({ "battery.mode": mode });
  });

  test("a forced charge sets power and period before the command, and leaves what is stored and right", async () => {
    const unit = luna().set("holding", 47087, 1).set("holding", 47246, 0).set("holding", 47247, 0, 0);
    const driver = await profileDriver(huaweiSun2000Luna, unit);
    await readAll(driver);
    expect(driver.controls).toMatchObject([{ values: ["SELF_RELIANCE", "IMPORT_FOCUS"], holdMs: 120_000 }]);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [47247, [0, 2_000], 16],
      [47083, [2], 6],
      [47100, [1], 6],
    ]);
    unit.writes.length = 0;
    unit.set("holding", 47247, 0, 2_000).set("holding", 47100, 1);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [47083, [2], 6],
      [47100, [1], 6],
    ]);
  });

  test("a charge takes no more than the storage can, and permits charging from the grid", async () => {
    const unit = luna().set("holding", 37046, 0, 1_500).set("holding", 47087, 0).set("holding", 47246, 1);
    unit.set("holding", 47075, 0, 0);
    unit.set("holding", 47247, 0, 0);
    const driver = await profileDriver(huaweiSun2000Luna, unit);
    await readAll(driver);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [47075, [0, 1_500], 16],
      [47087, [1], 6],
      [47247, [0, 1_500], 16],
      [47083, [2], 6],
      [47246, [0], 6],
      [47100, [1], 6],
    ]);
  });

  test("nothing is sent before it is known what the storage can take", async () => {
    const unit = luna();
    const driver = await profileDriver(huaweiSun2000Luna, unit);
    await expect(driver.write("battery.mode", "IMPORT_FOCUS", calm)).rejects.toMatchObject({ kind: "rejected" });
    expect(unit.writes).toEqual([]);
  });

  test("confirmed, IDLE is a charge of 0 W, which ends by itself", async () => {
    const unit = luna().set("holding", 47246, 0).set("holding", 47247, 0, 2_000);
    const driver = await profileDriver(huaweiSun2000Luna, unit, CONFIRMED);
    await driver.write("battery.mode", "IDLE", calm);
    expect(unit.writes).toEqual([
      [47247, [0, 0], 16],
      [47083, [2], 6],
      [47100, [1], 6],
    ]);
  });

  test("SELF_RELIANCE ends what is forced, lifts limits of 0 and leaves the owner's", async () => {
    const unit = luna().set("holding", 47100, 2).set("holding", 47075, 0, 3_000, 0, 0);
    const driver = await profileDriver(huaweiSun2000Luna, unit);
    await readAll(driver);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [47100, [0], 6],
      [47077, [0, 4_800], 16],
    ]);
  });

  test("confirmed, a forced discharge is the charge mirrored", async () => {
    const unit = luna().set("holding", 47246, 0).set("holding", 47249, 0, 0);
    const driver = await profileDriver(huaweiSun2000Luna, unit, { ...CONFIRMED, settings: { maxDischargeW: 9_000 } });
    await readAll(driver);
    await driver.write("battery.mode", "EXPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [47249, [0, 4_800], 16],
      [47083, [2], 6],
      [47100, [2], 6],
    ]);
  });
});

test("an EMMA speaks for the house, and its total of discharged energy is not the day's", async () => {
  const unit = zeroUnit(huaweiEmma);
  unit.set("holding", 30308, 0, 0, 0x0001, 0x0000, 0, 777, 0, 0, 0, 50_000).set("holding", 30348, 0, 0, 0, 12_345);
  unit.set("holding", 30354, 0, 3_000, 0, 1_700).set("holding", 30360, 0xffff, 0xfc18).set("holding", 30368, 5_550);
  unit.set("holding", 31639, 0, 23_012).set("holding", 31651, 0xffff, 0xffe7).set("holding", 31657, 0xffff, 0xfed4);
  unit.set("holding", 31665, 0x7fff, 0xffff).set("holding", 31679, 0, 0, 0, 4_321);
  const driver = await profileDriver(huaweiEmma, unit);
  expect(await readAll(driver)).toMatchObject({
    "inverter.power": 3_000,
    "inverter.energy": 123_450,
    "hem.load": 1_700,
    "battery.power": -1_000,
    "battery.status": "DISCHARGING",
    "battery.soc": 55.5,
    "battery.energyCharged": 655_360,
    "battery.energyDischarged": 500_000,
    "meter.power": -300,
    "meter.power.l1": null,
    "meter.voltage.l1": 230.12,
    "meter.current.l1": -2.5,
    "meter.energyImport": 43_210,
  });
  expect(driver.controls).toEqual([]);
});

describe("a SUN2000", () => {
  const sun = () => zeroUnit(huaweiSun2000Luna).set("holding", 32064, 0, 4_500).set("holding", 32080, 0, 4_300);

  test("without storage tells the power and yield of its AC side, with one those of its modules", async () => {
    const unit = sun().set("holding", 32106, 0, 700).set("holding", 32108, 0, 900);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({
      "inverter.power": 4_300,
      "inverter.energy": 7_000,
    });
    unit.set("holding", 47000, 2);
    expect(await readAll(await profileDriver(huaweiSun2000Luna, unit))).toMatchObject({
      "inverter.power": 4_500,
      "inverter.energy": 9_000,
    });
  });

  test("tells its model and serial number", async () => {
    const words = (text: string) =>
      [...text.matchAll(/../g)].map(([pair]) => pair.charCodeAt(0) * 256 + pair.charCodeAt(1));
    const unit = sun()
      .set("holding", 30000, ...words("SUN2000-10KTL-M1"))
      .set("holding", 30015, ...words("HV21A0B12345"));
    const { identity } = await profileDriver(huaweiSun2000Luna, unit);
    expect(identity).toMatchObject({ model: "SUN2000-10KTL-M1", serial: "HV21A0B12345" });
  });
});
