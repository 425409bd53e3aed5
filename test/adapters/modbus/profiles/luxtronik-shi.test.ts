import { DeviceError } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { luxtronikShi } from "../../../../adapters/modbus/profiles/luxtronik-shi.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll, writes } from "../profile-driver.ts";

describe("Luxtronik", () => {
  const shi = (heating: number, hotWater: number, limit: number) =>
    new FakeUnit().set("holding", 10_000, heating).set("holding", 10_005, hotWater).set("holding", 10_040, limit);

  test.each([
    [0, 0, 0, "AUTO"],
    [0, 0, 1, "AUTO"],
    [2, 0, 0, "HEAT"],
    [0, 1, 0, "HEAT"],
    [2, 2, 2, "OFF"],
  ])("%i, %i and limit %i are %s", async (heating, hotWater, limit, mode) => {
    expect(await readAll(await profileDriver(luxtronikShi, shi(heating, hotWater, limit)))).toMatchObject({
      "hvac.mode": mode,
    });
  });

  test("it takes a limit or is left alone, with function 16", async () => {
    expect(await writes(luxtronikShi, shi(0, 0, 0), "hvac.mode", "OFF")).toEqual([
      [10_000, [0], 16],
      [10_005, [0], 16],
      [10_040, [2], 16],
    ]);
    expect(await writes(luxtronikShi, shi(0, 0, 2), "hvac.holdType", "SCHEDULED")).toEqual([
      [10_040, [0], 16],
      [10_000, [0], 16],
      [10_005, [0], 16],
    ]);
    await expect(writes(luxtronikShi, shi(0, 0, 0), "hvac.mode", "HEAT")).rejects.toBeInstanceOf(DeviceError);
  });
});
