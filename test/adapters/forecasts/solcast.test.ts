import { describe, expect, test } from "vitest";
import { solcast } from "../../../adapters/forecasts/solcast.ts";
import type { ForecastSlot } from "../../../src/sdk/forecast-source.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { meanIrradiance } from "../../twins/forecasts/sky.ts";
import { type SolcastSite, SolcastTwin } from "../../twins/forecasts/solcast-twin.ts";
import { askTwin } from "./ask-twin.ts";

const HALF_HOUR_MS = 30 * 60_000;
const SITE: SolcastSite = { latitude: 52.52, longitude: 13.405, tilt: 30, southAzimuth: 0, capacityKw: 8 };
const KEY = "solcast-key-1";

function at(text: string): SolcastTwin {
  const twin = new SolcastTwin(new VirtualClock({ startMs: Date.parse(text) }));
  twin.sites.set("aaaa-1111", SITE);
  return twin;
}

function told(twin: SolcastTwin): readonly ForecastSlot[] {
  const slots = solcast.read(askTwin(twin, solcast.request("aaaa-1111", KEY)).body);
  if (slots === null) throw new Error("not read");
  return slots;
}

describe("Solcast", () => {
  test("tells means of half hours that it names by their end, with a band", () => {
    const slots = told(at("2026-06-21T10:10:00Z"));
    expect(slots).toHaveLength(96 * 2);
    expect(slots[0]?.fromMs).toBe(Date.parse("2026-06-21T10:00:00Z"));
    for (const { fromMs, toMs, powerW, p10W, p90W } of slots) {
      expect(toMs - fromMs).toBe(HALF_HOUR_MS);
      const wholeW = meanIrradiance(fromMs, toMs, SITE) * SITE.capacityKw;
      expect(Math.abs(powerW - wholeW * 0.8)).toBeLessThan(1);
      expect(Math.abs(p10W! - wholeW * 0.3)).toBeLessThan(1);
      expect(Math.abs(p90W! - wholeW * 0.9)).toBeLessThan(1);
    }
  });

  test("keeps the key in a header, and out of the address", () => {
    const { url, headers } = solcast.request("aaaa-1111", KEY);
    expect(url).not.toContain(KEY);
    expect(headers).toEqual({ authorization: `Bearer ${KEY}` });
  });

  test("answers ten requests a day of UTC, and then says so; that many ask at once is another 429", () => {
    const twin = at("2026-06-21T10:10:00Z");
    const nowMs = Date.parse("2026-06-21T10:10:00Z");
    twin.isBusy = true;
    const busy = askTwin(twin, solcast.request("aaaa-1111", KEY));
    expect([busy.status, solcast.restUntilMs?.(busy, nowMs)]).toEqual([429, null]);
    twin.isBusy = false;
    for (let count = 0; count < 10; count += 1) told(twin);
    const usedUp = askTwin(twin, solcast.request("aaaa-1111", KEY));
    expect([usedUp.status, solcast.restUntilMs?.(usedUp, nowMs)]).toEqual([429, Date.parse("2026-06-22T00:00:00Z")]);
  });

  test("its header says when the quota begins anew", () => {
    const headers = { "x-rate-limit-reset": "1000" };
    expect(solcast.restUntilMs?.({ status: 429, headers, body: null }, 999_000)).toBe(1_000_000);
    expect(solcast.restUntilMs?.({ status: 429, headers, body: null }, 1_001_000)).toBeNull();
  });

  test("a band that it does not tell is unknown, not nothing", () => {
    const row = { pv_estimate: 1.5, period_end: "2026-06-21T10:30:00.0000000Z", period: "PT30M" };
    expect(solcast.read({ forecasts: [{ ...row, pv_estimate90: null }] })).toEqual([
      expect.objectContaining({ powerW: 1_500, p10W: null, p90W: null }),
    ]);
  });

  test.each([
    ["nothing", {}],
    ["a refusal", { response_status: { error_code: "TooManyRequests" } }],
    ["a time without a zone", rows({ period_end: "2026-06-21T10:30:00" })],
    ["a period that is none", rows({ period: "half an hour" })],
    ["a period of nothing", rows({ period: "PT0M" })],
    ["no number", rows({ pv_estimate: null })],
    ["two slots at once", rows({}, {})],
  ])("%s is no forecast", (_name, body) => {
    expect(solcast.read(body)).toBeNull();
  });
});

function rows(...changes: readonly object[]): unknown {
  const row = { pv_estimate: 1, period_end: "2026-06-21T10:30:00Z", period: "PT30M" };
  return { forecasts: changes.map((change) => ({ ...row, ...change })) };
}
