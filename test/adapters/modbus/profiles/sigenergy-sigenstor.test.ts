import { expect, test } from "vitest";
import { sigenergyInverter, sigenergySigenstor } from "../../../../adapters/modbus/profiles/sigenergy-sigenstor.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

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
