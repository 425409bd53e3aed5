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
  /** It failed as a device does that serves another program now. */
  readonly mayBeInUse: boolean;
}

export interface Failure {
  readonly reason: string;
  /** It does not let us in, or is another device. The next turn does not change that. */
  readonly isRefused: boolean;
  readonly mayBeInUse: boolean;
}

const NOT_FAILED = { failures: 0, lastError: null, mayBeInUse: false } as const;

export const NEVER_REACHED: Reachability = { ...NOT_FAILED, isReachable: false, lastAnswerMs: null };

/** One answer is enough to be reachable again. */
export function answered(nowMs: number): Reachability {
  return { ...NOT_FAILED, isReachable: true, lastAnswerMs: nowMs };
}

export function failed(before: Reachability, failure: Failure, nowMs: number): Reachability {
  const { reason, isRefused, mayBeInUse } = failure;
  const failures = before.failures + 1;
  const silentMs = before.lastAnswerMs === null ? Number.POSITIVE_INFINITY : nowMs - before.lastAnswerMs;
  const isGone = isRefused || failures >= UNREACHABLE_AFTER_FAILURES || silentMs >= UNREACHABLE_AFTER_MS;
  return { ...before, failures, lastError: reason, mayBeInUse, isReachable: before.isReachable && !isGone };
}
