import { describe, expect, test } from "vitest";
import { solaredgeStoredge } from "../../../../adapters/modbus/profiles/solaredge-storedge.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

const CONFIRMED = { confirmUnverified: true };

/** 4 kW from the modules, half of it into the battery, the rest to the DC link; 300 W to the grid. Floats: low word first. */
function storedge(): FakeUnit {
  const unit = zeroUnit(solaredgeStoredge).set("holding", 40069, 103).set("holding", 40188, 203);
  // "SE10K", "7E1234"
  unit.set("holding", 40020, 0x5345, 0x3130, 0x4b00).set("holding", 40052, 0x3745, 0x3132, 0x3334);
  unit.set("holding", 40093, 0x0001, 0x0000, 1).set("holding", 40100, 20_000, 0xffff);
  unit.set("holding", 40191, 52, 0x8000, 0xffdd, 0xffff).set("holding", 40196, 23_010, 22_990, 0x8000);
  unit.set("holding", 40203, 0xfffe, 5_001, 0xfffe).set("holding", 40206, 300, 100, 0x8000, 200, 0);
  unit.set("holding", 40226, 0, 1_234).set("holding", 40234, 0, 5_678).set("holding", 40242, 1);
  // 9700 Wh, 5000 W, 5000 W
  unit.set("holding", 57666, 0x9000, 0x4617, 0x4000, 0x459c, 0x4000, 0x459c);
  // 2000 W; 40,000 and 65,541 Wh; 55.5 %
  unit.set("holding", 57716, 0x0000, 0x44fa, 40_000, 0, 0, 0, 5, 1, 0, 0).set("holding", 57732, 0x0000, 0x425e, 3, 0);
  return unit.set("holding", 57348, 1).set("holding", 57349, 0).set("holding", 57355, 0x0e10, 0);
}

describe("SolarEdge StorEdge", () => {
  test("production is the DC link and what goes from it into the battery", async () => {
    const driver = await profileDriver(solaredgeStoredge, storedge());
    expect(driver.identity).toMatchObject({ manufacturer: "SolarEdge", model: "SE10K", serial: "7E1234" });
    expect(await readAll(driver)).toMatchObject({
      "inverter.power": 4_000,
      "inverter.energy": 655_360,
      "battery.power": 2_000,
      "battery.status": "CHARGING",
      "battery.soc": 55.5,
      "battery.capacity": 9_700,
      "battery.energyDischarged": 40_000,
      "battery.energyCharged": 65_541,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": -300,
      "meter.power.l1": -100,
      "meter.power.l2": null,
      "meter.voltage.l1": 230.1,
      "meter.voltage.l3": null,
      "meter.current.l1": 5.2,
      "meter.current.l2": null,
      "meter.current.l3": -3.5,
      "meter.frequency": 50.01,
      "meter.energyExport": 12_340,
      "meter.energyImport": 56_780,
    });
  });

  test("a battery that does not tell, and another model where the meter's would be, are no values", async () => {
    const unit = storedge().set("holding", 57716, 0xffff, 0xff7f).set("holding", 57732, 0x0000, 0x7fc0);
    unit.set("holding", 57734, 0xffff, 0xffff).set("holding", 40188, 160);
    expect(await readAll(await profileDriver(solaredgeStoredge, unit))).toMatchObject({
      "inverter.power": 2_000,
      "battery.power": null,
      "battery.soc": null,
      "battery.status": null,
      "meter.power": null,
      "meter.energyImport": null,
    });
  });

  // 57358 and 57360: most into the battery, most out of it; 5000 W is 0x459c4000.
  test.each([
    [1, 0, [0, 0], [0, 0], "SELF_RELIANCE"],
    [2, 0, [0, 0], [0, 0], "TIME_OF_USE"],
    [3, 0, [0, 0], [0, 0], "UNKNOWN"],
    [4, 7, [0x4000, 0x459c], [0x4000, 0x459c], "SELF_RELIANCE"],
    [4, 7, [0x4000, 0x459c], [0, 0], "UNKNOWN"],
    [4, 7, [0, 0], [0, 0], "IDLE"],
    [4, 3, [0x4000, 0x459c], [0, 0], "IMPORT_FOCUS"],
    [4, 4, [0, 0], [0x4000, 0x459c], "EXPORT_FOCUS"],
    [4, 1, [0, 0], [0, 0], "UNKNOWN"],
  ] as const)("control mode %i with command %i is %4$s", async (mode, command, charge, discharge, shown) => {
    const unit = storedge()
      .set("holding", 57348, mode)
      .set("holding", 57357, command, ...charge, ...discharge);
    expect(await readAll(await profileDriver(solaredgeStoredge, unit))).toMatchObject({ "battery.mode": shown });
  });

  test("only the release is sure: the time-out that ends a command is known from one driver", async () => {
    const unit = storedge().set("holding", 57354, 7);
    const driver = await profileDriver(solaredgeStoredge, unit);
    expect(driver.controls).toMatchObject([{ values: ["SELF_RELIANCE"], holdMs: null }]);
    expect(driver.unconfirmed).toEqual(["battery.mode", "inverter.powerLimit"]);
    await readAll(driver);
    await driver.write("battery.mode", "SELF_RELIANCE", calm);
    expect(unit.writes).toEqual([
      [57348, [4], 6],
      [57357, [7], 6],
      [57360, [0x4000, 0x459c], 16],
      [57358, [0x4000, 0x459c], 16],
    ]);
  });

  test("confirmed, the time-out is set first, and nothing is commanded when it does not take", async () => {
    const unit = storedge().set("holding", 57348, 4, 1).set("holding", 57354, 7);
    const driver = await profileDriver(solaredgeStoredge, unit, CONFIRMED);
    expect(driver.controls[0]).toMatchObject({ holdMs: 120_000 });
    await expect(driver.write("battery.mode", "IMPORT_FOCUS", calm)).rejects.toMatchObject({ kind: "rejected" });
    expect(unit.writes).toEqual([[57355, [120, 0], 16]]);
    unit.set("holding", 57355, 120, 0);
    unit.writes.length = 0;
    await driver.write("battery.mode", "IMPORT_FOCUS", calm);
    expect(unit.writes).toEqual([
      [57357, [3], 6],
      [57360, [0, 0], 16],
      [57358, [0x0000, 0x44fa], 16],
    ]);
  });

  test.each([
    ["IDLE", [7], [57360, [0, 0], 16], [57358, [0, 0], 16]],
    ["EXPORT_FOCUS", [4], [57360, [0x0000, 0x44fa], 16]],
  ] as const)("confirmed, %s", async (mode, command, ...limits) => {
    const unit = storedge().set("holding", 57348, 4).set("holding", 57354, 7, 120, 0);
    const driver = await profileDriver(solaredgeStoredge, unit, CONFIRMED);
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual([[57357, command, 6], ...limits]);
  });

  test("confirmed, the power limit is written to change it, and committed", async () => {
    const unit = storedge().set("holding", 61441, 100);
    const driver = await profileDriver(solaredgeStoredge, unit, CONFIRMED);
    expect(await readAll(driver)).toMatchObject({ "inverter.powerLimit": 100 });
    await driver.write("inverter.powerLimit", 60, calm);
    // A commit would write the inverter's settings to flash with each limit.
    expect(unit.writes).toEqual([[61441, [60], 6]]);
  });
});
