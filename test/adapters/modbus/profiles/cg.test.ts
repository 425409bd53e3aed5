import { describe, expect, test } from "vitest";
import { cgEm24E1Em340 } from "../../../../adapters/modbus/profiles/cg-em24-e1-em340.ts";
import { cgEm24Rtu } from "../../../../adapters/modbus/profiles/cg-em24-rtu.ts";
import { cgEm111 } from "../../../../adapters/modbus/profiles/cg-em111.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

/** 70,000 tenths need both words: low first. */
function phases(): FakeUnit {
  const unit = new FakeUnit().set("input", 0, 2_301, 0, 2_297, 0, 2_310, 0);
  unit.set("input", 12, 0x3039, 0, 0xfffb, 0xffff, 0x86a0, 0x0001);
  unit.set("input", 18, 0x1170, 0x0001, 0xfff6, 0xffff, 0x04d2, 0);
  return unit.set("input", 40, 0xd8f0, 0xffff);
}

const PHASES = {
  "meter.voltage.l1": 230.1,
  "meter.voltage.l2": 229.7,
  "meter.voltage.l3": 231,
  "meter.current.l1": 12.345,
  "meter.current.l2": -0.005,
  "meter.current.l3": 100,
  "meter.power.l1": 7_000,
  "meter.power.l2": -1,
  "meter.power.l3": 123.4,
  "meter.power": -1_000,
};

describe("Carlo Gavazzi: the low register first", () => {
  test("EM24 with RS-485, at most 11 registers a request", async () => {
    const unit = phases().set("input", 55, 501).set("input", 66, 0x86a0, 0x0001).set("input", 92, 77, 0);
    const driver = await profileDriver(cgEm24Rtu, unit);
    expect(await readAll(driver)).toEqual({
      ...PHASES,
      "meter.frequency": 50.1,
      "meter.energyImport": 10_000_000,
      "meter.energyExport": 7_700,
    });
    for (const [, , count] of unit.reads) expect(count).toBeLessThanOrEqual(11);
  });

  test("EM24 with Ethernet and EM340", async () => {
    const unit = phases().set("input", 51, 499).set("input", 52, 0x86a0, 0x0001).set("input", 78, 77, 0);
    expect(await readAll(await profileDriver(cgEm24E1Em340, unit))).toEqual({
      ...PHASES,
      "meter.frequency": 49.9,
      "meter.energyImport": 10_000_000,
      "meter.energyExport": 7_700,
    });
  });

  test("EM111, where one source has the words the other way round", async () => {
    const unit = new FakeUnit().set("input", 0, 2_301, 0, 0x3039, 0, 0xd8f0, 0xffff);
    unit.set("input", 16, 0x86a0, 0x0001).set("input", 32, 77, 0);
    expect(await readAll(await profileDriver(cgEm111, unit))).toEqual({
      "meter.voltage.l1": 230.1,
      "meter.current.l1": 12.345,
      "meter.power": -1_000,
      "meter.energyImport": 10_000_000,
      "meter.energyExport": 7_700,
    });
    expect(cgEm111.points[2]).toMatchObject({
      wordOrder: "little",
      source: expect.stringContaining("other word order"),
    });
  });
});
