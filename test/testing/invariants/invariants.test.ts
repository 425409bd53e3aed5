/** Each invariant is broken on purpose here, and says so; and holds its peace when nothing is wrong. */
import { describe, expect, test } from "vitest";
import type { Action } from "../../../src/domain/actions/action.ts";
import { Acknowledged } from "../../long-run/invariants/acknowledged.ts";
import { windowBreaches } from "../../long-run/invariants/action-window.ts";
import { boundBreaches, closedBreaches } from "../../long-run/invariants/bounded.ts";
import { JournalOrder } from "../../long-run/invariants/journal-order.ts";
import { onePendingBreaches } from "../../long-run/invariants/one-pending.ts";
import { reversionBreach } from "../../long-run/invariants/reversion.ts";
import { truthBreaches } from "../../long-run/invariants/shown-truth.ts";
import { type Wishes, writeBreach } from "../../long-run/invariants/wanted-writes.ts";

const START_MS = Date.UTC(2026, 5, 21);

function makeAction(over: Partial<Action> = {}): Action {
  return {
    id: "a",
    userId: "home",
    createdAt: new Date(START_MS).toISOString(),
    updatedAt: new Date(START_MS).toISOString(),
    completedAt: null,
    state: "PENDING",
    targetId: "charger",
    targetType: "charger",
    kind: "START",
    failureReason: null,
    ...over,
  } as Action;
}

describe("at most one pending action a target", () => {
  test("holds for one a target", () => {
    const done = makeAction({ id: "b", state: "CANCELLED" });
    expect(onePendingBreaches([makeAction(), done, makeAction({ targetId: "battery" })])).toEqual([]);
  });
  test("reports two", () => {
    expect(onePendingBreaches([makeAction(), makeAction({ id: "b" })])).toEqual([
      "target charger has 2 pending actions",
    ]);
  });
});

describe("each action ends in its window", () => {
  const facts = { windowMs: () => 300_000, slackMs: 30_000, nowMs: START_MS + 330_000, upSinceMs: START_MS - 1 };
  test("holds until the window and the slack are over", () => {
    expect(windowBreaches([makeAction()], facts)).toEqual([]);
  });
  test("reports one that is still pending after", () => {
    expect(windowBreaches([makeAction()], { ...facts, nowMs: facts.nowMs + 1 })).toHaveLength(1);
  });
  test("gives a gateway that just started its slack", () => {
    const late = { ...facts, nowMs: START_MS + 900_000, upSinceMs: START_MS + 880_000 };
    expect(windowBreaches([makeAction()], late)).toEqual([]);
    expect(windowBreaches([makeAction()], { ...late, nowMs: START_MS + 910_001 })).toHaveLength(1);
  });
  test("reports an ending that does not fit its state", () => {
    const completedAt = new Date(START_MS + 1).toISOString();
    const failureReason = { type: "NO_RESPONSE", detail: "" } as const;
    expect(windowBreaches([makeAction({ state: "CONFIRMED" })], facts)).toHaveLength(1);
    expect(windowBreaches([makeAction({ state: "FAILED", completedAt })], facts)).toHaveLength(1);
    expect(windowBreaches([makeAction({ state: "CONFIRMED", completedAt, failureReason })], facts)).toHaveLength(1);
    expect(windowBreaches([makeAction({ state: "FAILED", completedAt, failureReason })], facts)).toEqual([]);
  });
});

describe("no device is written unless somebody wants it", () => {
  const write = { deviceId: "charger", atMs: 100_000, address: 5004, values: [16_000] };
  const nobody: Wishes = {
    lastPendingMs: new Map(),
    leased: new Set(),
    isClosing: false,
    isAlive: true,
    slackMs: 5_000,
  };
  test("reports a write that nobody wants", () => {
    expect(writeBreach(write, nobody)).toBe("charger was written at register 5004: 16000, and nobody wanted it");
    expect(writeBreach(write, { ...nobody, lastPendingMs: new Map([["charger", 94_999]]) })).not.toBeNull();
    expect(writeBreach(write, { ...nobody, leased: new Set(["inverter"]) })).not.toBeNull();
  });
  test("reports a write while no gateway runs, whatever was wanted", () => {
    expect(writeBreach(write, { ...nobody, isAlive: false, leased: new Set(["charger"]) })).not.toBeNull();
  });
  test("holds for pending actions, held values and an orderly stop", () => {
    expect(writeBreach(write, { ...nobody, lastPendingMs: new Map([["charger", 95_000]]) })).toBeNull();
    expect(writeBreach(write, { ...nobody, leased: new Set(["charger"]) })).toBeNull();
    expect(writeBreach(write, { ...nobody, isClosing: true })).toBeNull();
  });
});

