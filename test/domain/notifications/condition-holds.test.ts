import { describe, expect, test } from "vitest";
import { type Condition, holdTimes } from "../../../src/domain/notifications/condition.ts";
import { ConditionHolds } from "../../../src/domain/notifications/condition-holds.ts";

const MINUTE = 60_000;
const SILENT: Condition = {
  key: "device-silent:meter",
  facts: { kind: "device-silent", deviceId: "meter", device: "Meter", lastSeenMs: null },
};
const NONE: ReadonlySet<string> = new Set();
const ANNOUNCED: ReadonlySet<string> = new Set([SILENT.key]);

function makeHolds(): ConditionHolds {
  return new ConditionHolds(({ kind }) => holdTimes(kind, 30 * MINUTE));
}

describe("a condition", () => {
  test("counts only after it lasted without a break", () => {
    const holds = makeHolds();
    for (let minute = 0; minute < 30; minute++) holds.note([SILENT], NONE, minute * MINUTE);
    expect(holds.present).toEqual([]);
    holds.note([], NONE, 30 * MINUTE);
    for (let minute = 31; minute < 61; minute++) holds.note([SILENT], NONE, minute * MINUTE);
    expect(holds.present).toEqual([]);
    holds.note([SILENT], NONE, 61 * MINUTE);
    expect(holds.present).toEqual([SILENT]);
  });

  test("is over only after it was for a while, and lasts while it cannot be seen", () => {
    const holds = makeHolds();
    const look = (minute: number, isSilent: boolean, ending: "over" | "unknown") => {
      holds.note(isSilent ? [SILENT] : [], ANNOUNCED, minute * MINUTE);
      return holds.endOf(SILENT, ending, minute * MINUTE);
    };
    expect(look(0, true, "unknown")).toBe("lasts");
    expect(look(1, false, "over")).toBe("lasts");
    expect(look(9, true, "unknown")).toBe("lasts");
    expect(look(10, false, "over")).toBe("lasts");
    expect(look(15, false, "unknown")).toBe("lasts");
    expect(look(16, false, "over")).toBe("lasts");
    expect(look(25, false, "over")).toBe("lasts");
    expect(look(26, false, "over")).toBe("over");
  });

  test("that nobody has to know of any more is gone at once", () => {
    const holds = makeHolds();
    holds.note([], ANNOUNCED, 0);
    expect(holds.endOf(SILENT, "gone", 0)).toBe("gone");
  });
});
