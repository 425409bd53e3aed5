import { describe, expect, test } from "vitest";
import { nibeS } from "../../../../adapters/modbus/profiles/nibe-s.ts";
import { FakeUnit } from "../fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "../profile-driver.ts";

describe("NIBE S", () => {
  function nibe(smartGrid: number, average: number): FakeUnit {
    const unit = new FakeUnit().set("input", 26, 205).set("input", 116, average).set("input", 1_100, 1);
    // 70,000 W would need both words: low first.
    unit.set("input", 1_911, smartGrid).set("input", 2_166, 0x1170, 0x0001);
    return unit.set("holding", 3_032, 0);
  }

  test("the average of the room, else its first sensor", async () => {
    expect(await readAll(await profileDriver(nibeS, nibe(10, 214)))).toEqual({
      "hvac.temperature": 21.4,
      "hvac.isActive": true,
      "hvac.power": 70_000,
      "hvac.mode": "AUTO",
      "hvac.holdType": "SCHEDULED",
    });
    expect(await readAll(await profileDriver(nibeS, nibe(10, 0x8000)))).toMatchObject({ "hvac.temperature": 20.5 });
  });

  test.each([
    [20, "OFF", "PERMANENT"],
    [30, "HEAT", "PERMANENT"],
    [40, "HEAT", "PERMANENT"],
    [0, "UNKNOWN", null],
  ])("state %i is %s, %s", async (state, mode, hold) => {
    expect(await readAll(await profileDriver(nibeS, nibe(state, 214)))).toMatchObject({
      "hvac.mode": mode,
      "hvac.holdType": hold,
    });
  });

  test("SG Ready is activated once, then its state is written with function 16", async () => {
    expect(await controlsOf(nibeS, nibe(10, 214))).toEqual([]);
    expect(await writes(nibeS, nibe(10, 214), "hvac.mode", "OFF")).toEqual([
      [3_032, [1], 16],
      [6_008, [0], 16],
    ]);
    const active = nibe(10, 214).set("holding", 3_032, 1);
    expect(await writes(nibeS, active, "hvac.mode", "HEAT")).toEqual([[6_008, [3], 16]]);
    expect(await writes(nibeS, active, "hvac.holdType", "SCHEDULED")).toEqual([[6_008, [1], 16]]);
  });
});
