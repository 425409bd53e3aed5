import type { Tally } from "../../domain/vendors/vendor-health.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** Older attempts say nothing about now; a blocked vendor is tried again after that, ms. */
const WINDOW_MS = 15 * 60_000;
const MAX_ATTEMPTS = 50;

interface Attempt {
  readonly atMs: number;
  readonly isFailed: boolean;
}

/** How the latest attempts to link went, by offer. Only what is the vendor's fault counts as failed. */
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
