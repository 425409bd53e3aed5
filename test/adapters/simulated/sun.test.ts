import { expect, test } from "vitest";
import { clearSkyWPerKw, sunDirection } from "../../../adapters/simulated/sun.ts";
import { weatherOf } from "../../../adapters/simulated/weather.ts";

const MUNICH = { latitude: 48.14, longitude: 11.58 };
const ROOF = { tilt: 30, azimuth: 180 };
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

function elevationDegrees(atMs: number, place: { latitude: number; longitude: number }): number {
  return (Math.asin(sunDirection(atMs, place).up) * 180) / Math.PI;
}

/** The minute of the UTC day with the highest sun, and how high it is. */
function culmination(
  dayMs: number,
  place: { latitude: number; longitude: number },
): { minute: number; degrees: number } {
  const minutes = Array.from({ length: DAY_MINUTES }, (_none, minute) => ({
    minute,
    degrees: elevationDegrees(dayMs + minute * MINUTE_MS, place),
  }));
  return minutes.reduce((best, each) => (each.degrees > best.degrees ? each : best));
}

test.each([
  // 90° − latitude ± the obliquity of 23.44°; noon by the longitude and the equation of time (−1.8, +1.8, −7.4 min).
  ["summer solstice in Munich", Date.UTC(2026, 5, 21), MUNICH, 65.3, 675.5],
  ["winter solstice in Munich", Date.UTC(2026, 11, 21), MUNICH, 18.4, 671.9],
  ["equinox on the equator at Greenwich", Date.UTC(2026, 2, 20), { latitude: 0, longitude: 0 }, 90, 727.5],
  ["midsummer in Sydney", Date.UTC(2026, 11, 21), { latitude: -33.87, longitude: 151.21 }, 79.6, 113.4],
])("at the %s the sun is as high as geometry says, at the right minute", (_name, day, place, degrees, minute) => {
  const noon = culmination(day, place);
  expect(Math.abs(noon.degrees - degrees)).toBeLessThan(0.2);
  expect(Math.abs(noon.minute - minute)).toBeLessThan(2);
});

test("the sun stands in the east in the morning and in the south at noon", () => {
  const morning = sunDirection(Date.UTC(2026, 5, 21, 5), MUNICH);
  expect(morning.east).toBeGreaterThan(0.7);
  const noon = sunDirection(Date.UTC(2026, 5, 21, 11, 15), MUNICH);
  expect(noon.north).toBeLessThan(0);
  expect(Math.abs(noon.east)).toBeLessThan(0.02);
});

test("at night the roof gives nothing, and at noon less than its rating and a tenth", () => {
  expect(clearSkyWPerKw(Date.UTC(2026, 5, 21, 23), MUNICH, ROOF)).toBe(0);
  const noon = clearSkyWPerKw(Date.UTC(2026, 5, 21, 11), MUNICH, ROOF);
  expect(noon).toBeGreaterThan(800);
  expect(noon).toBeLessThan(1_100);
});

test("a summer day gives several times what a winter day gives", () => {
  const yieldOf = (dayMs: number): number => {
    let wattMinutes = 0;
    for (let minute = 0; minute < DAY_MINUTES; minute++) {
      wattMinutes += clearSkyWPerKw(dayMs + minute * MINUTE_MS, MUNICH, ROOF);
    }
    return wattMinutes / 60_000;
  };
  const [summer, winter] = [yieldOf(Date.UTC(2026, 5, 21)), yieldOf(Date.UTC(2026, 11, 21))];
  expect(summer).toBeGreaterThan(6);
  expect(summer).toBeLessThan(9.5);
  expect(winter).toBeGreaterThan(1.5);
  expect(winter).toBeLessThan(summer / 2);
});

test("clouds move between shade and sun without jumps, and each seed has its own", () => {
  const week = Array.from({ length: 7 * DAY_MINUTES }, (_none, minute) =>
    weatherOf(3).transmittance(minute * MINUTE_MS),
  );
  expect(Math.min(...week)).toBeGreaterThanOrEqual(0.12);
  expect(Math.max(...week)).toBe(1);
  expect(Math.min(...week)).toBeLessThan(0.4);
  for (let minute = 1; minute < week.length; minute++) {
    expect(Math.abs(week[minute]! - week[minute - 1]!)).toBeLessThan(0.4);
  }
  expect(week).not.toEqual(week.map((_value, minute) => weatherOf(4).transmittance(minute * MINUTE_MS)));
});
