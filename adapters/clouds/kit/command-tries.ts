import type { Clock, ControlPoint, PointValue } from "hemgate/sdk";
import type { CloudErrorKind } from "./cloud-error.ts";

/** Between two tries of a command that the vendor could not take, ms; twice as long each time. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 160_000;

/** Failures after which the command surely was not done. */
const NOT_DONE: readonly CloudErrorKind[] = [
  "login-refused",
  "expired",
  "forbidden",
  "refused",
  "rate-limited",
  "no-budget",
  "asleep",
];
/** Those of them that say nothing of how soon another try may help. */
const PASSING: readonly CloudErrorKind[] = ["asleep", "timeout", "unavailable", "malformed"];

/**
 * What a device was told since it was looked at last. The same is not told again before a reading shows what became of
 * it: an answer that was lost may have been to a command that was done. It outlives connections; a new process begins
 * with a look.
 */
export class CommandTries {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #told = new Map<ControlPoint, PointValue>();
  #hasLooked = false;
  #failures = 0;
  /** Monotonic ms. */
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** True: nobody has read yet what became of something that was told. */
  get isOpen(): boolean {
    return !this.#hasLooked || this.#told.size > 0;
  }

  /** Why a value is not to be sent now; null: it may be. */
  hindrance(point: ControlPoint, value: PointValue): string | null {
    if (!this.#hasLooked) return "the device has to be read first";
    if (this.#told.get(point) === value) return "what became of the last try has to be read first";
    const waitMs = this.#notBeforeMs - this.#clock.monotonicMs();
    return waitMs > 0 ? `the last try failed, the next one is in ${Math.ceil(waitMs / 1_000)} s` : null;
  }

  /** It is about to be sent. */
  telling(point: ControlPoint, value: PointValue): void {
    this.#told.set(point, value);
  }

  took(): void {
    this.#failures = 0;
  }

  failed(point: ControlPoint, kind: CloudErrorKind): void {
    if (NOT_DONE.includes(kind)) this.#told.delete(point);
    if (!PASSING.includes(kind)) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#notBeforeMs = this.#clock.monotonicMs() + pauseMs;
  }

  /** The device was read after all that was told. */
  looked(): void {
    this.#hasLooked = true;
    this.#told.clear();
  }
}
