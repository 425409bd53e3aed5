import { describe, expect, test } from "vitest";
import { alphaEssSmile } from "../../../../adapters/modbus/profiles/alpha-ess-smile.ts";
import { e3dcSimple } from "../../../../adapters/modbus/profiles/e3dc-simple.ts";
import { openemsFenecon } from "../../../../adapters/modbus/profiles/openems-fenecon.ts";
import { sajH2 } from "../../../../adapters/modbus/profiles/saj-h2.ts";
import { sigenergyInverter, sigenergySigenstor } from "../../../../adapters/modbus/profiles/sigenergy-sigenstor.ts";
import { sofarHydG3 } from "../../../../adapters/modbus/profiles/sofar-hyd-g3.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

describe("E3/DC", () => {
  test("words come low first, and external feeders that count negative are sun as well", async () => {
    const unit = new FakeUnit();
    // 70,000 W of sun; 1,200 W into the battery; 1,900 W house; 300 W export; 450 W from an external inverter.
    unit.set("holding", 40067, 0x1170, 0x0001, 1_200, 0, 1_900, 0, 0xfed4, 0xffff, 0xfe3e, 0xffff);
    unit.set("holding", 40082, 83);
    expect(await readAll(await profileDriver(e3dcSimple, unit))).toEqual({
      "inverter.power": 70_450,
      "battery.power": 1_200,
      "battery.status": "CHARGING",
      "battery.soc": 83,
      "hem.load": 1_900,
      "meter.power": -300,
    });
  });

  test("an additional load is not taken from the sun", async () => {
    const unit = new FakeUnit().set("holding", 40067, 500, 0, 0, 0, 0, 0, 0, 0, 900, 0).set("holding", 40082, 5);
    expect(await readAll(await profileDriver(e3dcSimple, unit))).toMatchObject({ "inverter.power": 500 });
  });
});

function sofar(mode: number): FakeUnit {
  const unit = new FakeUnit();
  // 1.23 kW of import: the meter counts export.
  unit.set("holding", 1160, 0xff85).set("holding", 1170, 530, 0xff9c).set("holding", 1181, 0, 5);
  unit.set("holding", 1192, 0, 0).set("holding", 1414, 210).set("holding", 1417, 95).set("holding", 1420, 0);
  unit.set("holding", 1542, 0xffce).set("holding", 1544, 47);
  return unit.set("holding", 1670, 1, 2).set("holding", 1678, 0, 30).set("holding", 4368, mode);
}

describe("Sofar HYD", () => {
  test("powers are steps of 10 W; the battery counts charging as positive", async () => {
    expect(await readAll(await profileDriver(sofarHydG3, sofar(0)))).toMatchObject({
      "meter.power": 1_230,
      "meter.power.l1": 1_000,
      "meter.power.l2": -50,
      "meter.current.l1": 5.3,
      "inverter.power": 3_050,
      "inverter.energy": 6_553_800,
      "meter.energyImport": 3_000,
      "battery.power": -500,
      "battery.status": "DISCHARGING",
      "battery.soc": 47,
      "battery.mode": "SELF_RELIANCE",
    });
  });

  test("a forced charge is passive mode and one block of three powers", async () => {
    const unit = sofar(0);
    const driver = await profileDriver(sofarHydG3, unit);
    expect(driver.controls).toMatchObject([{ holdMs: null, values: ["SELF_RELIANCE", "IMPORT_FOCUS"] }]);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [4368, [3], 16],
      [4487, [0, 0, 0, 2_000, 0, 2_000], 16],
    ]);
    unit.set("holding", 4368, 3);
    expect(await readAll(driver)).toMatchObject({ "battery.mode": "IMPORT_FOCUS" });
  });

  test.each([
    [1, "TIME_OF_USE"],
    [2, "TIME_OF_USE"],
    // Passive by somebody else, or by us before a restart.
    [3, null],
    [4, "UNKNOWN"],
  ])("mode %i is %s", async (mode, shown) => {
    expect(await readAll(await profileDriver(sofarHydG3, sofar(mode)))).toMatchObject({ "battery.mode": shown });
  });

  test("the mode is written only to change it", async () => {
    const unit = sofar(0);
    await (await profileDriver(sofarHydG3, unit)).write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([]);
  });
});

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

