import { describe, expect, test } from "vitest";
import { solaxG3g4 } from "../../../../adapters/modbus/profiles/solax-g3g4.ts";
import { calm } from "../bus/bus-world.ts";
import type { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";
import { zeroUnit } from "../zero-unit.ts";

/** 3.1 kW of sun, 1.2 kW of it into the battery, 400 W to the grid. */
function solax(): FakeUnit {
  const unit = zeroUnit(solaxG3g4).set("input", 9, 2, 1_600, 1_500).set("input", 22, 1_200).set("input", 28, 71, 30, 0);
  unit.set("input", 33, 40, 0).set("input", 70, 400, 0, 0x86a0, 0x0001, 500, 0).set("input", 148, 600, 0);
  unit.set("input", 130, 0xff9c, 0xffff, 200, 0, 300, 0).set("input", 202, 2_301).set("input", 206, 0xfff6);
  return unit;
}

describe("SolaX G3 and G4", () => {
  test("export counts as positive there, and the low word comes first", async () => {
    expect(await readAll(await profileDriver(solaxG3g4, solax()))).toMatchObject({
      "inverter.power": 3_100,
      "inverter.energy": 60_000,
      "battery.power": 1_200,
      "battery.status": "CHARGING",
      "battery.soc": 71,
      "battery.energyDischarged": 3_000,
      "battery.energyCharged": 4_000,
      "battery.mode": "SELF_RELIANCE",
      "meter.power": -400,
      "meter.power.l1": 100,
      "meter.power.l3": -300,
      "meter.voltage.l1": 230.1,
      "meter.current.l1": -1,
      "meter.energyExport": 1_000_000,
      "meter.energyImport": 5_000,
    });
  });

  test("a faulted inverter is a faulted battery", async () => {
    const driver = await profileDriver(solaxG3g4, solax().set("input", 9, 3));
    expect(await readAll(driver)).toMatchObject({ "battery.status": "FAULT" });
  });

  test.each([
    ["SELF_RELIANCE", 0, [0, 0]],
    ["IDLE", 4, [0, 0]],
    // -2000 and 3500, low word first
    ["IMPORT_FOCUS", 4, [0xf830, 0xffff]],
    ["EXPORT_FOCUS", 4, [3_500, 0]],
  ] as const)("%s is remote control %i for 60 s, in one request", async (mode, code, pushPower) => {
    const unit = solax();
    const settings = { maxDischargeW: 3_500 };
    const driver = await profileDriver(solaxG3g4, unit, { confirmUnverified: false, settings });
    expect(driver.controls).toMatchObject([
      { point: "battery.mode", holdMs: 60_000, safeDefault: "SELF_RELIANCE" },
      { point: "battery.powerSetpoint", holdMs: null },
    ]);
    await driver.write("battery.mode", mode, calm);
    expect(unit.writes).toEqual([[124, [code, 1, 0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 60, ...pushPower], 16]]);
    // The block cannot be read: what was written is shown.
    expect(await readAll(driver)).toMatchObject({ "battery.mode": mode });
  });
});
