import { expect, test } from "vitest";
import { LogRing } from "../../../src/platform/node/log-ring.ts";
import { TestLog, VirtualClock } from "../../../src/testing/index.ts";

function ring(level: "error" | "warn" | "info" | "debug" = "info") {
  const clock = new VirtualClock();
  const kept = new LogRing(clock, level);
  const inner = new TestLog();
  return { clock, kept, inner, log: kept.around(inner) };
}

test("lines at the level of the log are kept with their time and the fields of their part; all reach the log", () => {
  const { clock, kept, inner, log } = ring();
  log.child({ deviceId: "meter" }).warn({ attempt: 3 }, "the device does not answer");
  log.debug({}, "bytes");
  expect(kept.lines()).toEqual([
    {
      atMs: clock.nowMs(),
      level: "warn",
      text: "the device does not answer",
      fields: { deviceId: "meter", attempt: 3 },
    },
  ]);
  expect(inner.texts()).toEqual(["the device does not answer", "bytes"]);
});

test("secrets are not kept, nor the code that makes an owner", () => {
  const { kept, log } = ring();
  log.info({ setupCode: "K7QM-2FXA", password: "canary-1", more: { token: "canary-2" } }, "hello");
  expect(JSON.stringify(kept.lines())).not.toMatch(/K7QM|canary/);
  expect(kept.lines()[0]?.fields).toEqual({
    setupCode: "[redacted]",
    password: "[redacted]",
    more: { token: "[redacted]" },
  });
});

test("an error is kept as its name and sentence", () => {
  const { kept, log } = ring();
  log.error({ err: new RangeError("too far") }, "it failed");
  expect(kept.lines()[0]?.fields).toEqual({ err: { type: "RangeError", message: "too far", code: null } });
});

test("the oldest lines go, and a long line is shortened, so that the memory has a limit", () => {
  const { kept, log } = ring();
  for (let count = 0; count < 700; count += 1) log.info({ count, long: "x".repeat(5_000) }, "y".repeat(5_000));
  const lines = kept.lines();
  expect(lines).toHaveLength(500);
  expect(JSON.stringify(lines[0]?.fields)).toContain(String.raw`\"count\":200`);
  expect(JSON.stringify(lines).length).toBeLessThan(1_300_000);
});
