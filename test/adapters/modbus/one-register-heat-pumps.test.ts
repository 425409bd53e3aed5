import { describe, expect, test } from "vitest";
import { daikinHomehub } from "../../../adapters/modbus/profiles/daikin-homehub.ts";
import { glenDimplex } from "../../../adapters/modbus/profiles/glen-dimplex.ts";
import { FakeUnit } from "./fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "./profile-driver.ts";

describe("Dimplex and Daikin: one register", () => {
  const dimplex = (state: number) => new FakeUnit().set("holding", 5_167, state).set("input", 5_170, 187);
  const daikin = (state: number) => new FakeUnit().set("holding", 55, state).set("input", 50, 187);

  test.each([
    [glenDimplex, dimplex, 0, "AUTO"],
    [glenDimplex, dimplex, 10, "AUTO"],
    [glenDimplex, dimplex, 11, "HEAT"],
    [glenDimplex, dimplex, 12, "OFF"],
    [daikinHomehub, daikin, 0, "AUTO"],
    [daikinHomehub, daikin, 1, "OFF"],
    [daikinHomehub, daikin, 2, "HEAT"],
    [daikinHomehub, daikin, 3, "HEAT"],
  ] as const)("$0.id at %i", async (profile, unit, state, mode) => {
    expect(await readAll(await profileDriver(profile, unit(state)))).toMatchObject({
      "hvac.mode": mode,
      "hvac.power": 1_870,
    });
  });

  test.each([
    [glenDimplex, dimplex(10), 5_167, { OFF: 12, AUTO: 10, HEAT: 11 }],
    [daikinHomehub, daikin(0), 55, { OFF: 1, AUTO: 0, HEAT: 2 }],
  ] as const)("$0.id is written once confirmed", async (profile, unit, address, modes) => {
    expect(await controlsOf(profile, unit)).toEqual([]);
    for (const [mode, raw] of Object.entries(modes)) {
      expect(await writes(profile, unit, "hvac.mode", mode as keyof typeof modes)).toEqual([[address, [raw], 6]]);
    }
  });
});
