import { DeviceError } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { lambdaEul } from "../../../../adapters/modbus/profiles/lambda-eul.ts";
import { FakeUnit } from "../fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "../profile-driver.ts";

describe("Lambda", () => {
  function eul(mode: number, operating: number): FakeUnit {
    const unit = new FakeUnit().set("holding", 1_003, operating).set("holding", 1_012, 1_870);
    unit.set("holding", 5_004, 0xfff6).set("holding", 5_006, mode);
    return unit.set("holding", 5_051, 210, 240);
  }

  test("tenths of a degree, below zero too", async () => {
    expect(await readAll(await profileDriver(lambdaEul, eul(2, 1)))).toEqual({
      "hvac.isActive": true,
      "hvac.power": 1_870,
      "hvac.temperature": -1,
      "hvac.mode": "AUTO",
      "hvac.heatSetpoint": 21,
      "hvac.coolSetpoint": 24,
    });
  });

  test.each([
    [0, 6, "OFF", false],
    [3, 2, "HEAT", true],
    [4, 3, "COOL", true],
    [6, 10, "UNKNOWN", false],
    [1, 99, "UNKNOWN", null],
  ])("mode %i while %i is %s, active %s", async (mode, operating, shown, isActive) => {
    expect(await readAll(await profileDriver(lambdaEul, eul(mode, operating)))).toMatchObject({
      "hvac.mode": shown,
      "hvac.isActive": isActive,
    });
  });

  test("every write has function 16, and none repeats what is stored", async () => {
    expect(await controlsOf(lambdaEul, eul(2, 1))).toEqual([]);
    expect(await writes(lambdaEul, eul(2, 1), "hvac.mode", "HEAT")).toEqual([[5_006, [3], 16]]);
    expect(await writes(lambdaEul, eul(2, 1), "hvac.heatSetpoint", 22.5)).toEqual([[5_051, [225], 16]]);
    expect(await writes(lambdaEul, eul(2, 1), "hvac.heatSetpoint", 21)).toEqual([]);
    expect(await writes(lambdaEul, eul(2, 1), "hvac.coolSetpoint", 25)).toEqual([[5_052, [250], 16]]);
    await expect(writes(lambdaEul, eul(2, 1), "hvac.heatSetpoint", 31)).rejects.toBeInstanceOf(DeviceError);
  });
});
