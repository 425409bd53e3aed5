import { describe, expect, test } from "vitest";
import type { HomeModel } from "../../../adapters/simulated/home-model.ts";
import { createInverterTwin } from "../../../adapters/simulated/inverter-twin.ts";
import { HOUR_MS, makeHome, NIGHT_MS, SUMMER_NOON_MS, steady } from "./make-home.ts";

/** Where the models begin, counted by hand from 40,000: marker 2, then ID, length and body of each. */
const M103 = 40_069;
const M120 = 40_121;
const M123 = 40_227;
const M160 = 40_253;
const M124 = 40_343;
const END = 40_369;
const MODULE = 20;

function twinOf(home: HomeModel) {
  const image = createInverterTwin(home);
  return {
    image,
    read(address: number, count = 1): readonly number[] {
      const reply = image.readHolding(1, address, count);
      if (reply.kind !== "values") throw new Error(`registers ${address}: ${JSON.stringify(reply)}`);
      return reply.values;
    },
    write: (address: number, ...words: number[]) => image.writeHolding(1, address, words, 16),
  };
}

function textAt(twin: ReturnType<typeof twinOf>, address: number, count: number): string {
  const bytes = twin.read(address, count).flatMap((word) => [word >> 8, word & 0xff]);
  return String.fromCharCode(...bytes.filter((byte) => byte !== 0));
}

test("the chain begins with SunS and holds the models at their places, then ends", () => {
  const twin = twinOf(makeHome());
  expect(twin.read(40_000, 2)).toEqual([0x5375, 0x6e53]);
  const chain: number[][] = [];
  for (let at = 40_002; chain.length < 20; at += 2 + twin.read(at + 1)[0]!) {
    chain.push([at, ...twin.read(at, 2)]);
    if (twin.read(at)[0] === 0xffff) break;
  }
  expect(chain).toEqual([
    [40_002, 1, 65],
    [M103, 103, 50],
    [M120, 120, 26],
    [40_149, 121, 30],
    [40_181, 122, 44],
    [M123, 123, 24],
    [M160, 160, 88],
    [M124, 124, 24],
    [END, 0xffff, 0],
  ]);
});

test("the made-up inverter says who it is", () => {
  const twin = twinOf(makeHome());
  expect(textAt(twin, 40_004, 16)).toBe("Hemgate");
  expect(textAt(twin, 40_020, 16)).toBe("Sandbox Hybrid 10.0");
  expect(textAt(twin, 40_052, 16)).toBe("HG-0017-2204");
});

describe("with 6,800 W of sun, 500 W of load, and 5,000 W into the battery", () => {
  const home = makeHome({ profile: steady(500, 800) });
  home.step(60_000);
  const twin = twinOf(home);

  test("the AC side gives 1,800 W", () => {
    expect(twin.read(M103 + 14, 2)).toEqual([1_800, 0]);
    expect(twin.read(M103 + 38)).toEqual([4]);
  });

  test("the strings give 4,000 and 2,800 W in tenths", () => {
    expect(twin.read(M160 + 4)).toEqual([0xffff]);
    expect(twin.read(M160 + 8)).toEqual([4]);
    expect(twin.read(M160 + 10 + 11)).toEqual([40_000]);
    expect(twin.read(M160 + 10 + MODULE + 11)).toEqual([28_000]);
  });

  test("the charging module takes 5,000 W and the discharging one nothing", () => {
    expect(textAt(twin, M160 + 10 + 2 * MODULE + 1, 8)).toBe("StCha 3");
    expect(twin.read(M160 + 10 + 2 * MODULE + 11)).toEqual([50_000]);
    expect(textAt(twin, M160 + 10 + 3 * MODULE + 1, 8)).toBe("StDisCha 4");
    expect(twin.read(M160 + 10 + 3 * MODULE + 11)).toEqual([0]);
  });

  test("the storage model says charging, at 55.77 %, from 7 % up, with 5,000 W at the most", () => {
    expect(twin.read(M124 + 2)).toEqual([5_000]);
    expect(twin.read(M124 + 7)).toEqual([700]);
    expect(twin.read(M124 + 8)).toEqual([5_577]);
    expect(twin.read(M124 + 11)).toEqual([4]);
    expect(twin.read(M124 + 18, 8)).toEqual([0, 0, 0x8000, 0xfffe, 0xfffe, 0x8000, 0xfffe, 0xfffe]);
  });

  test("the nameplate tells 10 kW and a battery of 10,240 Wh in tens", () => {
    expect(twin.read(M120 + 2, 3)).toEqual([82, 10_000, 0]);
    expect(twin.read(M120 + 19, 2)).toEqual([1_024, 1]);
  });
});

