import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Action } from "../../../src/domain/actions/action.ts";
import { type ActionEvent, nextAction } from "../../../src/domain/actions/action-machine.ts";
import { remainingWindowMs } from "../../../src/domain/actions/action-timing.ts";
import { instant } from "../../../src/domain/fields.ts";

const CREATED_MS = Date.UTC(2026, 5, 21, 12);

function makeAction(): Action {
  return {
    id: "00000000-0000-4000-8000-000000000002",
    userId: "home",
    createdAt: instant(CREATED_MS),
    updatedAt: instant(CREATED_MS),
    completedAt: null,
    state: "PENDING",
    targetId: "t",
    targetType: "charger",
    kind: "START",
    failureReason: null,
  };
}

const EVENTS: readonly [ActionEvent, Action["state"], string | null][] = [
  [{ type: "shown" }, "CONFIRMED", null],
  [{ type: "already-so" }, "CANCELLED", "UNNECESSARY"],
  [{ type: "timed-out", wasSent: true, detail: "no" }, "FAILED", "NO_RESPONSE"],
  [{ type: "timed-out", wasSent: false, detail: "no" }, "CANCELLED", "FAILED_PRECONDITION"],
  [{ type: "superseded" }, "CANCELLED", "CONFLICT"],
  [{ type: "taken-over", points: ["charger.enabled"], detail: "no" }, "CANCELLED", "CONFLICT"],
  [{ type: "cancel-requested" }, "CANCELLED", "REQUESTED_CANCELLATION"],
  [{ type: "target-deleted" }, "CANCELLED", "NOT_FOUND"],
];

describe("the action machine (rule I3.1)", () => {
  test.each(EVENTS)("%o leads from PENDING to %s %s", (event, state, reason) => {
    const next = nextAction(makeAction(), event, CREATED_MS + 5_000);
    expect(next.state).toBe(state);
    expect(next.failureReason?.type ?? null).toBe(reason);
    expect(next.completedAt).toBe(instant(CREATED_MS + 5_000));
    expect(next.updatedAt).toBe(next.completedAt);
  });

  test("nothing moves an action that has ended", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...EVENTS.map(([event]) => event)), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        (events, offsetMs) => {
          const [first, ...later] = events;
          const ended = nextAction(makeAction(), first!, CREATED_MS + offsetMs);
          for (const event of later) expect(nextAction(ended, event, CREATED_MS)).toBe(ended);
          expect(ended.state).not.toBe("PENDING");
          expect(Date.parse(ended.completedAt!)).toBeGreaterThanOrEqual(CREATED_MS);
          expect(ended.failureReason === null).toBe(ended.state === "CONFIRMED");
        },
      ),
    );
  });
});

describe("the window after a restart", () => {
  test("is never longer than a whole one, and never negative, whatever the clock says", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.boolean(), (elapsedMs, isClockSet) => {
        const remainingMs = remainingWindowMs(300_000, CREATED_MS, CREATED_MS + elapsedMs, isClockSet);
        expect(remainingMs).toBeGreaterThanOrEqual(0);
        expect(remainingMs).toBeLessThanOrEqual(300_000);
      }),
    );
  });

  test("goes on where it was", () => {
    expect(remainingWindowMs(300_000, CREATED_MS, CREATED_MS + 100_000, true)).toBe(200_000);
    expect(remainingWindowMs(300_000, CREATED_MS, CREATED_MS + 400_000, true)).toBe(0);
    expect(remainingWindowMs(300_000, CREATED_MS, CREATED_MS - 1, true)).toBe(300_000);
    expect(remainingWindowMs(300_000, CREATED_MS, CREATED_MS + 400_000, false)).toBe(300_000);
  });
});
