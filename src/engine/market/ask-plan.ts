/** Which day a source is asked for next, and when. */
import { MINUTE_MS } from "../../domain/duration.ts";
import { backoffMs } from "../../platform/backoff.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { Market, MarketDay } from "../../sdk/market-source.ts";
import type { MarketNews } from "./ask-market.ts";
import { dateAt, marketDay, publishedMs } from "./market-days.ts";

/** Gateways do not all ask in the minute of the publication. */
const JITTER_MS = 10 * MINUTE_MS;
/** After a failure; long outages are asked about rarely, and their end is noticed soon. */
const FAILURE_PAUSES = { floorMs: 1_000, ceilingMs: 10 * MINUTE_MS };
/** While a day is late, or a part of it is missing. */
const LATE_PAUSES = { floorMs: 10 * MINUTE_MS, ceilingMs: 60 * MINUTE_MS };
/** What a source that wants fewer requests gets, when it does not say how long it wants to be left alone. */
const LIMITED_PAUSE_MS = 15 * MINUTE_MS;
const BETWEEN_REQUESTS_MS = 2_000;
/** Days that went by without the internet are asked for afterwards, so that statistics know what they cost. */
const PAST_DAYS = 7;

/** Days from today, in the order in which they matter; the day after tomorrow only says when to look again. */
const AHEAD = [0, 1, 2];
const BEHIND = Array.from({ length: PAST_DAYS }, (_, index) => -1 - index);

interface DayState {
  /** Answers without the whole day. */
  readonly lacking: number;
  /** Monotonic ms; infinite when the day is given up. */
  readonly notBeforeMs: number;
}

export interface NextQuestion {
  readonly day: MarketDay;
  /** How long to wait for it, ms; 0: it is due. */
  readonly inMs: number;
}

interface AskPlanWorld {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly random: Pick<Random, "next">;
}

/** Publication times, pauses, and what has no use. All of it in memory: a start asks anew. */
export class AskPlan {
  readonly #clock: AskPlanWorld["clock"];
  readonly #random: AskPlanWorld["random"];
  readonly #market: Market;
  readonly #jitterMs: number;
  readonly #days = new Map<string, DayState>();
  #failures = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #isRefused = false;

  constructor({ clock, random }: AskPlanWorld, market: Market) {
    this.#clock = clock;
    this.#random = random;
    this.#market = market;
    this.#jitterMs = random.next() * JITTER_MS;
  }

  /** True: the source has said that asking has no use with this configuration. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Null: nothing is ever asked again. */
  next(isWhole: (day: MarketDay) => boolean): NextQuestion | null {
    if (this.#isRefused) return null;
    const { timezone, hasPast } = this.#market;
    const nowMs = this.#clock.nowMs();
    let next: NextQuestion | null = null;
    for (const later of hasPast ? [...AHEAD, ...BEHIND] : AHEAD) {
      const day = marketDay(timezone, dateAt(timezone, nowMs, later));
      if (isWhole(day)) continue;
      const inMs = this.#waitMs(day, nowMs);
      if (inMs < (next?.inMs ?? Number.POSITIVE_INFINITY)) next = { day, inMs };
    }
    return next;
  }

  /** Takes note of what became of a question. */
  heard(day: MarketDay, news: MarketNews, isWhole: boolean): void {
    const isPast = day.toMs <= this.#clock.nowMs();
    this.#rest(BETWEEN_REQUESTS_MS);
    if (news.kind === "told") {
      this.#failures = 0;
      if (isWhole) this.#days.delete(day.date);
      else if (isPast) this.#giveUp(day);
      else this.#lack(day);
    } else if (news.failure.kind === "refused") {
      if (isPast) this.#giveUp(day);
      else this.#isRefused = true;
    } else {
      const { kind, retryAfterMs } = news.failure;
      if (isPast && kind === "malformed") this.#giveUp(day);
      this.#failures += 1;
      const pauseMs = backoffMs(this.#failures, FAILURE_PAUSES, this.#random);
      const wantedMs = retryAfterMs ?? (kind === "rate-limited" ? LIMITED_PAUSE_MS : 0);
      this.#rest(Math.max(pauseMs, wantedMs));
    }
    this.#forgetBefore(dateAt(this.#market.timezone, this.#clock.nowMs(), -PAST_DAYS));
  }

  #waitMs(day: MarketDay, nowMs: number): number {
    const monotonicMs = this.#clock.monotonicMs();
    const publishedInMs = publishedMs(this.#market, day.date) + this.#jitterMs - nowMs;
    const pausedMs = Math.max(this.#restUntilMs, this.#days.get(day.date)?.notBeforeMs ?? this.#restUntilMs);
    return Math.max(0, publishedInMs, pausedMs - monotonicMs);
  }

  #rest(ms: number): void {
    this.#restUntilMs = Math.max(this.#restUntilMs, this.#clock.monotonicMs() + ms);
  }

  #lack(day: MarketDay): void {
    const lacking = (this.#days.get(day.date)?.lacking ?? 0) + 1;
    const pauseMs = backoffMs(lacking, LATE_PAUSES, this.#random);
    this.#days.set(day.date, { lacking, notBeforeMs: this.#clock.monotonicMs() + pauseMs });
  }

  /** A day that is over lacks for good what it lacks. */
  #giveUp(day: MarketDay): void {
    this.#days.set(day.date, { lacking: 0, notBeforeMs: Number.POSITIVE_INFINITY });
  }

  #forgetBefore(oldest: string): void {
    for (const date of this.#days.keys()) if (date < oldest) this.#days.delete(date);
  }
}
