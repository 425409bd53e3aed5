/** A device counts as unreachable after this many failures in a row, */
export const UNREACHABLE_AFTER_FAILURES = 3;
/** or when its last answer is this old and the turn failed, whichever comes first. */
const UNREACHABLE_AFTER_MS = 30_000;

export interface Reachability {
  readonly isReachable: boolean;
  readonly failures: number;
  /** Monotonic ms of the last answer; null before the first. */
  readonly lastAnswerMs: number | null;
  /** Why the last turn failed; null after an answer. */
  readonly lastError: string | null;
}

export const NEVER_REACHED: Reachability = { isReachable: false, failures: 0, lastAnswerMs: null, lastError: null };

/** One answer is enough to be reachable again. */
export function answered(nowMs: number): Reachability {
  return { isReachable: true, failures: 0, lastAnswerMs: nowMs, lastError: null };
}

/** `isRefused`: it does not let us in, or is another device. The next turn does not change that. */
export function failed(before: Reachability, reason: string, nowMs: number, isRefused = false): Reachability {
  const failures = before.failures + 1;
  const silentMs = before.lastAnswerMs === null ? Number.POSITIVE_INFINITY : nowMs - before.lastAnswerMs;
  const isGone = isRefused || failures >= UNREACHABLE_AFTER_FAILURES || silentMs >= UNREACHABLE_AFTER_MS;
  return { ...before, failures, lastError: reason, isReachable: before.isReachable && !isGone };
}
