import { type ControlPoint, DeviceError, type DeviceProfile, type PointValue } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { daikinHomehub } from "../../../../adapters/modbus/profiles/daikin-homehub.ts";
import { glenDimplex } from "../../../../adapters/modbus/profiles/glen-dimplex.ts";
import { idmNavigator } from "../../../../adapters/modbus/profiles/idm-navigator.ts";
import { lambdaEul } from "../../../../adapters/modbus/profiles/lambda-eul.ts";
import { luxtronikShi } from "../../../../adapters/modbus/profiles/luxtronik-shi.ts";
import { nibeS } from "../../../../adapters/modbus/profiles/nibe-s.ts";
import { stiebelWpm } from "../../../../adapters/modbus/profiles/stiebel-wpm.ts";
import { weishauptWpm } from "../../../../adapters/modbus/profiles/weishaupt-wpm.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

/** What a confirmed profile writes for a value. */
async function writes(profile: DeviceProfile, unit: FakeUnit, point: ControlPoint, value: PointValue) {
  const driver = await profileDriver(profile, unit, { confirmUnverified: true });
  await readAll(driver);
  unit.writes.length = 0;
  await driver.write(point, value, calm);
  return unit.writes;
}

async function controlsOf(profile: DeviceProfile, unit: FakeUnit): Promise<readonly string[]> {
  return (await profileDriver(profile, unit)).controls.map(({ point }) => point);
}

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

describe("Stiebel Eltron", () => {
  const wpm = (state: number, room: number) => new FakeUnit().set("input", 502, room).set("input", 5_000, state);

  test.each([
    [1, 0xffce, "OFF", -5],
    [2, 215, "AUTO", 21.5],
    [3, 0x8000, "HEAT", null],
    [4, 215, "HEAT", 21.5],
  ])("state %i with %i in the room is %s, %s °C", async (state, room, mode, temperature) => {
    expect(await readAll(await profileDriver(stiebelWpm, wpm(state, room)))).toMatchObject({
      "hvac.mode": mode,
      "hvac.temperature": temperature,
    });
  });

  test("two sources know its inputs; on the way from one state to another nothing is forced", async () => {
    expect(await controlsOf(stiebelWpm, wpm(2, 215))).toEqual(["hvac.mode", "hvac.holdType"]);
    expect(await writes(stiebelWpm, wpm(2, 215), "hvac.mode", "HEAT")).toEqual([
      [4_002, [0], 6],
      [4_001, [1], 6],
    ]);
    expect(await writes(stiebelWpm, wpm(3, 215), "hvac.mode", "OFF")).toEqual([
      [4_001, [0], 6],
      [4_002, [1], 6],
    ]);
    expect(await writes(stiebelWpm, wpm(3, 215), "hvac.mode", "AUTO")).toEqual([
      [4_001, [0], 6],
      [4_002, [0], 6],
    ]);
  });
});

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
