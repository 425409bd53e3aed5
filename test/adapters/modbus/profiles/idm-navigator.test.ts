import { describe, expect, test } from "vitest";
import { idmNavigator } from "../../../../adapters/modbus/profiles/idm-navigator.ts";
import { FakeUnit } from "../fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "../profile-driver.ts";

describe("iDM", () => {
  function navigator(operating: number, running: number): FakeUnit {
    const unit = new FakeUnit().set("holding", 1_005, operating).set("holding", 1_090, running);
    // 21.5 °C and 1.234 kW, low word first.
    return unit.set("holding", 1_364, 0x0000, 0x41ac).set("holding", 4_122, 0xf3b6, 0x3f9d);
  }

  test("floats come low word first, kilowatts become watts", async () => {
    expect(await readAll(await profileDriver(idmNavigator, navigator(1, 1)))).toEqual({
      "hvac.temperature": 21.5,
      "hvac.power": 1_234,
      "hvac.isActive": true,
      "hvac.mode": "AUTO",
      "hvac.holdType": "SCHEDULED",
    });
  });

  test.each([
    [0, 0, "OFF", false],
    [2, 2, "AUTO", true],
    [4, 4, "OFF", true],
    [5, 8, "AUTO", false],
    [3, 3, "UNKNOWN", null],
  ])("system %i and heat pump %i are %s, active %s", async (operating, running, mode, isActive) => {
    expect(await readAll(await profileDriver(idmNavigator, navigator(operating, running)))).toMatchObject({
      "hvac.mode": mode,
      "hvac.isActive": isActive,
    });
  });

  test("the mode is stored: it is written only when it is another", async () => {
    expect(await controlsOf(idmNavigator, navigator(1, 1))).toEqual([]);
    expect(await writes(idmNavigator, navigator(1, 1), "hvac.mode", "OFF")).toEqual([[1_005, [0], 16]]);
    expect(await writes(idmNavigator, navigator(0, 0), "hvac.mode", "OFF")).toEqual([]);
    expect(await writes(idmNavigator, navigator(0, 0), "hvac.holdType", "SCHEDULED")).toEqual([[1_005, [1], 16]]);
    expect(await writes(idmNavigator, navigator(0, 0), "hvac.holdType", "PERMANENT")).toEqual([]);
  });
});
