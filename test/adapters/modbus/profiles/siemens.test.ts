import { expect, test } from "vitest";
import { siemensPac1600 } from "../../../../adapters/modbus/profiles/siemens-pac1600.ts";
import { siemensPac2200 } from "../../../../adapters/modbus/profiles/siemens-pac2200.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("Siemens PAC2200: counters are doubles", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 1, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("holding", 13, 0x4088, 0x0000, 0x4020, 0x0000, 0x3f40, 0x0000);
  unit.set("holding", 25, 0x4474, 0x6000, 0xc448, 0x9800, 0x432c, 0x8000);
  unit.set("holding", 55, 0x4247, 0xeb85).set("holding", 65, 0x43ad, 0xd000);
  unit.set("holding", 801, 0x4132, 0xd687, 0x0000, 0x0000).set("holding", 809, 0x415d, 0x32ec, 0x5000, 0x0000);
  expect(await readAll(await profileDriver(siemensPac2200, unit))).toMatchObject({
    "meter.voltage.l1": 230.5,
    "meter.current.l2": 2.5,
    "meter.power.l2": -802.375,
    "meter.power": 347.625,
    "meter.frequency": 49.98,
    "meter.energyImport": 1_234_567,
    "meter.energyExport": 7_654_321.25,
  });
});

test("Siemens PAC1600: hundredths of a volt and a watt, ten-thousandths of an ampere", async () => {
  const unit = new FakeUnit();
  unit.set("input", 1, 0, 23_050, 0, 23_012, 0, 22_990).set("input", 7, 0, 42_500, 0x0001, 0x86a0, 0, 0);
  unit.set("input", 19, 0x0001, 0x86a0, 0xffff, 0xfc18, 0, 0).set("input", 57, 0xfffe, 0x7960);
  unit.set("input", 6_687, 0x0012, 0xd687, 0, 42);
  expect(await readAll(await profileDriver(siemensPac1600, unit))).toEqual({
    "meter.voltage.l1": 230.5,
    "meter.voltage.l2": 230.12,
    "meter.voltage.l3": 229.9,
    "meter.current.l1": 4.25,
    "meter.current.l2": 10,
    "meter.current.l3": 0,
    "meter.power.l1": 1_000,
    "meter.power.l2": -10,
    "meter.power.l3": 0,
    "meter.power": -1_000,
    "meter.energyImport": 1_234_567,
    "meter.energyExport": 42,
  });
});
