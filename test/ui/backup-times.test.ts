import { expect, test } from "vitest";
import { parseCron } from "../../src/platform/cron.ts";
import { cronOf, timesOf } from "../../src/ui/app/pages/settings/backup-times.ts";

test("Times of backups that people set become a cron expression, and are read from it again", () => {
  for (const [rhythm, expression] of [
    ["daily", "40 2 * * *"],
    ["daily", "0 23 * * *"],
    ["weekly", "5 0 * * 6"],
    ["weekly", "5 0 * * 0"],
    ["other", "30 2 1,15 * *"],
    ["other", "*/5 * * * *"],
  ] as const) {
    const times = timesOf(expression);
    expect([times.rhythm, cronOf(times)]).toEqual([rhythm, expression]);
  }
  expect(timesOf("05  00 * * 7")).toMatchObject({ rhythm: "weekly", time: "00:05", weekday: 0 });
  expect([timesOf(undefined).rhythm, cronOf(timesOf(undefined))]).toEqual(["never", null]);
});

test("A time that is not typed whole is an expression that is refused", () => {
  const times = { ...timesOf("40 2 * * *"), time: "" };
  expect(() => parseCron(cronOf(times) ?? "")).toThrow(RangeError);
});
