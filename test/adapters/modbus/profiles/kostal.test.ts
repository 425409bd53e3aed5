import { describe, expect, test } from "vitest";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import { kostalKsem } from "../../../../adapters/modbus/profiles/kostal-ksem.ts";
import { kostalPlenticore } from "../../../../adapters/modbus/profiles/kostal-plenticore.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

/** Values with their IEEE 754 words, upper first. */
const FLOATS = {
  pvPower: [1066, 0x4595, 0x2000], // 4772
  yield: [320, 0x4b18, 0x9680], // 10,000,000
  capacity: [1068, 0x461c, 0x4000], // 10,000
  reserve: [1042, 0x4120, 0x0000], // 10
  homeBattery: [106, 0x42c8, 0x0000], // 100
  homeGrid: [108, 0x4316, 0x0000], // 150
  homePv: [116, 0x447a, 0x0000], // 1000
  power: [252, 0xc3fa, 0x0000], // -500
  powerL1: [224, 0x42c8, 0x0000], // 100
  voltageL2: [240, 0x4366, 0x8000], // 230.5
  currentL3: [242, 0x7fc0, 0x0000], // NaN
} as const;

const READ = {
  "inverter.power": 4_772,
  "inverter.energy": 10_000_000,
  "battery.capacity": 10_000,
  "battery.reserve": 10,
  "battery.power": 1_400,
  "battery.status": "CHARGING",
  "battery.soc": 77,
  "battery.mode": "SELF_RELIANCE",
  "hem.load": 1_250,
  "meter.power": -500,
  "meter.power.l1": 100,
  "meter.voltage.l2": 230.5,
  "meter.current.l3": null,
};

function plenticore(byteOrder: 0 | 1): FakeUnit {
  const unit = zeroUnit(kostalPlenticore).set("holding", 5, byteOrder).set("holding", 514, 77);
  for (const [address, high, low] of Object.values(FLOATS)) {
    unit.set("holding", address, ...(byteOrder === 1 ? [high, low] : [low, high]));
  }
  // -1400: charging.
  return unit.set("holding", 582, 0xfa88);
}

describe("Kostal PLENTICORE", () => {
  test.each([0, 1] as const)("reads the same in byte order %i", async (byteOrder) => {
    expect(await readAll(await profileDriver(kostalPlenticore, plenticore(byteOrder)))).toMatchObject(READ);
  });

  test("without a byte order that of the factory is taken to read, and nothing is written", async () => {
    const unit = plenticore(0);
    unit.failures.set(5, new ModbusException(2, "reading"));
    const driver = await profileDriver(kostalPlenticore, unit);
    expect(await readAll(driver)).toMatchObject(READ);
    await expect(driver.write("battery.mode", "IDLE", calm)).rejects.toMatchObject({ kind: "rejected" });
    expect(unit.writes).toEqual([]);
  });

  test.each([
    ["SELF_RELIANCE", [0x0000, 0x0000]],
    ["IDLE", [0x0000, 0x0000]],
    ["IMPORT_FOCUS", [0xc4fa, 0x0000]], // -2000
    ["EXPORT_FOCUS", [0x451c, 0x4000]], // 2500
  ] as const)("%s is one set point, in the order of the device, for 30 s", async (mode, [high, low]) => {
    for (const byteOrder of [0, 1] as const) {
      const unit = plenticore(byteOrder);
      const settings = { maxDischargeW: 2_500 };
      const driver = await profileDriver(kostalPlenticore, unit, { confirmUnverified: false, settings });
      await readAll(driver);
      expect(driver.controls).toMatchObject([
        { point: "battery.mode", holdMs: 30_000 },
        { point: "battery.powerSetpoint", holdMs: null },
      ]);
      await driver.write("battery.mode", mode, calm);
      expect(unit.writes).toEqual([[1034, byteOrder === 1 ? [high, low] : [low, high], 16]]);
      expect(await readAll(driver)).toMatchObject({ "battery.mode": mode });
    }
  });
});

test("a KSEM's power is import less export, its energy counted in 0.1 Wh", async () => {
  const unit = zeroUnit(kostalKsem).set("holding", 0, 0, 0, 0, 12_345).set("holding", 26, 0, 50_012);
  unit.set("holding", 40, 0x0001, 0x0000, 0, 0).set("holding", 60, 0, 2_500, 0x0003, 0x8270);
  unit.set("holding", 80, 0, 0, 0, 100).set("holding", 512, 0, 0, 0x0001, 0x0005, 0, 0, 0, 25);
  const driver = await profileDriver(kostalKsem, unit);
  expect(await readAll(driver)).toMatchObject({
    "meter.power": -1_234.5,
    "meter.power.l1": 6_553.6,
    "meter.power.l2": -10,
    "meter.power.l3": 0,
    "meter.current.l1": 2.5,
    "meter.voltage.l1": 230,
    "meter.frequency": 50.012,
    "meter.energyImport": 6_554.1,
    "meter.energyExport": 2.5,
  });
  expect(driver.controls).toEqual([]);
});