test("a string's counter carries over its two registers", () => {
  const home = makeHome({ profile: steady(500, 800) });
  // 14,305,120 Wh before, and 4,000 W for a quarter of an hour.
  home.step(HOUR_MS / 4);
  expect(twinOf(home).read(M160 + 10 + 12, 2)).toEqual([0x00da, 0x4b48]);
});

test("at night the strings have no values, their counters stay, and the battery gives 1,200 W", () => {
  const home = makeHome({ startMs: NIGHT_MS, profile: steady(1_200, 0) });
  home.step(60_000);
  const twin = twinOf(home);
  expect(twin.read(M160 + 10 + 9, 5)).toEqual([0xffff, 0xffff, 0xffff, 0x00da, 0x4760]);
  expect(twin.read(M160 + 10 + 2 * MODULE + 11)).toEqual([0]);
  expect(twin.read(M160 + 10 + 3 * MODULE + 11)).toEqual([12_000]);
  expect(twin.read(M103 + 14)).toEqual([1_200]);
  expect(twin.read(M124 + 11)).toEqual([3]);
});

test("taking power from the house makes the AC power negative", () => {
  const home = makeHome({ startMs: NIGHT_MS, profile: steady(300, 0) });
  const twin = twinOf(home);
  twin.write(M124 + 17, 1);
  twin.write(M124 + 12, 0xffff - 5_000 + 1);
  twin.write(M124 + 5, 2);
  home.step(60_000);
  expect(home.truth()).toMatchObject({ batteryW: 2_500, gridW: 2_800 });
  expect(twin.read(M103 + 14)).toEqual([0x1_0000 - 2_500]);
});

describe("storage control", () => {
  /** 8,500 × 0.2 = 1,700 W of sun over 500 W of load: by itself the battery takes 1,200 W. */
  const afterWrites = (writes: readonly (readonly [number, number])[]): HomeModel => {
    const home = makeHome({ profile: steady(500, 200) });
    const twin = twinOf(home);
    for (const [offset, word] of writes) {
      expect(twin.image.writeHolding(1, M124 + offset, [word], 6)).toEqual({ kind: "values", values: [] });
    }
    home.step(60_000);
    return home;
  };

  test.each([
    ["nothing is limited: what is left over", [], 1_200, -0],
    ["rates without their bits: the same", [[12, 0] as const, [13, 0] as const], 1_200, -0],
    ["both rates at 0: idle", [[12, 0] as const, [13, 0] as const, [5, 3] as const], 0, -1_200],
    ["charging at 10 % at the most", [[13, 1_000] as const, [5, 1] as const], 500, -700],
    ["forced to give 50 %", [[13, 0x1_0000 - 5_000] as const, [5, 1] as const], -2_500, -3_700],
    ["forced to take 100 % from the panels alone", [[12, 0x1_0000 - 10_000] as const, [5, 2] as const], 1_700, 500],
    [
      "forced to take 100 %, from the grid too",
      [[17, 1] as const, [12, 0x1_0000 - 10_000] as const, [5, 2] as const],
      5_000,
      3_800,
    ],
    ["forced both ways", [[12, 0xd8f0] as const, [13, 0xd8f0] as const, [5, 3] as const], 0, -1_200],
  ])("%s", (_name, writes, batteryW, gridW) => {
    const { truth } = afterWrites(writes);
    expect(truth().batteryW).toBeCloseTo(batteryW, 6);
    expect(truth().gridW).toBeCloseTo(gridW, 6);
  });

  test("a higher reserve stops discharging at once", () => {
    const home = makeHome({ startMs: NIGHT_MS, profile: steady(800, 0) });
    home.step(60_000);
    twinOf(home).write(M124 + 7, 6_000);
    home.step(10_000);
    expect(home.truth()).toMatchObject({ batteryW: 0, gridW: 800 });
  });
});

