import { expect, test } from "vitest";
import { abbB23B24 } from "../../../../adapters/modbus/profiles/abb-b23-b24.ts";
import { chintDtsu666 } from "../../../../adapters/modbus/profiles/chint-dtsu666.ts";
import { janitzaUmg } from "../../../../adapters/modbus/profiles/janitza-umg.ts";
import { schneiderIem3155 } from "../../../../adapters/modbus/profiles/schneider-iem3155.ts";
import { siemensPac1600 } from "../../../../adapters/modbus/profiles/siemens-pac1600.ts";
import { siemensPac2200 } from "../../../../adapters/modbus/profiles/siemens-pac2200.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("ABB: hundredths of a watt, 64-bit counters, and all ones where there is nothing", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 20_480, 0, 0, 0x0001, 0xe240).set("holding", 20_484, 0xffff, 0xffff, 0xffff, 0xffff);
  unit.set("holding", 23_296, 0, 2_305, 0, 2_299, 0xffff, 0xffff);
  unit.set("holding", 23_308, 0, 425, 0, 0, 0xffff, 0xffff);
  unit.set("holding", 23_316, 0xfffe, 0x1dc0, 0xfffe, 0x1dc0, 0, 0, 0x7fff, 0xffff);
  unit.set("holding", 23_340, 4_998);
  expect(await readAll(await profileDriver(abbB23B24, unit))).toEqual({
    "meter.energyImport": 1_234_560,
    "meter.energyExport": null,
    "meter.voltage.l1": 230.5,
    "meter.voltage.l2": 229.9,
    "meter.voltage.l3": null,
    "meter.current.l1": 4.25,
    "meter.current.l2": 0,
    "meter.current.l3": null,
    "meter.power": -1_234.56,
    "meter.power.l1": -1_234.56,
    "meter.power.l2": 0,
    "meter.power.l3": null,
    "meter.frequency": 49.98,
  });
});

test("Schneider: kilowatts become watts, counters are Wh in 64 bits", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 2_999, 0x4088, 0x0000, 0x3f40, 0x0000, 0xffc0, 0x0000);
  unit.set("holding", 3_027, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("holding", 3_053, 0x3fa0, 0x0000, 0xbfc0, 0x0000, 0x3e80, 0x0000, 0x0000, 0x0000);
  unit.set("holding", 3_109, 0x4247, 0xeb85);
  unit.set("holding", 3_203, 0, 0, 0x0012, 0xd687, 0, 0, 0, 42);
  expect(await readAll(await profileDriver(schneiderIem3155, unit))).toMatchObject({
    "meter.current.l1": 4.25,
    "meter.current.l3": null,
    "meter.voltage.l2": 231.25,
    "meter.power.l1": 1_250,
    "meter.power.l2": -1_500,
    "meter.power.l3": 250,
    "meter.power": 0,
    "meter.frequency": 49.98,
    "meter.energyImport": 1_234_567,
    "meter.energyExport": 42,
  });
});

test("Janitza: floats in W, A, V and Wh", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 19_000, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("holding", 19_012, 0x4088, 0x0000, 0xc060, 0x0000, 0x3f40, 0x0000);
  unit.set("holding", 19_020, 0x4474, 0x6000, 0xc448, 0x9800, 0x432c, 0x8000, 0x43ad, 0xd000);
  unit.set("holding", 19_050, 0x4247, 0xeb85).set("holding", 19_068, 0x4a98, 0x9680);
  unit.set("holding", 19_076, 0x449c, 0x5000);
  expect(await readAll(await profileDriver(janitzaUmg, unit))).toMatchObject({
    "meter.voltage.l3": 229.75,
    "meter.current.l2": -3.5,
    "meter.power.l2": -802.375,
    "meter.power": 347.625,
    "meter.frequency": 49.98,
    "meter.energyImport": 5_000_000,
    "meter.energyExport": 1_250.5,
  });
});

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

test("Chint: floats that count tenths and thousandths, counters in kWh", async () => {
  const unit = new FakeUnit();
  // 2300 tenths of a volt, 421 thousandths of an ampere, -802.375 tenths of a watt.
  unit.set("holding", 8_198, 0x450f, 0xc000, 0x450f, 0xc000, 0x450f, 0xc000);
  unit.set("holding", 8_204, 0x43d2, 0x8000, 0x43d2, 0x8000, 0x43d2, 0x8000);
  unit.set("holding", 8_210, 0xc448, 0x9800, 0x4474, 0x6000, 0x0000, 0x0000, 0xc448, 0x9800);
  unit.set("holding", 8_260, 0x459c, 0x4000);
  unit.set("holding", 4_126, 0x40f0, 0x0000).set("holding", 4_136, 0x3f00, 0x0000);
  expect(await readAll(await profileDriver(chintDtsu666, unit))).toMatchObject({
    "meter.voltage.l1": 230,
    "meter.current.l3": 0.421,
    "meter.power": -80.2375,
    "meter.power.l1": 97.75,
    "meter.power.l2": 0,
    "meter.frequency": 50,
    "meter.energyImport": 7_500,
    "meter.energyExport": 500,
  });
});