test("a Sigenergy plant tells grid, sun and battery; an inverter its own part with 64-bit energies", async () => {
  const plant = new FakeUnit();
  plant.set("holding", 30005, 0xffff, 0xf63c).set("holding", 30014, 873);
  plant.set("holding", 30035, 0, 5_400).set("holding", 30037, 0, 1_100).set("holding", 40048, 150);
  expect(await readAll(await profileDriver(sigenergySigenstor, plant))).toEqual({
    "meter.power": -2_500,
    "battery.soc": 87.3,
    "inverter.power": 5_400,
    "battery.power": 1_100,
    "battery.status": "CHARGING",
    "battery.reserve": 15,
  });
  const inverter = new FakeUnit();
  inverter.set("holding", 30568, 0, 0, 1, 0).set("holding", 30574, 0, 0, 0, 250);
  inverter.set("holding", 30599, 0xffff, 0xff38, 500).set("holding", 31035, 0, 90);
  expect(await readAll(await profileDriver(sigenergyInverter, inverter))).toEqual({
    "battery.energyCharged": 655_360,
    "battery.energyDischarged": 2_500,
    "battery.power": -200,
    "battery.status": "DISCHARGING",
    "battery.soc": 50,
    "inverter.power": 90,
  });
});

test("a SAJ H2 counts discharge as positive and its charge in hundredths of a percent", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 13905, 20).set("holding", 16434, 0xff38).set("holding", 16441, 150).set("holding", 16448, 0);
  unit.set("holding", 16549, 3_210, 0xfb50).set("holding", 16557, 0xffec);
  unit.set("holding", 16581, 0, 5_000).set("holding", 16597, 0, 600).set("holding", 40972, 6_450);
  const driver = await profileDriver(sajH2, unit);
  expect(await readAll(driver)).toEqual({
    "battery.reserve": 20,
    "meter.current.l1": -2,
    "meter.current.l2": 1.5,
    "meter.current.l3": 0,
    "inverter.power": 3_210,
    "battery.power": 1_200,
    "battery.status": "CHARGING",
    "meter.power": -20,
    "inverter.energy": 50_000,
    "battery.energyDischarged": 6_000,
    "battery.soc": 64.5,
  });
  expect(driver.controls).toEqual([]);
});

describe("OpenEMS", () => {
  test("sums are floats, energies doubles, discharge is positive", async () => {
    const unit = new FakeUnit();
    // 1234.5, 5000, -800 as float32; 1234567, 7654321 as float64.
    unit.set("input", 302, 58).set("input", 315, 0x449a, 0x5000).set("input", 327, 0x459c, 0x4000);
    unit.set("input", 415, 0xc448, 0x0000);
    unit.set("holding", 359, 0x4132, 0xd687, 0, 0).set("holding", 367, 0x415d, 0x32ec, 0x4000, 0);
    expect(await readAll(await profileDriver(openemsFenecon, unit))).toEqual({
      "battery.soc": 58,
      "meter.power": 1_234.5,
      "inverter.power": 5_000,
      "battery.power": 800,
      "battery.status": "CHARGING",
      "meter.energyImport": 1_234_567,
      "inverter.energy": 7_654_321,
    });
  });

  test("a house without battery has nulls, not zeros", async () => {
    const unit = new FakeUnit();
    unit.set("input", 302, 0xffff).set("input", 315, 0, 0).set("input", 327, 0, 0).set("input", 415, 0x7fc0, 0);
    expect(await readAll(await profileDriver(openemsFenecon, unit))).toMatchObject({
      "battery.soc": null,
      "battery.power": null,
      "battery.status": null,
      "meter.power": 0,
      "meter.energyImport": null,
    });
  });
});
