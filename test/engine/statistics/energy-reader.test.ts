import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/duration.ts";
import { flowByBucket } from "../../../src/domain/statistics/statistics-flow.ts";
import { coarserRows, type EnergyRow } from "../../../src/domain/statistics/statistics-row.ts";
import { EnergyReader } from "../../../src/engine/statistics/energy-reader.ts";
import type { EnergyQuery } from "../../../src/store/store.ts";

const HOUR = 500_000 * HOUR_MS;

/** A minute in which a battery gives 1 kW. */
function minuteOut(minute: number): EnergyRow {
  const none = { flowMs: 0, flowMwh: 0, flowFromMs: null, flowToMs: null, minW: null, maxW: null, level: null };
  return { atMs: HOUR + minute * MINUTE_MS, knownMs: MINUTE_MS, inMwh: 0, outMwh: 16_667, ...none };
}

test("energy out belongs to the day in which it flowed, also where days begin within an hour", async () => {
  const minutes = Array.from({ length: 30 }, (_, minute) => minuteOut(minute));
  const energy = async ({ slotMs, fromMs, toMs }: EnergyQuery) =>
    coarserRows(minutes, slotMs).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const midnightMs = HOUR + 30 * MINUTE_MS;
  const days = [
    { fromMs: HOUR - 2 * HOUR_MS, toMs: midnightMs },
    { fromMs: midnightMs, toMs: HOUR + 2 * HOUR_MS },
  ];
  const stream = { deviceId: "battery", kind: "battery" } as const;
  const span = { fromMs: HOUR - 2 * HOUR_MS, toMs: HOUR + 2 * HOUR_MS };
  const rows = await new EnergyReader({ energy }).cut(stream, span, [days.map(({ fromMs }) => fromMs)]);
  expect(flowByBucket(rows, days).map(({ outMwh }) => Math.round(outMwh / 1_000))).toEqual([500, 0]);
});
