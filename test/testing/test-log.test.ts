import { expect, test } from "vitest";
import { TestLog } from "../../src/testing/test-log.ts";

test("a child's lines are the parent's too, with its fields", () => {
  const log = new TestLog();
  log.child({ deviceId: "meter" }).warn({ reason: "timeout" }, "device unreachable");
  expect(log.lines).toEqual([
    { level: "warn", text: "device unreachable", fields: { deviceId: "meter", reason: "timeout" } },
  ]);
  expect(log.texts("error")).toEqual([]);
});

test("only so many lines are kept, the newest", () => {
  const log = new TestLog();
  for (let line = 0; line < 25_000; line += 1) log.debug({ line }, "traffic");
  expect(log.lines.length).toBeLessThanOrEqual(10_000);
  expect(log.lines.at(-1)?.fields).toEqual({ line: 24_999 });
});
