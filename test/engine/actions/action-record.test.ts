import { describe, expect, test } from "vitest";
import { answeredBefore } from "../../../src/engine/actions/action-record.ts";
import type { ClockQuality } from "../../../src/platform/ports/ports.ts";
import type { ActionRecord } from "../../../src/store/records.ts";
import { MemoryTables } from "../../../src/store/tables.ts";
import { makeAction } from "../../store/makers.ts";

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const AGAIN = { origin: "client", requestKey: "key 1" } as const;

function answered(record: Partial<ActionRecord>, quality: ClockQuality = "synced"): string | null {
  const tables = new MemoryTables();
  const own = { ...makeAction("a1", NOW_MS), ...record, requestKey: "key 1" };
  tables.put("action", "a1", own);
  const clock = { nowMs: () => NOW_MS, quality: () => quality };
  return answeredBefore({ all: (table) => [...tables.keyed(table)].map(([, each]) => each) }, clock, AGAIN)?.id ?? null;
}

describe("a request that comes again", () => {
  test("is answered with the action that it made, for a day", () => {
    expect(answered({ createdAtMs: NOW_MS - DAY_MS + 1 })).toBe("a1");
    expect(answered({ createdAtMs: NOW_MS - DAY_MS })).toBeNull();
  });

  test("is known for a day from when the clock is set that dated it", () => {
    const createdAtMs = NOW_MS - 20 * DAY_MS;
    expect(answered({ createdAtMs, isDateUnsure: true })).toBe("a1");
    expect(answered({ createdAtMs, agesFromMs: NOW_MS - DAY_MS + 1 })).toBe("a1");
    expect(answered({ createdAtMs, agesFromMs: NOW_MS - DAY_MS })).toBeNull();
  });

  test("is not forgotten by a clock that nobody vouches for", () => {
    expect(answered({ createdAtMs: NOW_MS - 2 * DAY_MS }, "restored")).toBe("a1");
  });
});
