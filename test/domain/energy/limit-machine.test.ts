import { describe, expect, test } from "vitest";
import {
  appliedWatts,
  heartbeat,
  type LimitMachine,
  type LimitSettings,
  type LimitWrite,
  nextChangeMs,
  resumeMachine,
  setFailsafe,
  startMachine,
  tick,
  write,
} from "../../../src/domain/energy/limits/limit-machine.ts";

const S = 1_000;
const HOUR = 3_600 * S;
const SETTINGS: LimitSettings = {
  failsafeW: 3_000,
  failsafeMs: 2 * HOUR,
  autonomousW: 8_000,
  afterFailsafe: "release",
  heartbeatLostMs: 120 * S,
};
const HOLD: LimitSettings = { ...SETTINGS, afterFailsafe: "hold" };
const FREE: LimitWrite = { isActive: false };

function limit(watts: number, durationMs: number | null = null): LimitWrite {
  return { isActive: true, watts, durationMs };
}

function written(machine: LimitMachine, demand: LimitWrite, nowMs: number): LimitMachine {
  const result = write(heartbeat(machine, nowMs), demand, nowMs);
  if (!result.ok) throw new Error(result.reason);
  return result.machine;
}

function seen(machine: LimitMachine): readonly [string, number | null] {
  return [machine.state, appliedWatts(machine)];
}

/** In `failsafe` since 120 s after the last heartbeat at 0. */
function lost(settings: LimitSettings, watts = 0): LimitMachine {
  return tick(written(startMachine(settings, 0, false), limit(watts), 0), 120 * S);
}

describe("start", () => {
  test("901/1: after a start the failsafe value applies at once", () => {
    expect(seen(startMachine(SETTINGS, 0, false))).toEqual(["unknown", 3_000]);
  });

  test("902 to 905: a heartbeat and an active limit lead to limited", () => {
    expect(seen(written(startMachine(SETTINGS, 0, false), limit(4_200), 5 * S))).toEqual(["limited", 4_200]);
  });

  test("902 to 905: a heartbeat and a deactivated limit lead to free", () => {
    expect(seen(written(startMachine(SETTINGS, 0, false), FREE, 5 * S))).toEqual(["free", null]);
  });

  test("906: without a limit for 120 s the source is not waited for, heartbeats or not", () => {
    const machine = heartbeat(startMachine(SETTINGS, 0, false), 60 * S);
    expect(seen(tick(machine, 119 * S))).toEqual(["unknown", 3_000]);
    expect(seen(tick(machine, 120 * S))).toEqual(["autonomous", 8_000]);
    expect(nextChangeMs(machine)).toBe(120 * S);
  });

  test("906: a limit before the first heartbeat is refused, and changes nothing", () => {
    const result = write(startMachine(SETTINGS, 0, false), limit(4_200), S);
    expect(result).toEqual({ ok: false, reason: "a heartbeat has to come before the limit" });
  });

  test("a source that was known before the start is waited for with its failsafe value, where that is held", () => {
    expect(seen(tick(startMachine(HOLD, 0, true), 25 * HOUR))).toEqual(["failsafe", 3_000]);
    expect(seen(tick(startMachine(SETTINGS, 0, true), 25 * HOUR))).toEqual(["autonomous", 8_000]);
  });
});

describe("while the source lives", () => {
  test("a limit that changes applies without a moment in between that has no limit", () => {
    const machine = written(startMachine(SETTINGS, 0, false), limit(6_000), 0);
    const changed = written(machine, limit(3_500), 10 * S);
    expect([seen(changed), changed.sinceMs]).toEqual([["limited", 3_500], 0]);
  });

  test("914: a duration ends the limit, and the source stays in control", () => {
    const machine = heartbeat(written(startMachine(SETTINGS, 0, false), limit(4_200, 300 * S), 0), 100 * S);
    const alive = heartbeat(heartbeat(machine, 200 * S), 299 * S);
    expect(seen(alive)).toEqual(["limited", 4_200]);
    expect(nextChangeMs(alive)).toBe(300 * S);
    expect(seen(tick(alive, 300 * S))).toEqual(["free", null]);
  });

  test.each([null, 0])("914: a duration of %s never ends the limit", (durationMs) => {
    let machine = written(startMachine(SETTINGS, 0, false), limit(4_200, durationMs), 0);
    for (let atMs = 0; atMs <= 24 * HOUR; atMs += 60 * S) machine = heartbeat(machine, atMs);
    expect(seen(machine)).toEqual(["limited", 4_200]);
  });

  test("914/1: a deactivated limit ends it at once", () => {
    const machine = written(startMachine(SETTINGS, 0, false), limit(4_200), 0);
    expect(seen(written(machine, FREE, 10 * S))).toEqual(["free", null]);
  });

  test.each([-500, Number.NaN, Number.POSITIVE_INFINITY])("001: a limit of %s W is refused", (watts) => {
    const machine = written(startMachine(SETTINGS, 0, false), limit(4_200), 0);
    expect(write(machine, limit(watts), S)).toMatchObject({ ok: false });
    expect(setFailsafe(machine, watts, 2 * HOUR)).toMatchObject({ ok: false });
  });

  test.each([
    [1, false],
    [2, true],
    [24, true],
    [25, false],
  ])("022: a failsafe of %s hours is accepted: %s", (hours, ok) => {
    expect(setFailsafe(startMachine(SETTINGS, 0, false), 4_200, hours * HOUR).ok).toBe(ok);
  });
});