describe("reversion", () => {
  test("a hold ends when its time is over, and not a second before", () => {
    const home = makeHome({ profile: steady(500, 200) });
    const twin = twinOf(home);
    twin.write(M124 + 15, 60);
    twin.write(M124 + 12, 0, 0);
    twin.write(M124 + 5, 3);
    home.step(59_000);
    expect(twin.read(M124 + 5)).toEqual([3]);
    expect(home.truth().batteryW).toBe(0);
    home.step(1_000);
    expect(twin.read(M124 + 5)).toEqual([0]);
    expect(twin.read(M124 + 12, 2)).toEqual([10_000, 10_000]);
    home.step(5_000);
    expect(home.truth().batteryW).toBe(1_200);
  });

  test("each write of the hold starts its time anew", () => {
    const home = makeHome({ profile: steady(500, 200) });
    const twin = twinOf(home);
    twin.write(M124 + 15, 60);
    twin.write(M124 + 5, 3);
    home.step(50_000);
    twin.write(M124 + 5, 3);
    home.step(50_000);
    expect(twin.read(M124 + 5)).toEqual([3]);
    home.step(10_000);
    expect(twin.read(M124 + 5)).toEqual([0]);
  });

  test("without a time a hold stays for good, and the setting of the time outlives a reversion", () => {
    const home = makeHome({ profile: steady(500, 200) });
    const twin = twinOf(home);
    twin.write(M124 + 5, 3);
    home.step(10 * HOUR_MS);
    expect(twin.read(M124 + 5)).toEqual([3]);
    twin.write(M124 + 15, 30);
    home.step(31_000);
    expect(twin.read(M124 + 5)).toEqual([0]);
    expect(twin.read(M124 + 15)).toEqual([30]);
  });

  test("a limit of the output ends by its enable alone", () => {
    const home = makeHome({ profile: steady(500, 800) });
    const twin = twinOf(home);
    expect(twin.write(M123 + 5, 1_000, 0, 120, 0, 1)).toMatchObject({ kind: "values" });
    home.step(119_000);
    expect(twin.read(M103 + 14)).toEqual([1_000]);
    expect(twin.read(M123 + 9)).toEqual([1]);
    home.step(2_000);
    expect(twin.read(M123 + 5)).toEqual([1_000]);
    expect(twin.read(M123 + 9)).toEqual([0]);
    expect(twin.read(M103 + 14)).toEqual([1_800]);
  });

  test("a disconnected inverter gives nothing, and comes back by itself when told so", () => {
    const home = makeHome({ profile: steady(500, 800) });
    const twin = twinOf(home);
    twin.write(M123 + 3, 10);
    twin.write(M123 + 4, 0);
    home.step(9_000);
    expect(home.truth()).toMatchObject({ pvW: 0, batteryW: 0, gridW: 500 });
    expect(twin.read(M103 + 38)).toEqual([1]);
    home.step(20_000);
    expect(home.truth().pvW).toBe(6_800);
  });
});

test.each([
  ["a read before the marker", (t: ReturnType<typeof twinOf>) => t.image.readHolding(1, 39_999, 2), 2],
  ["a read over the end", (t: ReturnType<typeof twinOf>) => t.image.readHolding(1, END, 3), 2],
  ["more than 125 registers", (t: ReturnType<typeof twinOf>) => t.image.readHolding(1, 40_000, 126), 3],
  ["an input register", (t: ReturnType<typeof twinOf>) => t.image.readInput(1, 40_000, 2), 1],
  ["a write to a measurement", (t: ReturnType<typeof twinOf>) => t.write(M103 + 14, 0), 2],
  ["a mode that does not exist", (t: ReturnType<typeof twinOf>) => t.write(M124 + 5, 4), 3],
  ["a rate over 100 %", (t: ReturnType<typeof twinOf>) => t.write(M124 + 12, 10_001), 3],
  ["a rate under -100 %", (t: ReturnType<typeof twinOf>) => t.write(M124 + 13, 0x1_0000 - 10_001), 3],
  ["a negative limit", (t: ReturnType<typeof twinOf>) => t.write(M123 + 5, 0xffff), 3],
  ["a time beyond eight hours", (t: ReturnType<typeof twinOf>) => t.write(M124 + 15, 28_801), 3],
])("%s is refused by the made-up inverter", (_name, ask, code) => {
  expect(ask(twinOf(makeHome()))).toEqual({ kind: "exception", code });
});

test("a write of which one register is refused changes none", () => {
  const home = makeHome({ startMs: SUMMER_NOON_MS });
  const before = home.inverterControls();
  expect(twinOf(home).write(M124 + 12, 0, 20_000)).toEqual({ kind: "exception", code: 3 });
  expect(home.inverterControls()).toBe(before);
});

test("another unit than the made-up inverter's does not answer", () => {
  const { image } = twinOf(makeHome());
  expect(image.readHolding(200, 40_000, 2)).toEqual({ kind: "silence" });
  expect(image.writeHolding(2, M124 + 5, [3], 6)).toEqual({ kind: "silence" });
});
