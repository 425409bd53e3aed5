import { expect, test } from "vitest";
import { parseHomeProfile } from "../../../adapters/simulated/home-profile.ts";
import { HOUR_MS, makeHome } from "./make-home.ts";

const HEADER = "month,hour,day_type,non_shiftable_load,solar_generation";

function csv(...rows: string[]): string {
  return [HEADER, ...rows].join("\n");
}

/** Two hours before a month begins, and two after it. */
const TURN_OF_MONTH = csv("7,23,7,1.0,0", "7,24,7,2.0,0", "8,1,1,3.0,100", "8,2,1,4.0,200");

test("a row is the hour that ends at its number, on the date that its month says", () => {
  const profile = parseHomeProfile(TURN_OF_MONTH, 0);
  const midnight = Date.UTC(2026, 7, 1);
  expect(profile.loadW(midnight - HOUR_MS)).toBeCloseTo(2_000, 6);
  expect(profile.loadW(midnight)).toBeCloseTo(3_000, 6);
  expect(profile.sunWPerKw(midnight + HOUR_MS)).toBeCloseTo(200, 6);
});

test("hours of a file of loads are local", () => {
  const profile = parseHomeProfile(TURN_OF_MONTH, -8 * HOUR_MS);
  expect(profile.loadW(Date.UTC(2026, 7, 1) + 8 * HOUR_MS)).toBeCloseTo(3_000, 6);
});

test("without dates the file starts on the first of January and repeats", () => {
  const profile = parseHomeProfile("non_shiftable_load,solar_generation\n1,0\n2,0\n3,0\n", 0);
  expect(profile.loadW(Date.UTC(2026, 0, 1, 1))).toBeCloseTo(2_000, 6);
  expect(profile.loadW(Date.UTC(2026, 0, 1, 3))).toBeCloseTo(1_000, 6);
});

test("values move within the hour, and the house uses and makes just the energy of the file", () => {
  const profile = parseHomeProfile(TURN_OF_MONTH, 0);
  const startMs = Date.UTC(2026, 7, 1) - 2 * HOUR_MS;
  const home = makeHome({ profile, startMs });
  expect(profile.loadW(startMs + 75_000)).not.toBeCloseTo(profile.loadW(startMs), 0);
  home.step(4 * HOUR_MS);
  const { load, strings } = home.truth().energies;
  expect(load).toBeCloseTo(10_000, 6);
  expect(strings[0] + strings[1]).toBeCloseTo(8.5 * 300, 6);
});

test.each([
  ["no header", "", 'home file, line 1: no column "non_shiftable_load"'],
  ["no sun", "non_shiftable_load\n1\n", 'home file, line 1: no column "solar_generation"'],
  ["no hours", HEADER, "home file: 0 hours, expected 1 to 8784"],
  ["a gap", csv("1,1,1,1,1", "1,2,1,,1"), 'home file, line 3: non_shiftable_load is "", expected a number from 0'],
  ["a word", csv("1,1,1,1,sun"), 'home file, line 2: solar_generation is "sun", expected a number from 0'],
  ["a short row", csv("1,1"), 'home file, line 2: non_shiftable_load is "", expected a number from 0'],
  ["a negative load", csv("1,1,1,-1,0"), 'home file, line 2: non_shiftable_load is "-1", expected a number from 0'],
])("a file with %s is refused with its line", (_name, text, message) => {
  expect(() => parseHomeProfile(text, 0)).toThrow(message);
});
