import { describe, expect, test } from "vitest";
import { myPvAcThor, myPvAcThor9s, myPvElwa2 } from "../../../../adapters/modbus/profiles/my-pv.ts";
import { FakeUnit } from "../fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "../profile-driver.ts";

/** `text` is sixteen characters in eight registers. */
function heater(power: number, temperature = 523): FakeUnit {
  const serial = Array.from("2001001812060016").map((letter) => letter.charCodeAt(0));
  const words = Array.from({ length: 8 }, (_unused, i) => (serial[2 * i] ?? 0) * 256 + (serial[2 * i + 1] ?? 0));
  return new FakeUnit().set("holding", 1_000, power, temperature).set("holding", 1_018, ...words);
}

describe("my-PV", () => {
  test("the power that the rod takes is shown, with the serial number", async () => {
    const driver = await profileDriver(myPvAcThor, heater(1_480));
    expect(driver.identity.serial).toBe("2001001812060016");
    expect(await readAll(driver)).toMatchObject({ "hvac.power": 1_480, "hvac.isActive": true, "hvac.maxPower": null });
    expect(await readAll(await profileDriver(myPvAcThor, heater(0)))).toMatchObject({ "hvac.isActive": false });
  });

  test("the temperature of the water is shown, and none without a sensor", async () => {
    expect(await readAll(await profileDriver(myPvAcThor, heater(0)))).toMatchObject({ "hvac.temperature": 52.3 });
    expect(await readAll(await profileDriver(myPvAcThor, heater(0, 0)))).toMatchObject({ "hvac.temperature": null });
  });

  test("a power is written to the one register that may be written often, and no timeout", async () => {
    expect(await writes(myPvAcThor, heater(0), "hvac.maxPower", 1_500)).toEqual([[1_000, [1_500], 6]]);
    expect(await writes(myPvElwa2, heater(0), "hvac.maxPower", 3_500)).toEqual([[1_000, [3_500], 6]]);
  });

  test("its agreed register needs no confirmation, and the scale of a 9s does", async () => {
    expect(await controlsOf(myPvAcThor, heater(0))).toEqual(["hvac.maxPower"]);
    expect(await controlsOf(myPvAcThor9s, heater(0))).toEqual([]);
  });

  test("a 9s counts to 9,000 whatever its rod takes", async () => {
    const choices = { confirmUnverified: true, settings: { rodW: 6_000 } };
    const unit = heater(4_500);
    const driver = await profileDriver(myPvAcThor9s, unit, choices);
    expect(await readAll(driver)).toMatchObject({ "hvac.power": 3_000 });
    await driver.write("hvac.maxPower", 2_000, new AbortController().signal);
    await driver.write("hvac.maxPower", 9_000, new AbortController().signal);
    expect(unit.writes).toEqual([
      [1_000, [3_000], 6],
      [1_000, [9_000], 6],
    ]);
  });
});
