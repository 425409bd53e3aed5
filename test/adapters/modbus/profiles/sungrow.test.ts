import { describe, expect, test } from "vitest";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import { sungrowIhm } from "../../../../adapters/modbus/profiles/sungrow-ihm.ts";
import { sungrowSg } from "../../../../adapters/modbus/profiles/sungrow-sg.ts";
import { sungrowSh } from "../../../../adapters/modbus/profiles/sungrow-sh.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

/** 5.6 kW of sun; 300 W to the grid; the battery gives 1.2 kW. */
function sh(): FakeUnit {
  const unit = zeroUnit(sungrowSh);
  // "A2290712345" in ten registers.
  unit.set("input", 4989, 0x4132, 0x3239, 0x3037, 0x3132, 0x3334, 0x3500, 0, 0, 0, 0);
  unit.set("input", 5016, 5_600, 0).set("input", 5213, 1_200, 0).set("input", 5627, 106).set("input", 5638, 960);
  unit
    .set("input", 5602, 0xff38, 0xffff, 0xffff, 0x7fff, 400, 0)
    .set("input", 5740, 2_301, 0x7fff, 2_299, 512, 0xffff, 3);
  unit.set("input", 13000, 0b0001_0101).set("input", 13002, 0x0001, 0x0001, 0, 0, 0, 6_500, 0, 300, 0);
  unit.set("input", 13021, 1_199, 655).set("input", 13026, 4_000, 0).set("input", 13036, 100, 0);
  return unit.set("input", 13040, 5_000, 0).set("input", 13045, 200, 0).set("holding", 13058, 100);
}

describe("Sungrow SH", () => {
  test("numbers have their low word first, export and discharge count as positive there", async () => {
    const driver = await profileDriver(sungrowSh, sh());
    expect(driver.identity).toMatchObject({ manufacturer: "Sungrow", serial: "A2290712345" });
    expect(await readAll(driver)).toMatchObject({
      "inverter.power": 5_600,
      "inverter.energy": 6_553_700,
      "meter.power": -300,
      "meter.power.l1": -200,
      "meter.power.l2": null,
      "meter.power.l3": 400,
      "meter.voltage.l1": 230.1,
      "meter.voltage.l2": null,
      "meter.current.l1": 5.12,
      "meter.current.l2": null,
      "meter.energyImport": 10_000,
      "meter.energyExport": 20_000,
      "hem.load": 6_500,
      "battery.power": -1_200,
      "battery.status": "DISCHARGING",
      "battery.soc": 65.5,
      "battery.capacity": 9_600,
      "battery.reserve": 10,
      "battery.energyCharged": 500_000,
      "battery.energyDischarged": 400_000,
    });
  });

  test.each([
    ["size only, charging", 0b0011, 800, 800, "CHARGING"],
    ["size only, discharging", 0b0101, 800, -800, "DISCHARGING"],
    ["signed, charging", 0b0011, -800, 800, "CHARGING"],
    ["at rest", 0b0001, 0, 0, "IDLE"],
  ])("old firmware: %s", async (_name, flow, told, power, status) => {
    const unit = sh().set("input", 13000, flow).set("input", 13021, told);
    unit.failures.set(5213, new ModbusException(2, "reading"));
    expect(await readAll(await profileDriver(sungrowSh, unit))).toMatchObject({
      "battery.power": power,
      "battery.status": status,
    });
  });

  test.each([
    [0, 204, "SELF_RELIANCE"],
    [2, 204, "IDLE"],
    [2, 170, "IMPORT_FOCUS"],
    [2, 187, "EXPORT_FOCUS"],
    [2, 0, "UNKNOWN"],
    [3, 170, "UNKNOWN"],
  ])("EMS mode %i with command %i is %s", async (mode, command, shown) => {
    const unit = sh().set("holding", 13049, mode, command);
    expect(await readAll(await profileDriver(sungrowSh, unit))).toMatchObject({ "battery.mode": shown });
  });

  test.each([
    ["SELF_RELIANCE", [[13049, [0], 6]]],
    ["IDLE", []],
    [
      "IMPORT_FOCUS",
      [
        [13050, [170], 6],
        [13051, [8_000], 6],
      ],
    ],
    [
      "EXPORT_FOCUS",
      [
        [13050, [187], 6],
        [13051, [5_000], 6],
      ],
    ],
  ] as const)("%s writes only registers that hold something else", async (mode, writes) => {
    const unit = sh().set("holding", 13049, 2, 204, 0);
    const settings = { maxChargeW: 8_000, maxDischargeW: 8_000 };
    const driver = await profileDriver(sungrowSh, unit, { confirmUnverified: false, settings });
    await readAll(driver);
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual(writes);
    // Nothing ends it but the gateway.
    expect(driver.controls).toMatchObject([{ holdMs: null, safeDefault: "SELF_RELIANCE" }]);
  });

  test("a charge keeps to what the converter is made for", async () => {
    const unit = sh().set("input", 5627, 46).set("holding", 13049, 0, 204, 0);
    const driver = await profileDriver(sungrowSh, unit, { confirmUnverified: false, settings: { maxChargeW: 8_000 } });
    await readAll(driver);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [13049, [2], 6],
      [13050, [170], 6],
      [13051, [4_600], 6],
    ]);
  });
});

test("an SG without a meter tells its sun, and kWh as Wh", async () => {
  const unit = zeroUnit(sungrowSg).set("input", 5003, 20_000, 0).set("input", 5030, 0x1170, 0x0001);
  unit.set("input", 5082, 0xffff, 0x7fff).set("input", 5098, 0xffff, 0xffff);
  const driver = await profileDriver(sungrowSg, unit);
  expect(await readAll(driver)).toEqual({
    "inverter.power": 70_000,
    "inverter.energy": 20_000_000,
    "meter.power": null,
    "meter.energyImport": null,
  });
  unit.set("input", 5082, 0xfe0c, 0xffff).set("input", 5098, 77, 0);
  expect(await readAll(driver)).toMatchObject({ "meter.power": -500, "meter.energyImport": 7_700 });
});

test("an iHomeManager counts power in 10 W and discharge as positive", async () => {
  const unit = zeroUnit(sungrowIhm).set("input", 8154, 480, 0, 0xffe2, 0xffff).set("input", 8160, 0xff9c, 0xffff, 555);
  unit.set("input", 8175, 10, 0, 20, 0).set("input", 8558, 0xff9c, 0xffff).set("input", 4356, 2_305);
  const driver = await profileDriver(sungrowIhm, unit);
  expect(await readAll(driver)).toMatchObject({
    "inverter.power": 4_800,
    "meter.power": -300,
    "meter.power.l1": -100,
    "meter.voltage.l1": 230.5,
    "meter.energyImport": 1_000,
    "meter.energyExport": 2_000,
    "battery.power": 1_000,
    "battery.status": "CHARGING",
    "battery.soc": 55.5,
  });
  expect(driver.controls).toEqual([]);
});

describe("a Sungrow SH whose register 13000 stays 0", () => {
  test.each([
    [0xfa24, 0xffff, "CHARGING", 1_500],
    [1_500, 0, "DISCHARGING", -1_500],
    [10, 0, "IDLE", -10],
  ])("tells by its power what the battery does", async (low, high, status, watts) => {
    const unit = zeroUnit(sungrowSh).set("input", 5213, low, high);
    expect(await readAll(await profileDriver(sungrowSh, unit))).toMatchObject({
      "battery.power": watts,
      "battery.status": status,
    });
  });
});
