import { describe, expect, test } from "vitest";
import { stiebelWpm } from "../../../../adapters/modbus/profiles/stiebel-wpm.ts";
import { FakeUnit } from "../fake-unit.ts";
import { controlsOf, profileDriver, readAll, writes } from "../profile-driver.ts";

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
