import assert from "node:assert/strict";
import type { Clock, ClockQuality } from "../ports/ports.ts";
import { sleep } from "../sleep.ts";

/** Node fires a longer timer at once, with a warning only; a longer delay is walked in steps of this. */
const MAX_STEP_MS = 2 ** 31 - 1;

/** Real time. `quality` is what tells how far the wall clock can be trusted. */
export function nodeClock(quality: () => ClockQuality, maxStepMs = MAX_STEP_MS): Clock {
  const clock: Clock = {
    monotonicMs: () => performance.now(),
    nowMs: () => Date.now(),
    quality,
    timer: (delayMs, callback) => startTimer(delayMs, callback, maxStepMs),
    sleep: (delayMs, signal) => sleep(clock, delayMs, signal),
  };
  return clock;
}

function startTimer(delayMs: number, callback: () => void, maxStepMs: number): Disposable {
  assert(!Number.isNaN(delayMs), "a timer needs a delay in ms");
  if (delayMs <= maxStepMs) {
    const timer = setTimeout(callback, Math.max(0, delayMs));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }
  let remainingMs = Math.max(0, delayMs);
  let handle: NodeJS.Timeout;
  const walk = (): void => {
    const stepMs = Math.min(remainingMs, maxStepMs);
    remainingMs -= stepMs;
    handle = setTimeout(remainingMs > 0 ? walk : callback, stepMs);
  };
  walk();
  return { [Symbol.dispose]: () => clearTimeout(handle) };
}
