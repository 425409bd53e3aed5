import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { ForecastSource } from "../../sdk/forecast-source.ts";
import type { ForecastQuotaRecord } from "../../store/records/forecast.ts";
import type { Store } from "../../store/store.ts";

/** A request may reach the source this much after it was counted here, so it counts this much longer. */
const MAX_TRANSIT_MS = 5 * MINUTE_MS;
/** Longer pauses are not accepted from a source. */
const MAX_PAUSE_MS = 26 * HOUR_MS;

export interface QuotaParts {
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  readonly store: Pick<Store, "get" | "commit" | "commitAlong">;
}

/**
 * Counts the requests to a source over restarts and crashes: they are on disk before they are sent. Times are wall-clock
 * ms; a request that a wrong clock dated in the future counts as sent now.
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

  /** Returns the time until this number of requests may be sent, ms; 0 or less for now. */
  waitMs(requests: number): number {
    const nowMs = this.#parts.clock.nowMs();
    const remainingMs = (this.#record.restUntilMs ?? nowMs) - nowMs;
    const sent = this.#counted(nowMs);
    const tooMany = sent.length + requests - this.#source.limit.requests;
    // A longer pause was stored while the clock was wrong.
    const pauseMs = remainingMs > MAX_PAUSE_MS ? 0 : remainingMs;
    if (tooMany <= 0) return pauseMs;
    return Math.max(pauseMs, (sent[tooMany - 1] ?? Number.POSITIVE_INFINITY) + this.#countsMs - nowMs);
  }

  /** Counts requests before they are sent. Resolves when the count is on disk or could not be stored. */
  async spend(requests: number): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    const sentAtMs = [...this.#counted(nowMs), ...Array.from({ length: requests }, () => nowMs)];
    await this.#save({ sentAtMs, restUntilMs: null });
  }

  /** Removes the last requests from the count because they were not sent. */
  refund(requests: number): void {
    if (requests === 0) return;
    this.#record = { ...this.#record, sentAtMs: this.#record.sentAtMs.slice(0, -requests) };
    this.#parts.store.commitAlong([this.#write()]);
  }

  /** Stores until when the source wants no requests, wall-clock ms. */
  async pauseUntil(untilMs: number): Promise<void> {
    await this.#save({ restUntilMs: Math.min(untilMs, this.#parts.clock.nowMs() + MAX_PAUSE_MS) });
  }

  /** Returns the source's refusal of this setup; `null` if there is none. */
  refused(setup: string): ForecastQuotaRecord["refused"] {
    const { refused } = this.#record;
    return refused?.setup === setup ? refused : null;
  }

  /** Stores that the source refuses this setup. */
  async refuse(setup: string, status: number): Promise<void> {
    await this.#save({ refused: { setup, status, atMs: this.#parts.clock.nowMs() } });
  }

  get #countsMs(): number {
    return this.#source.limit.windowMs + MAX_TRANSIT_MS;
  }

  #counted(nowMs: number): readonly number[] {
    if (this.#record.sentAtMs.some((atMs) => atMs > nowMs)) {
      // Dated now, they expire like all others.
      const sentAtMs = this.#record.sentAtMs.map((atMs) => Math.min(atMs, nowMs));
      this.#record = { ...this.#record, sentAtMs };
    }
    return this.#record.sentAtMs.filter((atMs) => atMs + this.#countsMs > nowMs);
  }

  async #save(change: Partial<ForecastQuotaRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    try {
      await this.#parts.store.commit([this.#write()], []);
    } catch (err) {
      this.#parts.log.warn({ err }, "cannot store the forecast quota; after a crash it may be exceeded");
    }
  }

  #write() {
    return { table: "forecast-quota", key: this.#source.id, put: this.#record } as const;
  }
}
