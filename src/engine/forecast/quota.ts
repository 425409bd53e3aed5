import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { ForecastSource } from "../../sdk/forecast-source.ts";
import type { ForecastQuotaRecord } from "../../store/records/forecast.ts";
import type { Store } from "../../store/store.ts";

/** A request that was counted may arrive so much later: it counts there as long longer, ms. */
const UNDER_WAY_MS = 5 * 60_000;
/** No source wants to be left alone for longer, whatever it says, ms. */
const LONGEST_REST_MS = 26 * 3_600_000;

export interface QuotaParts {
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  readonly store: Pick<Store, "get" | "commit" | "commitAlong">;
}

/**
 * What of a source's quota is spent, over restarts and crashes: requests are on disk before they are sent. Times are
 * those of the wall clock; what a clock that was wrong put into the future counts as spent now.
 */
export class ForecastQuota {
  readonly #parts: QuotaParts;
  readonly #source: Pick<ForecastSource, "id" | "limit">;
  #record: ForecastQuotaRecord;

  constructor(parts: QuotaParts, source: Pick<ForecastSource, "id" | "limit">) {
    this.#parts = parts;
    this.#source = source;
    const none = { sourceId: source.id, sentAtMs: [], restUntilMs: null, refused: null };
    this.#record = parts.store.get("forecast-quota", source.id) ?? none;
  }

  /** How long until so many requests may be sent, ms; 0 or less: now. */
  waitMs(requests: number): number {
    const nowMs = this.#parts.clock.nowMs();
    const restMs = (this.#record.restUntilMs ?? nowMs) - nowMs;
    const sent = this.#counting(nowMs);
    const tooMany = sent.length + requests - this.#source.limit.requests;
    // Nobody rests longer: the clock was wrong when that was said.
    const wantedMs = restMs > LONGEST_REST_MS ? 0 : restMs;
    if (tooMany <= 0) return wantedMs;
    return Math.max(wantedMs, (sent[tooMany - 1] ?? Number.POSITIVE_INFINITY) + this.#countsMs - nowMs);
  }

  /** Counts requests that are about to be sent. Resolves when they are on disk, or the disk does not take them. */
  async spend(requests: number): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    const sentAtMs = [...this.#counting(nowMs), ...Array.from({ length: requests }, () => nowMs)];
    await this.#keep({ sentAtMs, restUntilMs: null });
  }

  /** The last ones that were counted were never sent. */
  giveBack(requests: number): void {
    if (requests === 0) return;
    this.#record = { ...this.#record, sentAtMs: this.#record.sentAtMs.slice(0, -requests) };
    this.#parts.store.commitAlong([this.#write()]);
  }

  /** The source wants to be left alone until then. */
  async rest(untilMs: number): Promise<void> {
    await this.#keep({ restUntilMs: Math.min(untilMs, this.#parts.clock.nowMs() + LONGEST_REST_MS) });
  }

  /** What the source refused of this setup; null: nothing. */
  refused(setup: string): ForecastQuotaRecord["refused"] {
    const { refused } = this.#record;
    return refused?.setup === setup ? refused : null;
  }

  /** Nothing more is asked with this setup. */
  async refuse(setup: string, status: number): Promise<void> {
    await this.#keep({ refused: { setup, status, atMs: this.#parts.clock.nowMs() } });
  }

  get #countsMs(): number {
    return this.#source.limit.windowMs + UNDER_WAY_MS;
  }

  #counting(nowMs: number): readonly number[] {
    if (this.#record.sentAtMs.some((atMs) => atMs > nowMs)) {
      // From now on they grow old as any.
      const sentAtMs = this.#record.sentAtMs.map((atMs) => Math.min(atMs, nowMs));
      this.#record = { ...this.#record, sentAtMs };
    }
    return this.#record.sentAtMs.filter((atMs) => atMs + this.#countsMs > nowMs);
  }

  async #keep(change: Partial<ForecastQuotaRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    try {
      await this.#parts.store.commit([this.#write()], []);
    } catch (err) {
      this.#parts.log.warn({ err }, "what is spent of a forecast's quota is not on disk");
    }
  }

  #write() {
    return { table: "forecast-quota", key: this.#source.id, put: this.#record } as const;
  }
}
