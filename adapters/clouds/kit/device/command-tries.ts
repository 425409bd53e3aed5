import type { Clock, ControlPoint, PointValue } from "hemgate/sdk";
import type { CloudErrorKind } from "../session/cloud-error.ts";
import { Patience } from "../session/patience.ts";

/** Between two tries of a command that the vendor could not take. */
const PAUSES = { firstMs: 10_000, longestMs: 160_000 } as const;

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
 * The commands sent to a device since it was read last. The same command is not sent again before a reading shows what became of
 * it: an answer that was lost may have been to a command that was done. It is kept across connections; a new process begins
 * with a look.
 */
export class CommandTries {
  readonly #patience: Patience;
  readonly #sent = new Map<ControlPoint, PointValue>();
  #hasLooked = false;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#patience = new Patience(clock, PAUSES);
  }

  /** True: the result of a sent command has not been read yet. */
  get isOpen(): boolean {
    return !this.#hasLooked || this.#sent.size > 0;
  }

  /** Why a value is not to be sent now; null: it may be. */
  hindrance(point: ControlPoint, value: PointValue): string | null {
    if (!this.#hasLooked) return "the device has to be read first";
    if (this.#sent.get(point) === value) return "what became of the last try has to be read first";
    const { waitMs } = this.#patience;
    return waitMs > 0 ? `the last try failed, the next one is in ${Math.ceil(waitMs / 1_000)} s` : null;
  }

  /** It is about to be sent. */
  telling(point: ControlPoint, value: PointValue): void {
    this.#sent.set(point, value);
  }

  took(): void {
    this.#patience.succeeded();
  }

  failed(point: ControlPoint, kind: CloudErrorKind): void {
    if (NOT_DONE.includes(kind)) this.#sent.delete(point);
    if (PASSING.includes(kind)) this.#patience.failed();
  }

  /** The device was read after all commands. */
  looked(): void {
    this.#hasLooked = true;
    this.#sent.clear();
  }
}
