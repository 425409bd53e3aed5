import { describe, expect, test } from "vitest";
import { openemsFenecon } from "../../../../adapters/modbus/profiles/openems-fenecon.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

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
