import { describe, expect, it } from "vitest";
import { changeSchedule, NewSchedule, ScheduleChanges } from "../../../src/domain/schedules/schedule.ts";
import {
  type ChargeScheduleStatus,
  type ScheduleFacts,
  scheduleState,
  settleStatus,
} from "../../../src/domain/schedules/schedule-status.ts";
import { appliesAt, hvacView, isAimedAt, isSameTarget } from "../../../src/domain/schedules/schedule-target.ts";
import { makeChargeSchedule, makeTemperatureSchedule } from "../../engine/schedules/schedule-house.ts";

const HOLD = { holdType: "PERMANENT", mode: "COOL", coolSetpoint: 24 } as const;

describe("a submitted schedule", () => {
  it.each([
    ["without rules", {}, true],
    ["with a rule of every filter", { rules: [fullRule()] }, true],
    ["at 24:00", { rules: [{ hourMinute: { from: "00:00", to: "24:00" }, shouldCharge: true }] }, true],
    ["at 24:01", { rules: [{ hourMinute: { from: "00:00", to: "24:01" }, shouldCharge: true }] }, false],
    ["at 7:30", { rules: [{ hourMinute: { from: "7:30", to: "09:00" }, shouldCharge: true }] }, false],
    ["with half a time", { rules: [{ hourMinute: { from: "07:30" }, shouldCharge: true }] }, false],
    ["on no weekday", { rules: [{ weekdays: [], shouldCharge: true }] }, false],
    ["on the eighth weekday", { rules: [{ weekdays: [7], shouldCharge: true }] }, false],
    ["from a day without a time", { rules: [{ fromTimestamp: "2026-06-21", shouldCharge: true }] }, false],
    ["with a rule for temperatures", { rules: [{ targetState: HOLD }] }, false],
    ["with an unknown key", { color: "red" }, false],
    ["at no uuid", { locationId: "home" }, false],
    ["with more rules than are taken", { rules: Array.from({ length: 201 }, () => ({ shouldCharge: true })) }, false],
  ])("%s", (_name, change, isTaken) => {
    expect(NewSchedule.safeParse({ ...makeChargeSchedule(), ...change }).success).toBe(isTaken);
  });

  it("needs every field", () => {
    const whole = makeChargeSchedule();
    for (const key of Object.keys(whole)) {
      const { [key as keyof typeof whole]: _left, ...rest } = whole;
      expect(NewSchedule.safeParse(rest).success, key).toBe(false);
    }
  });

  it.each([
    [HOLD, true],
    [{ holdType: "SCHEDULED" }, true],
    [{ holdType: "PERMANENT", mode: "OFF" }, true],
    [{ holdType: "PERMANENT", mode: "AUTO", coolSetpoint: 24, heatSetpoint: 19 }, true],
    [{ holdType: "PERMANENT", mode: "AUTO", coolSetpoint: 24 }, false],
    [{ holdType: "PERMANENT", mode: "OFF", coolSetpoint: 24 }, false],
    [{ holdType: "PERMANENT", mode: "UNKNOWN" }, false],
    [{ mode: "OFF" }, false],
  ])("aims for %j", (defaultTargetState, isTaken) => {
    const fields = { ...makeTemperatureSchedule(), defaultTargetState };
    expect(NewSchedule.safeParse(fields).success).toBe(isTaken);
  });

  it("names the place of an empty list of weekdays", () => {
    const result = NewSchedule.safeParse(makeChargeSchedule({ rules: [{ weekdays: [], shouldCharge: true }] }));
    expect(result.error?.issues).toMatchObject([{ code: "too_small", path: ["rules", 0, "weekdays"] }]);
  });
});

describe("a change of a schedule", () => {
  it("keeps what it leaves out", () => {
    const before = makeChargeSchedule({ rules: [fullRule()] });
    expect(changeSchedule(before, { isEnabled: false })).toEqual({ ...before, isEnabled: false });
    expect(changeSchedule(before, {})).toEqual(before);
  });

  it("may move it to the other kind, when all of that kind is given", () => {
    const before = makeChargeSchedule({ targetId: "a" });
    const { targetId: _id, isEnabled: _enabled, ...rest } = makeTemperatureSchedule();
    expect(changeSchedule(before, ScheduleChanges.parse(rest))).toEqual(makeTemperatureSchedule({ targetId: "a" }));
    expect(() => changeSchedule(before, { targetType: "hvac" })).toThrow(
      expect.objectContaining({
        slug: "bad-request",
        issues: [
          expect.objectContaining({ code: "custom", path: ["defaultTargetState"] }),
          expect.objectContaining({ code: "invalid_type", path: ["rules"] }),
        ],
      }),
    );
  });

  it("is refused with fields of the other kind", () => {
    const change = ScheduleChanges.parse({ defaultTargetState: HOLD });
    expect(() => changeSchedule(makeChargeSchedule(), change)).toThrow(
      expect.objectContaining({
        issues: [expect.objectContaining({ code: "unrecognized_keys", path: ["defaultTargetState"] })],
      }),
    );
  });

  it("is refused whole when it mixes both kinds", () => {
    expect(ScheduleChanges.safeParse({ defaultTargetState: HOLD, defaultShouldCharge: true }).success).toBe(false);
  });
});

