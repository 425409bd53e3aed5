import { expect, test } from "vitest";
import { EventLog } from "../../src/testing/event-log.ts";

const at = (ms: number) => ({ monotonicMs: () => ms });

test("the digest depends on what happened, when, and in which order", () => {
  const digest = (ms: number, kinds: readonly string[]): string => {
    const log = new EventLog(at(ms));
    for (const kind of kinds) log.add(kind, { a: 1 });
    return log.digest();
  };
  expect(digest(1, ["read", "write"])).toBe(digest(1, ["read", "write"]));
  expect(digest(1, ["read", "write"])).not.toBe(digest(1, ["write", "read"]));
  expect(digest(1, ["read", "write"])).not.toBe(digest(2, ["read", "write"]));
});

test("looking at the digest does not change it, and later lines do", () => {
  const log = new EventLog(at(0));
  log.add("read", {});
  const first = log.digest();
  expect(log.digest()).toBe(first);
  log.add("read", {});
  expect(log.digest()).not.toBe(first);
});

test("an error is kept without its stack", () => {
  const log = new EventLog(at(5));
  log.add("log", { err: new TypeError("bad") });
  expect(log.recent).toEqual(['5 log {"err":"TypeError: bad"}']);
});

test("only the last lines are kept for looking at", () => {
  const log = new EventLog(at(0));
  for (let line = 0; line < 5_000; line += 1) log.add("line", line);
  expect(log.recent).toHaveLength(200);
  expect(log.recent.at(-1)).toBe("0 line 4999");
  expect(log.count).toBe(5_000);
});
