import { describe, expect, test } from "vitest";
import { kebaP30 } from "../../../../adapters/modbus/profiles/keba-p30-p40.ts";
import { FakeUnit, words32 } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

describe("KEBA P30", () => {
  function station(product: number | null, milliwatt: number): FakeUnit {
    const unit = new FakeUnit().set("holding", 1_000, ...words32(3)).set("holding", 1_004, ...words32(7));
    for (const address of [1_008, 1_010, 1_012]) unit.set("holding", address, ...words32(milliwatt / 690));
    if (product !== null) unit.set("holding", 1_016, ...words32(product));
    return unit.set("holding", 1_020, ...words32(milliwatt));
  }

  test.each([
    [312_111, 11_040_000, 11_040],
    [312_120, 0, 0],
    [null, 11_040_000, 11_040],
    // Without an energy meter it shows 0 W while a vehicle charges.
    [312_101, 0, null],
  ])("product %s that shows %i mW takes %s W", async (product, shown, watts) => {
    expect(await readAll(await profileDriver(kebaP30, station(product, shown)))).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": watts,
      "charger.current.l1": watts === null ? null : watts / 690,
    });
  });
});