describe("the state of a schedule", () => {
  const facts: ScheduleFacts = {
    isEnabled: true,
    isCapable: true,
    isThere: true,
    isOverridden: false,
    isDifferent: false,
    isUnderWay: false,
  };

  it.each([
    [
      "INACTIVE:DISABLED",
      { isEnabled: false, isCapable: false, isThere: false, isOverridden: true, isDifferent: true },
    ],
    ["INACTIVE:INCAPABLE", { isCapable: false, isThere: false, isOverridden: true, isDifferent: true }],
    ["INACTIVE:AWAY", { isThere: false, isOverridden: true, isDifferent: true, isUnderWay: true }],
    ["INACTIVE:OVERRIDDEN", { isOverridden: true, isDifferent: true, isUnderWay: true }],
    ["PENDING", { isDifferent: true, isUnderWay: true }],
    ["MISALIGNED", { isDifferent: true }],
    ["ALIGNED", { isUnderWay: true }],
  ] as const)("is %s before what comes after it", (state, change) => {
    expect(scheduleState({ ...facts, ...change })).toBe(state);
  });
});

describe("the status that is told", () => {
  const told: ChargeScheduleStatus = {
    scheduleId: "00000000-0000-4000-8000-000000000001",
    scheduleType: "CHARGE",
    changedAt: "2026-06-21T10:00:00.000Z",
    state: "ALIGNED",
    isCharging: false,
    isChargingExpected: false,
    isChargingExpectedParts: { needsCharge: true, isPluggedIn: false, shouldCharge: false },
    upcomingTransitions: [{ at: "2026-06-21T20:00:00.000Z", shouldCharge: true }],
    smartOverride: null,
  };

  it("stays the same object while nothing changed", () => {
    const seen = {
      ...structuredClone(told),
      changedAt: "2026-06-21T11:00:00.000Z",
      upcomingTransitions: [...told.upcomingTransitions],
    };
    expect(settleStatus(told, seen, "2026-06-21T11:00:00.000Z")).toBe(told);
  });

  it("says when anything in it changed", () => {
    const seen = { ...told, upcomingTransitions: [], isChargingExpectedParts: { ...told.isChargingExpectedParts } };
    const settled = settleStatus(told, seen, "2026-06-21T11:00:00.000Z");
    expect(settled).toEqual({ ...seen, changedAt: "2026-06-21T11:00:00.000Z" });
  });
});

describe("a schedule's target", () => {
  it.each([
    ["charger", null, null, true],
    ["charger", "A", "A", true],
    ["charger", "A", "B", false],
    ["charger", "A", null, false],
    ["vehicle", null, null, false],
    ["vehicle", null, "A", true],
    ["vehicle", "A", "B", false],
  ] as const)("%s with a schedule at %s, itself at %s: %s", (targetType, locationId, deviceAt, applies) => {
    const schedule = { id: "", ...makeChargeSchedule({ targetType, locationId }) };
    expect(appliesAt(schedule, deviceAt)).toBe(applies);
  });

  it("aims for what its thermostat shows, or cannot tell", () => {
    const shows = (state: object) =>
      hvacView({
        thermostatState: {
          mode: "UNKNOWN",
          heatSetpoint: null,
          coolSetpoint: null,
          holdType: null,
          lastUpdated: null,
          ...state,
        },
      });
    expect(shows({})).toBeNull();
    expect(shows({ mode: "COOL" })).toBeNull();
    expect(shows({ mode: "AUTO", heatSetpoint: 20 })).toBeNull();
    expect(shows({ mode: "COOL", coolSetpoint: 24, heatSetpoint: 18 })).toEqual(HOLD);
    expect(shows({ mode: "OFF", holdType: "PERMANENT" })).toEqual({ holdType: "PERMANENT", mode: "OFF" });
    expect(shows({ mode: "COOL", coolSetpoint: 24, holdType: "SCHEDULED" })).toEqual({ holdType: "SCHEDULED" });
  });

  it("is as expected within half a degree; two expectations are the same only exactly", () => {
    expect(isAimedAt(HOLD, { ...HOLD, coolSetpoint: 24.5 })).toBe(true);
    expect(isAimedAt(HOLD, { ...HOLD, coolSetpoint: 24.6 })).toBe(false);
    expect(isAimedAt(HOLD, null)).toBe(false);
    expect(isSameTarget(HOLD, { mode: "COOL", coolSetpoint: 24, holdType: "PERMANENT" })).toBe(true);
    expect(isSameTarget(HOLD, { ...HOLD, coolSetpoint: 24.5 })).toBe(false);
    expect(isSameTarget(HOLD, { holdType: "SCHEDULED" })).toBe(false);
  });
});

function fullRule() {
  return {
    hourMinute: { from: "22:00", to: "06:00" },
    fromTimestamp: "2026-06-21T00:00:00Z",
    toTimestamp: "2026-07-21T00:00:00+02:00",
    weekdays: [0, 6],
    shouldCharge: true,
  };
}
