import { describe, expect, test } from "vitest";
import { weishauptWpm } from "../../../../adapters/modbus/profiles/weishaupt-wpm.ts";
import { FakeUnit } from "../fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "../profile-driver.ts";

describe("Weishaupt", () => {
  function wpm(first: number, second: number): FakeUnit {
    const unit = new FakeUnit().set("input", 35_101, first, second);
    return unit.set("holding", 45_101, first, second);
  }

  test.each([
    [0, 0, "AUTO"],
    [1, 0, "HEAT"],
    [0, 1, "OFF"],
    [1, 1, "HEAT"],
    [7, 0, "UNKNOWN"],
  ])("inputs %i and %i are %s", async (first, second, mode) => {
    expect(await readAll(await profileDriver(weishauptWpm, wpm(first, second)))).toMatchObject({ "hvac.mode": mode });
  });

  test("only an input that changes is written: the controller wears", async () => {
    expect(await controlsOf(weishauptWpm, wpm(0, 0))).toEqual([]);
    expect(await writes(weishauptWpm, wpm(0, 0), "hvac.mode", "AUTO")).toEqual([]);
    expect(await writes(weishauptWpm, wpm(0, 0), "hvac.mode", "HEAT")).toEqual([[45_101, [1], 6]]);
    expect(await writes(weishauptWpm, wpm(1, 0), "hvac.mode", "OFF")).toEqual([
      [45_101, [0], 6],
      [45_102, [1], 6],
    ]);
  });
});
