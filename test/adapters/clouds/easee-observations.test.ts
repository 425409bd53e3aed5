import { VirtualClock } from "hemgate/testing";
import { expect, test } from "vitest";
import { ChargerState, OBSERVATION } from "../../../adapters/clouds/easee/observations.ts";

const SAID = "2026-10-17T17:23:10Z";
const SAID_MS = Date.parse(SAID);
const HOUR_MS = 3_600_000;

test.each([
  ["of what it says while the gateway's clock is behind and nobody vouches for it", -2 * HOUR_MS, "restored", SAID_MS],
  ["of what it says where the clock is right", HOUR_MS, "synced", SAID_MS],
  ["of now where it says a time to come", -HOUR_MS, "synced", SAID_MS - HOUR_MS],
] as const)("what the hub tells is %s", (_, aheadMs, quality, expected) => {
  const clock = new VirtualClock({ startMs: SAID_MS + aheadMs, quality });
  const told = { id: OBSERVATION.power, value: 6.9, timestamp: SAID };
  expect(new ChargerState([]).with(told, clock).atMs("power")).toBe(expected);
});
