import { describe, expect, test } from "vitest";
import { e3dcSimple } from "../../../../adapters/modbus/profiles/e3dc-simple.ts";
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
