import { expect, test } from "vitest";
import { type ClockFacts, clockQuality } from "../../../src/platform/node/clock-quality.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";

const NEVER = new AbortController().signal;

test("a delay longer than Node's limit is walked in steps and ends once, at its time", async () => {
  const clock = nodeClock(() => "synced", 5);
  const startMs = clock.monotonicMs();
  await clock.sleep(22, NEVER);
  expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(20);
});

test("a delay that is walked in steps can be cancelled in the middle", async () => {
  const clock = nodeClock(() => "synced", 5);
  let isFired = false;
  const timer = clock.timer(20, () => {
    isFired = true;
  });
  await clock.sleep(8, NEVER);
  timer[Symbol.dispose]();
  await clock.sleep(30, NEVER);
  expect(isFired).toBe(false);
});

/** A machine whose facts the test sets. */
function machine(facts: { year?: number; files?: readonly string[]; isKernelSynced?: boolean }) {
  const asked: number[] = [];
  let monotonicMs = 0;
  const clockFacts: ClockFacts = {
    nowMs: () => Date.UTC(facts.year ?? 2027, 0, 2),
    monotonicMs: () => monotonicMs,
    fileExists: (path) => (facts.files ?? []).includes(path),
    askKernel: (answer) => {
      asked.push(monotonicMs);
      answer(facts.isKernelSynced ?? false);
    },
  };
  return {
    quality: clockQuality(clockFacts),
    asked,
    pass: (ms: number) => {
      monotonicMs += ms;
    },
  };
}
const SYSTEMD = "/run/systemd/system";

test("a clock that shows a year before the software existed is unset", () => {
  expect(machine({ year: 1970 }).quality()).toBe("unset");
  expect(machine({ year: 2025, files: ["/run/systemd/timesync/synchronized"] }).quality()).toBe("unset");
});

test("a plausible clock that nobody vouches for is restored", () => {
  const { quality, pass } = machine({ files: [SYSTEMD] });
  expect(quality()).toBe("restored");
  pass(120_000);
  expect(quality()).toBe("restored");
});

test("timesyncd's mark makes it synced", () => {
  expect(machine({ files: [SYSTEMD, "/run/systemd/timesync/synchronized"] }).quality()).toBe("synced");
});

test("another time source makes the clock synced through the kernel's word", () => {
  const { quality } = machine({ files: [SYSTEMD], isKernelSynced: true });
  quality();
  expect(quality()).toBe("synced");
});

test("the kernel is asked once a minute at most", () => {
  const { quality, asked, pass } = machine({ files: [SYSTEMD] });
  for (let second = 0; second < 180; second += 1) {
    quality();
    pass(1_000);
  }
  expect(asked).toEqual([0, 60_000, 120_000]);
});

test("without systemd the host keeps the clock", () => {
  expect(machine({}).quality()).toBe("synced");
});
