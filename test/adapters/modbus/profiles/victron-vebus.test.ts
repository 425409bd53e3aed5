import { describe, expect, test } from "vitest";
import { victronVebus } from "../../../../adapters/modbus/profiles/victron-vebus.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

function multi(state: number, current: number): FakeUnit {
  const unit = new FakeUnit();
  // 230.1 V, -4.3 A, 49.98 Hz, -1000 W on one phase.
  unit.set("holding", 3, 2_301, 0, 0, 0xffd5, 0, 0, 4_998, 0, 0, 0xff9c, 0, 0);
  unit.set("holding", 26, 5_200, current).set("holding", 30, 805, state);
  for (let counter = 0; counter < 8; counter++) unit.set("holding", 74 + 2 * counter, 0, 100 * (counter + 1));
  return unit;
}

describe("Victron MultiPlus", () => {
  test("the battery's power is volts times amperes, the meter is the AC input", async () => {
    expect(await readAll(await profileDriver(victronVebus, multi(9, 0xfecb)))).toMatchObject({
      "battery.power": expect.closeTo(-1_606.8),
      "battery.status": "DISCHARGING",
      "battery.soc": 80.5,
      "meter.voltage.l1": 230.1,
      "meter.current.l1": -4.3,
      "meter.frequency": 49.98,
      "meter.power": -1_000,
      // 1 + 2 + 3 + 4 and 5 + 6 + 7 + 8 kWh.
      "meter.energyImport": 10_000,
      "meter.energyExport": 26_000,
    });
  });

  test("its fault is the battery's", async () => {
    const told = await readAll(await profileDriver(victronVebus, multi(2, 0)));
    expect(told).toMatchObject({ "battery.power": 0, "battery.status": "FAULT" });
  });

  test("its AC power, which has the battery in it, is no inverter's", async () => {
    expect((await profileDriver(victronVebus, multi(3, 0))).points).not.toContain("inverter.power");
  });
});
