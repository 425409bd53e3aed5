import { describe, expect, test } from "vitest";
import { FORECAST_SOURCES } from "../../adapters/forecasts/sources.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { mistakeLine } from "../../src/config/mistake.ts";

const PLANES = "planes: [{ tilt: 30, azimuth: 180, peakKw: 9.8 }]";

function load(...lines: readonly string[]) {
  const text = `forecast:\n${lines.map((line) => `  ${line}\n`).join("")}`;
  return loadConfig({ text, environment: {}, adapters: [], forecastSources: FORECAST_SOURCES });
}

function mistakes(...lines: readonly string[]): readonly string[] {
  const result = load(...lines);
  return result.ok ? [] : result.mistakes.map((mistake) => mistakeLine("gateway.yaml", mistake));
}

describe("a forecast in the configuration", () => {
  test.each([
    ["forecast-solar", [PLANES]],
    ["forecast-solar", [PLANES, "key: abc"]],
    ["open-meteo", ["planes: [{ tilt: 0, azimuth: 0, peakKw: 1, lossesFraction: 0.1, noct: 47, name: Garage }]"]],
    ["solcast", ["key: abc", "sites: [1234-abcd]"]],
  ])("is right: %s", (source, lines) => {
    expect(mistakes(`source: ${source}`, ...lines)).toEqual([]);
  });

  test("has defaults where nothing is said", () => {
    const result = load("source: open-meteo", PLANES);
    expect(result.ok && result.config.forecast).toEqual({
      source: "open-meteo",
      planes: [{ tilt: 30, azimuth: 180, peakKw: 9.8 }],
      sites: [],
      place: null,
      inverterKw: null,
      key: null,
    });
  });

  test.each([
    [["source: forcast-solar", PLANES], "forecast.source", "there are forecast-solar, open-meteo, solcast"],
    [["source: solcast", "sites: [a]"], "forecast.key", "solcast needs the key of your account"],
    [["source: solcast", "key: a"], "forecast.sites", "solcast needs the ids of your sites there"],
    [["source: solcast", "key: a", "sites: [a]", PLANES], "forecast.planes", "name its sites"],
    [["source: open-meteo"], "forecast.planes", "open-meteo needs a description of the panels"],
    [["source: open-meteo", PLANES, "sites: [a]"], "forecast.sites", "describe the panels in planes"],
    [
      ["source: forecast-solar", "planes: [{ tilt: 30, azimuth: 180, peakKw: 9, lossesFraction: 0.2 }]"],
      "forecast.planes[0].lossesFraction",
      "forecast-solar calculates with its own value",
    ],
    [
      ["source: open-meteo", "planes: [{ tilt: 30, azimuth: -90, peakKw: 9 }]"],
      "forecast.planes[0].azimuth",
      "90 east",
    ],
    [["source: open-meteo", "planes: [{ tilt: 95, azimuth: 90, peakKw: 9 }]"], "forecast.planes[0].tilt", "stands"],
    [["source: open-meteo", "planes: [{ tilt: 30, azimuth: 90 }]"], "forecast.planes[0].peakKw", "kW"],
  ])("is wrong: %s", (lines, path, words) => {
    const [first, ...rest] = mistakes(...lines);
    expect(rest).toEqual([]);
    expect(first).toContain(path);
    expect(first).toContain(words);
  });

  test("takes its key from the environment, too", () => {
    const text = "forecast: { source: solcast, sites: [a] }";
    const environment = { HEMGATE_FORECAST_KEY: "abc" };
    const result = loadConfig({ text, environment, adapters: [], forecastSources: FORECAST_SOURCES });
    expect(result.ok && result.config.forecast?.key).toBe("abc");
  });

  test("is never shown with its key", () => {
    const told = [
      ...mistakes("source: solcast", "key: canary-51af", "planes: 5", "sites: 5"),
      ...mistakes("source: solcast", "key: canary-51af with a space"),
      ...mistakes("source: solcast", "key: canary-51af"),
    ];
    expect(told).toHaveLength(5);
    expect(told.join("\n")).not.toContain("canary-51af");
  });

  test("of a source that takes no more requests than there are planes", () => {
    const [source] = FORECAST_SOURCES;
    const scarce = [{ ...source!, id: "scarce", limit: { requests: 1, windowMs: 1_000 } }];
    const text =
      "forecast: { source: scarce, planes: [{ tilt: 1, azimuth: 1, peakKw: 1 }, { tilt: 1, azimuth: 2, peakKw: 1 }] }";
    const result = loadConfig({ text, environment: {}, adapters: [], forecastSources: scarce });
    expect(result).toMatchObject({ ok: false, mistakes: [{ path: "forecast.planes" }] });
  });
});
