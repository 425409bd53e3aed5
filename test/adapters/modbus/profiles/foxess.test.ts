import { describe, expect, test } from "vitest";
import { foxessH1 } from "../../../../adapters/modbus/profiles/foxess-h1.ts";
import { foxessH3, foxessH3Pro } from "../../../../adapters/modbus/profiles/foxess-h3.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("an H1 sums its sun and turns export and discharge round", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 31002, 1_200).set("holding", 31005, 850);
  // -500 W of export are 500 W of import; -1000 W of discharge are charging.
  unit.set("holding", 31014, 0xfe0c).set("holding", 31016, 1_550);
  unit.set("holding", 31022, 0xfc18).set("holding", 31024, 76);
  unit.set("holding", 32000, 0x0001, 0x0000).set("holding", 32003, 0, 1_234).set("holding", 32006, 0, 1_111);
  unit.set("holding", 32009, 0, 50).set("holding", 32012, 0, 70).set("holding", 41011, 15);
  const driver = await profileDriver(foxessH1, unit);
  expect(await readAll(driver)).toEqual({
    "inverter.power": 2_050,
    "meter.power": 500,
    "hem.load": 1_550,
    "battery.power": 1_000,
    "battery.status": "CHARGING",
    "battery.soc": 76,
    "inverter.energy": 6_553_600,
    "battery.energyCharged": 123_400,
    "battery.energyDischarged": 111_100,
    "meter.energyExport": 5_000,
    "meter.energyImport": 7_000,
    "battery.reserve": 15,
  });
  expect(driver.controls).toEqual([]);
});

/** An H3 that gives 900 W of its battery to the grid's first phase. */
function h3(): FakeUnit {
  const unit = new FakeUnit();
  unit.set("holding", 31002, 0).set("holding", 31005, 0).set("holding", 31015, 5_001);
  unit.set("holding", 31026, 1_000, 0xff9c, 0).set("holding", 31036, 900).set("holding", 31038, 55);
  for (const address of [32000, 32003, 32006, 32009, 32012]) unit.set("holding", address, 0, 10);
  return unit.set("holding", 41000, 0).set("holding", 41011, 10).set("holding", 44000, 0, 60, 0, 0);
}

describe("FoxESS H3", () => {
  test("reads the meter's phases and their sum, positive on import", async () => {
    expect(await readAll(await profileDriver(foxessH3, h3()))).toMatchObject({
      "inverter.power": 0,
      "meter.frequency": 50.01,
      "meter.power.l1": -1_000,
      "meter.power.l2": 100,
      "meter.power": -900,
      "battery.power": -900,
      "battery.status": "DISCHARGING",
      "battery.mode": "SELF_RELIANCE",
      "meter.energyImport": 1_000,
    });
  });

  test("a forced charge arms the timer with self use to fall back to, then enables, then tells the power", async () => {
    const unit = h3();
    const driver = await profileDriver(foxessH3, unit);
    expect(driver.controls).toMatchObject([
      {
        point: "battery.mode",
        holdMs: 60_000,
        safeDefault: "SELF_RELIANCE",
        values: ["SELF_RELIANCE", "IMPORT_FOCUS"],
      },
      { point: "battery.powerSetpoint", holdMs: null },
    ]);
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [44001, [60], 6],
      [44000, [1], 6],
      // -2000
      [44002, [0xffff, 0xf830], 16],
    ]);
  });

  test("the work mode is kept in flash and written only to change it", async () => {
    const unit = h3().set("holding", 41000, 2);
    const driver = await profileDriver(foxessH3, unit, { confirmUnverified: false, settings: { maxChargeW: 3_500 } });
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [41000, [0], 6],
      [44001, [60], 6],
      [44000, [1], 6],
      [44002, [0xffff, 0xf254], 16],
    ]);
  });

  test("self reliance switches the remote control off", async () => {
    const unit = h3();
    await (await profileDriver(foxessH3, unit)).write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [44001, [60], 6],
      [44000, [0], 6],
    ]);
  });

  test("a forced discharge is offered once it is confirmed", async () => {
    const unit = h3();
    const driver = await profileDriver(foxessH3, unit, { confirmUnverified: true });
    await driver.write("battery.mode", "EXPORT_FOCUS", calm);
    expect(unit.writes.at(-1)).toEqual([44002, [0, 2_000], 16]);
    await expect(
      (await profileDriver(foxessH3, unit)).write("battery.mode", "EXPORT_FOCUS", calm),
    ).rejects.toMatchObject({ kind: "rejected" });
  });

  test.each([
    [0, 0, [0, 0], "SELF_RELIANCE"],
    [0, 1, [0, 0], "UNKNOWN"],
    [0, 2, [0, 0], "UNKNOWN"],
    [1, 0, [0xffff, 0xf830], "IMPORT_FOCUS"],
    [1, 0, [0, 2_000], "EXPORT_FOCUS"],
    [1, 0, [0, 0], "UNKNOWN"],
  ] as const)("remote %i, work mode %i and power %j are %s", async (enabled, workMode, power, shown) => {
    const unit = h3()
      .set("holding", 44000, enabled)
      .set("holding", 41000, workMode)
      .set("holding", 44002, ...power);
    expect(await readAll(await profileDriver(foxessH3, unit))).toMatchObject({ "battery.mode": shown });
  });
});

test("an H3-Pro has its own registers, six inputs and another word for self use", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 37612, 91).set("holding", 38816, 0xffff, 0xec78, 0, 10_000, 0, 0);
  unit.set("holding", 39237, 0xffff, 0xfe0c);
  for (let input = 0; input < 6; input++) unit.set("holding", 39279 + 2 * input, 0, 100 * (input + 1));
  unit.set("holding", 39613, 0, 100).set("holding", 39617, 0x0001, 0x86a0);
  unit.set("holding", 46001, 0, 60, 0, 0).set("holding", 46611, 12).set("holding", 49203, 1);
  const driver = await profileDriver(foxessH3Pro, unit);
  expect(await readAll(driver)).toMatchObject({
    "battery.soc": 91,
    "meter.power.l1": 500,
    "meter.power.l2": -1_000,
    "meter.power": -500,
    "battery.power": 500,
    "inverter.power": 2_100,
    "meter.energyImport": 1_000_000,
    "battery.reserve": 12,
    "battery.mode": "SELF_RELIANCE",
  });
  await driver.write("battery.mode", "IMPORT_FOCUS", calm);
  expect(unit.writes).toEqual([
    [46002, [60], 6],
    [46001, [1], 6],
    [46003, [0xffff, 0xf830], 16],
  ]);
});
