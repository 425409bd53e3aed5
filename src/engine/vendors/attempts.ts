import { MINUTE_MS } from "../../domain/duration.ts";
import type { Tally } from "../../domain/vendors/vendor-health.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** Older attempts are ignored, so that a blocked vendor can be tried again. */
const WINDOW_MS = 15 * MINUTE_MS;
const MAX_ATTEMPTS = 50;

interface Attempt {
  readonly atMs: number;
  readonly isFailed: boolean;
}

/** Counts the recent link attempts by offer. Only failures of the vendor count as failed. */
export class Attempts {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #byOffer = new Map<string, readonly Attempt[]>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  note(offer: string, isFailed: boolean): void {
    const attempt = { atMs: this.#clock.monotonicMs(), isFailed };
    this.#byOffer.set(offer, [...this.#recent(offer), attempt].slice(-MAX_ATTEMPTS));
  }

  tally(offer: string): Tally {
    const recent = this.#recent(offer);
    return { failed: recent.filter(({ isFailed }) => isFailed).length, all: recent.length };
  }

  #recent(offer: string): readonly Attempt[] {
    const sinceMs = this.#clock.monotonicMs() - WINDOW_MS;
    return (this.#byOffer.get(offer) ?? []).filter(({ atMs }) => atMs > sinceMs);
  }
}
