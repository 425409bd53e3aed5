import { expect, test } from "vitest";
import { sajH2 } from "../../../../adapters/modbus/profiles/saj-h2.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

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