describe("when the source is lost", () => {
  test.each([
    ["911: from limited", limit(0)],
    ["912: from free", FREE],
  ])("%s, 120 s without a heartbeat lead to the failsafe value, not to the last limit", (_clause, demand) => {
    const machine = written(startMachine(SETTINGS, 0, false), demand, 0);
    expect(tick(machine, 119 * S).state).not.toBe("failsafe");
    expect(seen(tick(machine, 120 * S))).toEqual(["failsafe", 3_000]);
  });

  test("916: a heartbeat alone ends no failsafe", () => {
    expect(seen(heartbeat(lost(SETTINGS), 130 * S))).toEqual(["failsafe", 3_000]);
  });

  test("916: a limit without a heartbeat after the loss is refused", () => {
    expect(write(lost(SETTINGS), limit(5_000), 130 * S)).toMatchObject({ ok: false });
  });

  test.each([
    [limit(5_000), ["limited", 5_000]],
    [FREE, ["free", null]],
  ] as const)("916: a heartbeat and %o end it at once, before its duration is over", (demand, expected) => {
    expect(seen(written(lost(SETTINGS), demand, 130 * S))).toEqual(expected);
  });

  test("921: a heartbeat and no limit for 120 s lead to autonomous", () => {
    const machine = heartbeat(lost(SETTINGS), 200 * S);
    expect(tick(machine, 319 * S).state).toBe("failsafe");
    expect(seen(tick(machine, 320 * S))).toEqual(["autonomous", 8_000]);
  });

  test("921: a second outage begins a window of its own", () => {
    const back = written(lost(SETTINGS), limit(5_000), 200 * S);
    const again = tick(back, 320 * S);
    expect([again.state, again.sinceMs, again.returnedAtMs]).toEqual(["failsafe", 320 * S, null]);
  });

  test("922: the least duration leads to autonomous, whose value protects for as long as it takes", () => {
    const machine = lost(SETTINGS);
    expect(tick(machine, 120 * S + 2 * HOUR - 1).state).toBe("failsafe");
    expect(seen(tick(machine, 26 * HOUR))).toEqual(["autonomous", 8_000]);
  });

  test("the failsafe value is held where the configuration says so, whatever the time and the heartbeats", () => {
    const machine = heartbeat(lost(HOLD), 200 * S);
    expect([seen(tick(machine, 48 * HOUR)), nextChangeMs(machine)]).toEqual([["failsafe", 3_000], null]);
  });

  test("918 to 920: only a heartbeat and a limit after it lead out of autonomous", () => {
    const machine = tick(lost(SETTINGS), 26 * HOUR);
    expect(write(machine, limit(5_000), 26 * HOUR).ok).toBe(false);
    expect(heartbeat(machine, 26 * HOUR).state).toBe("autonomous");
    expect(seen(written(machine, limit(5_000), 26 * HOUR))).toEqual(["limited", 5_000]);
  });
});

describe("a source without a heartbeat", () => {
  const silent: LimitSettings = { ...SETTINGS, heartbeatLostMs: null };

  test("is never lost", () => {
    const machine = written(startMachine(silent, 0, false), limit(5_000), 0);
    expect(seen(tick(machine, 240 * HOUR))).toEqual(["limited", 5_000]);
  });

  test("continues after a restart, and a duration that is over has ended", () => {
    expect(seen(resumeMachine(silent, 0, { watts: 5_000, untilMs: null }))).toEqual(["limited", 5_000]);
    expect(seen(resumeMachine(silent, 0, { watts: 5_000, untilMs: -1 }))).toEqual(["free", null]);
  });
});
