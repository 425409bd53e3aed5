/** What every cron port keeps: node-cron under faked timers, and the simulated one on its clock. */
import { getTasks } from "node-cron";
import { afterEach, describe, expect, test, vi } from "vitest";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeCron } from "../../../src/platform/node/node-cron.ts";
import type { Cron, CronTime } from "../../../src/platform/ports/cron-port.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import { SimCron } from "../../../src/testing/sim-cron.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const HOUR_MS = 3_600_000;

interface Subject {
  readonly cron: Cron;
  readonly clock: Clock;
  advance(durationMs: number): Promise<void>;
  setWallMs(nowMs: number): void;
}

const subjects: Record<string, (start: string) => Subject> = {
  node: (start) => {
    vi.useFakeTimers({ now: Date.parse(start) });
    const clock = nodeClock(() => "synced");
    return {
      clock,
      cron: nodeCron(clock),
      advance: async (durationMs) => void (await vi.advanceTimersByTimeAsync(durationMs)),
      setWallMs: (nowMs) => void vi.setSystemTime(nowMs),
    };
  },
  simulated: (start) => {
    const clock = new VirtualClock({ startMs: Date.parse(start) });
    return {
      clock,
      cron: new SimCron(clock),
      advance: (durationMs) => clock.advance(durationMs),
      setWallMs: (nowMs) => clock.setWallMs(nowMs),
    };
  },
};

afterEach(() => {
  vi.useRealTimers();
});

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