describe("a device whose gateway died reverts in time", () => {
  const held = { isForced: true, nowMs: 200_000, deadSinceMs: 100_000, limitMs: 99_999 };
  test("reports one that is held longer", () => {
    expect(reversionBreach("inverter", held)).toBe("inverter is still held 100000 ms after the gateway died");
  });
  test("holds within the limit, at the default, and while a gateway runs", () => {
    expect(reversionBreach("inverter", { ...held, limitMs: 100_000 })).toBeNull();
    expect(reversionBreach("inverter", { ...held, isForced: false })).toBeNull();
    expect(reversionBreach("inverter", { ...held, deadSinceMs: null })).toBeNull();
  });
});

describe("each journal record exactly once and in order", () => {
  const record = (epoch: number, seq: number) => ({ epoch, seq });
  test("holds for consecutive numbers and a new epoch", () => {
    const order = new JournalOrder();
    expect(order.take([record(1, 1), record(1, 2), record(2, 1), record(2, 2)])).toEqual([]);
    expect([order.last, order.count]).toEqual([record(2, 2), 4]);
  });
  test.each([
    ["twice", [record(1, 1), record(1, 1)]],
    ["backwards", [record(1, 2), record(1, 1)]],
    ["with a hole", [record(1, 1), record(1, 3)]],
    ["of an older epoch", [record(2, 1), record(1, 2)]],
  ])("reports a record that comes %s", (_how, records) => {
    expect(new JournalOrder().take(records)).toHaveLength(1);
  });
  test("compares across calls", () => {
    const order = new JournalOrder();
    order.take([record(1, 7)]);
    expect(order.take([record(1, 7)])).toHaveLength(1);
  });
});

test("an acknowledged write that is gone is reported, one that is there is not", () => {
  const acknowledged = new Acknowledged();
  acknowledged.remember("kept");
  acknowledged.remember("gone");
  expect(acknowledged.breaches((id) => id === "kept")).toEqual(["acknowledged write gone is lost"]);
  expect(acknowledged.breaches(() => true)).toEqual([]);
});

test("a queue over its limit is reported, one at its limit is not", () => {
  expect(boundBreaches([{ what: "open streams", value: 4, limit: 3 }])).toEqual(["open streams: 4, at most 3 allowed"]);
  expect(boundBreaches([{ what: "open streams", value: 3, limit: 3 }])).toEqual([]);
});

test("whatever is open after a close is reported", () => {
  expect(closedBreaches({ streams: 0, listeners: 0, timers: 0 })).toEqual([]);
  expect(closedBreaches({ streams: 1, listeners: 1, timers: 1 })).toHaveLength(3);
});

describe("the API shows what is so", () => {
  const power = { what: "battery power", shown: 1.2, recently: [1.1, 1.3, 1.15], tolerance: 0.01 };
  test("holds within what was so lately", () => {
    expect(truthBreaches([power, { ...power, shown: 1.31 }])).toEqual([]);
    expect(truthBreaches([{ what: "state", shown: "IDLE", recently: ["CHARGING", "IDLE"], tolerance: 0 }])).toEqual([]);
    expect(truthBreaches([{ what: "plug", shown: false, recently: [false], tolerance: 0 }])).toEqual([]);
  });
  test("reports a wrong number, a wrong sign, a wrong state and a value that is missing", () => {
    expect(truthBreaches([{ ...power, shown: 1.32 }])).toEqual([
      "battery power is shown as 1.32, it was between 1.1 and 1.3",
    ]);
    expect(truthBreaches([{ ...power, shown: -1.2 }])).toHaveLength(1);
    expect(truthBreaches([{ ...power, shown: null }])).toHaveLength(1);
    expect(truthBreaches([{ ...power, shown: "1.2" }])).toHaveLength(1);
    expect(truthBreaches([{ what: "plug", shown: true, recently: [false], tolerance: 0 }])).toHaveLength(1);
  });
});
