/** Profiles as data, and what is told about them. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defineHttpProfile, type HttpProfile } from "../../../adapters/http-json/http-profile.ts";
import { KNOWN_HTTP_PROFILES } from "../../../adapters/http-json/known-http-profiles.ts";
import { httpDevicesText } from "../../../scripts/http-devices-text.ts";

describe("a profile", () => {
  test.each(KNOWN_HTTP_PROFILES.map((profile) => [profile.id, profile] as const))(
    "%s survives JSON",
    (_id, profile) => {
      expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
      expect(profile.notes.length).toBeGreaterThan(0);
    },
  );

  test("has a name that no other has", () => {
    expect(new Set(KNOWN_HTTP_PROFILES.map(({ id }) => id)).size).toBe(KNOWN_HTTP_PROFILES.length);
  });

  test.each<[string, Partial<HttpProfile>]>([
    ["profile id", { id: "Not kebab" }],
    ["nothing asks for other", { points: [point({ from: "other" })] }],
    ["two points have the same key", { points: [point({}), point({})] }],
    ["needs raw.eid", { points: [point({ path: "/[eid=$raw.eid]/power" })] }],
    ["needs a setting channel", { points: [point({ path: "/em:{channel}" })] }],
    ["is made from raw.x", { derived: [{ point: "meter.frequency", value: { of: "raw.x" } }] }],
    ["both read and derived", { points: [point({})], derived: [{ point: "meter.power", value: 1 }] }],
    ["does not start with /", { points: [point({ path: "power" })] }],
  ])("that contradicts itself throws at load: %s", (words, part) => {
    const base = KNOWN_HTTP_PROFILES.find(({ id }) => id === "tasmota-http-pv");
    expect(base).toBeDefined();
    const made = { ...(base as HttpProfile), points: [], derived: [], controls: [], ...part };
    expect(() => defineHttpProfile(made)).toThrow(words);
  });
});

test("docs/http-devices.md says what the profiles say", () => {
  expect(readFileSync("docs/http-devices.md", "utf8")).toBe(httpDevicesText());
});

function point(part: Partial<HttpProfile["points"][number]>): HttpProfile["points"][number] {
  return { key: "meter.power", from: "sensors", path: "/power", confidence: "derived", source: "a test", ...part };
}