describe.each(Object.entries(subjects))("cron contract, %s", (_name, make) => {
  /** The times at which a job ran within some hours of `start`. */
  async function runs(start: string, hours: number, expression: string, timeZone = "UTC"): Promise<readonly string[]> {
    const { cron, clock, advance } = make(start);
    const times: string[] = [];
    using _job = cron.schedule({ expression, timeZone }, () => times.push(iso(clock.nowMs())));
    await advance(hours * HOUR_MS);
    return times;
  }

  test("the next times are known ahead, without the hour that summer time skips", () => {
    const { cron } = make("2026-03-27T12:00Z");
    const next = cron.nextRuns({ expression: "30 2 * * *", timeZone: "Europe/Berlin" }, 3);
    expect(next.map(iso)).toStrictEqual(["2026-03-28T01:30", "2026-03-30T00:30", "2026-03-31T00:30"]);
    expect(() => cron.nextRuns({ expression: "30 2 * *", timeZone: "UTC" }, 1)).toThrow(RangeError);
    expect(() => cron.nextRuns({ expression: "30 2 * * *", timeZone: "Moon/Base" }, 1)).toThrow(RangeError);
  });

  test("a job runs every day at the local time of its time zone", async () => {
    expect(await runs("2026-06-21T00:00Z", 72, "17 3 * * *", "Europe/Berlin")).toStrictEqual([
      "2026-06-21T01:17",
      "2026-06-22T01:17",
      "2026-06-23T01:17",
    ]);
  });

  test("a job that is scheduled at its very time runs the next time only", async () => {
    expect(await runs("2026-06-21T03:17:00Z", 25, "17 3 * * *")).toStrictEqual(["2026-06-22T03:17"]);
  });

  test("lists, ranges, steps and names are understood", async () => {
    expect(await runs("2026-06-21T00:00Z", 2, "*/20,5 0-1 * * *")).toStrictEqual([
      "2026-06-21T00:05",
      "2026-06-21T00:20",
      "2026-06-21T00:40",
      "2026-06-21T01:00",
      "2026-06-21T01:05",
      "2026-06-21T01:20",
      "2026-06-21T01:40",
    ]);
    expect(await runs("2026-06-21T00:00Z", 15 * 24, "0 4 * jun-jul mon,7")).toStrictEqual([
      "2026-06-21T04:00",
      "2026-06-22T04:00",
      "2026-06-28T04:00",
      "2026-06-29T04:00",
      "2026-07-05T04:00",
    ]);
    expect(await runs("2027-12-31T00:00Z", 61 * 24, "0 0 29 2 *")).toStrictEqual(["2028-02-29T00:00"]);
  });

  test("a local time that summer time skips is not run on that day", async () => {
    expect(await runs("2026-03-28T00:00Z", 72, "30 2 * * *", "Europe/Berlin")).toStrictEqual([
      "2026-03-28T01:30",
      "2026-03-30T00:30",
    ]);
  });

  test.each([
    ["Europe/Berlin", "2026-10-25T00:00Z", "30 2 * * *", "2026-10-25T01:30"],
    ["America/New_York", "2026-11-01T04:00Z", "30 1 * * *", "2026-11-01T05:30"],
    ["Australia/Lord_Howe", "2026-04-04T12:00Z", "45 1 * * *", "2026-04-04T15:15"],
  ])("a local time that comes twice in %s is run once", async (zone, start, expression, only) => {
    expect(await runs(start, 20, expression, zone)).toStrictEqual([only]);
  });

  test("a job of every quarter pauses in the hour that comes twice, and goes on", async () => {
    const times = await runs("2026-10-24T23:00Z", 4, "*/15 * * * *", "Europe/Berlin");
    expect(times.slice(0, 5)).toStrictEqual([
      "2026-10-24T23:15",
      "2026-10-24T23:30",
      "2026-10-24T23:45",
      "2026-10-25T01:00",
      "2026-10-25T01:15",
    ]);
    expect(times.at(-1)).toBe("2026-10-25T03:00");
  });

  test("times that the wall clock jumps over are run late, once", async () => {
    const { cron, clock, advance, setWallMs } = make("2026-06-21T00:00Z");
    const times: string[] = [];
    using _job = cron.schedule({ expression: "0 * * * *", timeZone: "UTC" }, () => times.push(iso(clock.nowMs())));
    setWallMs(Date.parse("2026-06-21T05:20Z"));
    await advance(HOUR_MS);
    expect(times).toStrictEqual(["2026-06-21T05:21", "2026-06-21T06:00"]);
  });

  test("a wall clock that is set back by days does not silence a job until it has caught up", async () => {
    const { cron, clock, advance, setWallMs } = make("2031-01-01T00:00Z");
    const times: string[] = [];
    using _job = cron.schedule({ expression: "17 3 * * *", timeZone: "UTC" }, () => times.push(iso(clock.nowMs())));
    await advance(HOUR_MS);
    setWallMs(Date.parse("2026-06-21T02:00Z"));
    await advance(2 * HOUR_MS);
    expect(times).toStrictEqual(["2026-06-21T03:17"]);
  });

  test("a disposed job does not run again, and leaves no task behind", async () => {
    const { cron, advance } = make("2026-06-21T00:00Z");
    let count = 0;
    const job = cron.schedule({ expression: "* * * * *", timeZone: "UTC" }, () => {
      count += 1;
    });
    await advance(90_000);
    job[Symbol.dispose]();
    await advance(HOUR_MS);
    expect(count).toBe(1);
    expect(getTasks().size).toBe(0);
  });

  test.each([
    ["60 3 * * *", 'minute "60" is not valid'],
    ["17 3 32 * *", 'day of month "32" is not valid'],
    ["17 3 30 2 *", 'day of month "30" is not valid'],
    ["17 3 * * fry", 'day of week "fry" is not valid'],
    ["17 3 L * *", 'day of month "L" is not valid'],
    ["5/15 * * * *", 'minute "5/15" is not valid'],
    ["0 17 3 * * *", "not a cron expression"],
    ["@daily", "not a cron expression"],
    ["", "not a cron expression"],
    ["0 0 1 * mon", "either the day of month or the day of week has to be *"],
  ])("%s is refused", (expression, message) => {
    const { cron } = make("2026-06-21T00:00Z");
    const schedule = (time: CronTime) => () => cron.schedule(time, () => undefined);
    expect(schedule({ expression, timeZone: "UTC" })).toThrow(RangeError);
    expect(schedule({ expression, timeZone: "UTC" })).toThrow(message);
  });

  test("a time zone that does not exist is refused", () => {
    const { cron } = make("2026-06-21T00:00Z");
    expect(() => cron.schedule({ expression: "17 3 * * *", timeZone: "Mars/Base" }, () => undefined)).toThrow(
      RangeError,
    );
    expect(getTasks().size).toBe(0);
  });
});
