import { describe, expect, test } from "vitest";
import {
  type Announced,
  aboutOf,
  type ChannelProgress,
  type ChannelRules,
  decide,
  delivered,
  MAX_MESSAGES_A_DAY,
  newProgress,
} from "../../../src/domain/notifications/channel-state.ts";
import type { Condition } from "../../../src/domain/notifications/condition.ts";

const START = Date.parse("2026-06-21T10:00:00Z");
const HOUR = 3_600_000;
const BACKUP: Condition = { key: "backup-failed", facts: { kind: "backup-failed" } };
const LIMIT: Condition = {
  key: "grid-limit:import:controllable",
  facts: { kind: "grid-limit", direction: "import", scope: "controllable", watts: 4_200 },
};

function silent(id: string): Condition {
  return { key: `device-silent:${id}`, facts: { kind: "device-silent", deviceId: id, device: id, lastSeenMs: START } };
}

/** A channel over time: what it sent, and what it would send now. */
class Run {
  progress: ChannelProgress = newProgress(START);
  readonly rules: ChannelRules;
  present: readonly Condition[] = [];
  ends = new Map<string, "over" | "gone">();

  constructor(rules: ChannelRules = {}) {
    this.rules = rules;
  }

  /** Returns the keys of the message that is sent at the moment, with `-` before what is over; `null`: none is. */
  at(nowMs: number, isArriving = true): readonly string[] | null {
    const endOf = ({ key }: Announced) =>
      this.present.some((each) => each.key === key) ? "lasts" : (this.ends.get(key) ?? "lasts");
    const { due, progress } = decide(this.progress, this.rules, {
      nowMs,
      zone: "Europe/Berlin",
      present: this.present,
      endOf,
    });
    this.progress = progress;
    if (due === null) return null;
    if (isArriving) this.progress = delivered(progress, due, nowMs);
    return [...due.began.map(({ key }) => key), ...due.over.map(({ key }) => `-${key}`)];
  }
}

describe("a channel", () => {
  test("reports what began once, and once that it is over", () => {
    const run = new Run();
    run.present = [BACKUP];
    expect(run.at(START)).toEqual(["backup-failed"]);
    expect(run.at(START + HOUR)).toBeNull();
    run.present = [];
    run.ends.set("backup-failed", "over");
    expect(run.at(START + 2 * HOUR)).toEqual(["-backup-failed"]);
    expect(run.at(START + 3 * HOUR)).toBeNull();
    expect(run.progress.announced).toEqual([]);
  });

  test("says nothing of what ended before it was reported, or of what a person has settled", () => {
    const run = new Run();
    run.present = [BACKUP];
    run.at(START);
    run.present = [];
    run.ends.set("backup-failed", "gone");
    expect(run.at(START + HOUR)).toBeNull();
    expect(run.progress.announced).toEqual([]);
  });

  test("tries what did not arrive again, and reports it once it does", () => {
    const run = new Run();
    run.present = [BACKUP];
    expect(run.at(START, false)).toEqual(["backup-failed"]);
    run.progress = { ...run.progress, failures: 1, retryAtMs: START + HOUR };
    expect(run.at(START + HOUR / 2)).toBeNull();
    expect(run.at(START + HOUR)).toEqual(["backup-failed"]);
    expect(run.progress).toMatchObject({ failures: 0, retryAtMs: null });
  });

  test("does not wait for days for a retry because the clock was set back", () => {
    const run = new Run();
    run.present = [BACKUP];
    run.progress = { ...run.progress, failures: 1, retryAtMs: START + 100 * HOUR };
    expect(run.at(START)).toEqual(["backup-failed"]);
  });

  test("keeps back what begins in quiet hours, and sends afterwards what is still true", () => {
    const run = new Run({ quietHours: { from: "22:00", until: "07:00" } });
    const night = Date.parse("2026-06-21T20:30:00Z");
    run.present = [BACKUP, silent("meter"), LIMIT];
    expect(run.at(night)).toBeNull();
    run.present = [silent("meter")];
    expect(run.at(Date.parse("2026-06-22T04:59:00Z"))).toBeNull();
    expect(run.at(Date.parse("2026-06-22T05:00:00Z"))).toEqual(["device-silent:meter"]);
  });

  test("with a digest sends one message at its time, and only urgent things at once", () => {
    const run = new Run({ digestAt: "18:00" });
    run.present = [BACKUP, silent("meter"), LIMIT];
    expect(run.at(START)).toEqual([LIMIT.key]);
    expect(run.at(START + HOUR)).toBeNull();
    const evening = Date.parse("2026-06-21T16:00:00Z");
    expect(run.at(evening - 60_000)).toBeNull();
    expect(run.at(evening)).toEqual(["backup-failed", "device-silent:meter"]);
    run.present = [BACKUP, silent("meter"), LIMIT, silent("battery")];
    expect(run.at(evening + HOUR)).toBeNull();
    expect(run.at(evening + 24 * HOUR)).toEqual(["device-silent:battery"]);
  });

  test("with a digest and nothing to say stays silent until the next one", () => {
    const run = new Run({ digestAt: "18:00" });
    const evening = Date.parse("2026-06-21T16:00:00Z");
    expect(run.at(evening)).toBeNull();
    run.present = [BACKUP];
    expect(run.at(evening + HOUR)).toBeNull();
    expect(run.at(evening + 24 * HOUR)).toEqual(["backup-failed"]);
  });

  test("puts what happens within ten minutes after a message into the next one", () => {
    const run = new Run();
    run.present = [silent("a")];
    expect(run.at(START)).toEqual(["device-silent:a"]);
    run.present = [silent("a"), silent("b")];
    expect(run.at(START + 60_000)).toBeNull();
    run.present = [silent("a"), silent("b"), silent("c"), LIMIT];
    expect(run.at(START + 120_000)).toEqual([LIMIT.key]);
    expect(run.at(START + 12 * 60_000)).toEqual(["device-silent:b", "device-silent:c"]);
  });

  test("sends no more than eight messages in 24 hours, and then all that is still true in one", () => {
    const run = new Run();
    const sent: number[] = [];
    for (let minute = 0; minute < 3 * 24 * 60; minute += 10) {
      run.present = Array.from({ length: minute / 10 }, (_unused, at) => silent(String(at)));
      if (run.at(START + minute * 60_000) !== null) sent.push(minute);
    }
    for (const from of sent) {
      const within = sent.filter((minute) => minute >= from && minute < from + 24 * 60);
      expect(within.length).toBeLessThanOrEqual(MAX_MESSAGES_A_DAY);
    }
    expect(sent.length).toBeGreaterThanOrEqual(3 * MAX_MESSAGES_A_DAY - 1);
    expect(run.progress.announced.length).toBeGreaterThan(200);
  });

  test("reports only the kinds that it is for", () => {
    const run = new Run({ kinds: ["finding", "backup-failed"] });
    run.present = [BACKUP, silent("meter"), LIMIT];
    expect(run.at(START)).toEqual(["backup-failed"]);
  });
});

test("the same things have the same id, in whichever order they are found", () => {
  const one = aboutOf({ began: [silent("a"), silent("b")], over: [] });
  expect(aboutOf({ began: [silent("b"), silent("a")], over: [] })).toBe(one);
  expect(aboutOf({ began: [silent("a")], over: [silent("b")] })).not.toBe(one);
});
