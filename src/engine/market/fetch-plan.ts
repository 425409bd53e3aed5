/** The next day to fetch from a price source, and when. */
import { MINUTE_MS } from "../../domain/duration.ts";
import { backoffMs } from "../../platform/backoff.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { Market, MarketDay } from "../../sdk/market-source.ts";
import { dateAt, marketDay, publishedMs } from "./market-days.ts";
import type { PriceResult } from "./request-prices.ts";

/** Random delay, so that not all gateways send requests in the minute of publication. */
const JITTER_MS = 10 * MINUTE_MS;
/** After failures. */
const FAILURE_PAUSES = { floorMs: 1_000, ceilingMs: 10 * MINUTE_MS };
/** While the prices of a day are late or incomplete. */
const LATE_PAUSES = { floorMs: 10 * MINUTE_MS, ceilingMs: 60 * MINUTE_MS };
/** After an answer 429 without Retry-After. */
const LIMITED_PAUSE_MS = 15 * MINUTE_MS;
const BETWEEN_REQUESTS_MS = 2_000;
/** Missing days of the past are fetched too, for the costs in the statistics. */
const PAST_DAYS = 7;

/** Days from today, the most important first. The day after tomorrow only determines the time of the next fetch. */
const AHEAD = [0, 1, 2];
const BEHIND = Array.from({ length: PAST_DAYS }, (_, index) => -1 - index);

interface DayState {
  /** The number of incomplete answers. */
  readonly incomplete: number;
  /** Monotonic ms; infinite if the day is not fetched again. */
  readonly notBeforeMs: number;
}

/** The next day to fetch. */
export interface NextFetch {
  readonly day: MarketDay;
  /** The time until it is due, ms; 0 for now. */
  readonly inMs: number;
}

interface FetchPlanParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly random: Pick<Random, "next">;
}

/** Plans the requests by publication times, pauses and refusals. A restart begins with an empty plan. */
export class FetchPlan {
  readonly #clock: FetchPlanParts["clock"];
  readonly #random: FetchPlanParts["random"];
  readonly #market: Market;
  readonly #jitterMs: number;
  readonly #days = new Map<string, DayState>();
  #failures = 0;
  #pauseUntilMs = Number.NEGATIVE_INFINITY;
  #isRefused = false;

  constructor({ clock, random }: FetchPlanParts, market: Market) {
    this.#clock = clock;
    this.#random = random;
    this.#market = market;
    this.#jitterMs = random.next() * JITTER_MS;
  }

  /** True if the source refuses this configuration. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Returns the next day to fetch among those that are not complete; `null` if the source refuses. */
  next(isComplete: (day: MarketDay) => boolean): NextFetch | null {
    if (this.#isRefused) return null;
    const { timezone, hasPast } = this.#market;
    const nowMs = this.#clock.nowMs();
    let next: NextFetch | null = null;
    for (const later of hasPast ? [...AHEAD, ...BEHIND] : AHEAD) {
      const day = marketDay(timezone, dateAt(timezone, nowMs, later));
      if (isComplete(day)) continue;
      const inMs = this.#waitMs(day, nowMs);
      if (inMs < (next?.inMs ?? Number.POSITIVE_INFINITY)) next = { day, inMs };
    }
    return next;
  }

  /** Updates the plan with the result of a request; `isComplete` says whether the prices of the whole day are known now. */
  update(day: MarketDay, result: PriceResult, isComplete: boolean): void {
    const isPast = day.toMs <= this.#clock.nowMs();
    this.#pause(BETWEEN_REQUESTS_MS);
    if (result.kind === "answered") {
      this.#failures = 0;
      if (isComplete) this.#days.delete(day.date);
      else if (isPast) this.#abandon(day);
      else this.#retryLater(day);
    } else if (result.failure.kind === "refused") {
      if (isPast) this.#abandon(day);
      else this.#isRefused = true;
    } else {
      const { kind, retryAfterMs } = result.failure;
      if (isPast && kind === "malformed") this.#abandon(day);
      this.#failures += 1;
      const pauseMs = backoffMs(this.#failures, FAILURE_PAUSES, this.#random);
      const requestedMs = retryAfterMs ?? (kind === "rate-limited" ? LIMITED_PAUSE_MS : 0);
      this.#pause(Math.max(pauseMs, requestedMs));
    }
    this.#dropBefore(dateAt(this.#market.timezone, this.#clock.nowMs(), -PAST_DAYS));
  }

  #waitMs(day: MarketDay, nowMs: number): number {
    const monotonicMs = this.#clock.monotonicMs();
    const publishedInMs = publishedMs(this.#market, day.date) + this.#jitterMs - nowMs;
    const pausedMs = Math.max(this.#pauseUntilMs, this.#days.get(day.date)?.notBeforeMs ?? this.#pauseUntilMs);
    return Math.max(0, publishedInMs, pausedMs - monotonicMs);
  }

  #pause(ms: number): void {
    this.#pauseUntilMs = Math.max(this.#pauseUntilMs, this.#clock.monotonicMs() + ms);
  }

  #retryLater(day: MarketDay): void {
    const incomplete = (this.#days.get(day.date)?.incomplete ?? 0) + 1;
    const pauseMs = backoffMs(incomplete, LATE_PAUSES, this.#random);
    this.#days.set(day.date, { incomplete, notBeforeMs: this.#clock.monotonicMs() + pauseMs });
  }

  /** Prices of a past day that are missing now will not be published later. */
  #abandon(day: MarketDay): void {
    this.#days.set(day.date, { incomplete: 0, notBeforeMs: Number.POSITIVE_INFINITY });
  }

  #dropBefore(oldest: string): void {
    for (const date of this.#days.keys()) if (date < oldest) this.#days.delete(date);
  }
}
