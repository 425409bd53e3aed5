import { MINUTE_MS } from "../../domain/duration.ts";
import { consumerPrices, type PriceFormula } from "../../domain/market/consumer-price.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { Market, MarketDay, MarketSource } from "../../sdk/market-source.ts";
import type { Store } from "../../store/store.ts";
import type { MarketPrices, MarketStatus } from "../contracts/market.ts";
import type { PriceSlot, PriceSource } from "../contracts/places.ts";
import type { EnginePart } from "../engine-part.ts";
import { ExternalHttpClient } from "../external-http/external-http-client.ts";
import type { SourceFailure } from "../external-http/source-failure.ts";
import { NO_CLOCK, SourceProblemState } from "../external-http/source-problem-state.ts";
import { isComplete, knownMs } from "./checked-prices.ts";
import { FetchPlan } from "./fetch-plan.ts";
import { marketDay } from "./market-days.ts";
import { type PriceResult, requestPrices } from "./request-prices.ts";
import { StoredDays } from "./stored-days.ts";

/** Maximum interval between two checks of the plan, because the wall clock may step. */
const CHECK_EVERY_MS = 10 * MINUTE_MS;
/** Interval of the checks whether the clock has been set. */
const AWAIT_CLOCK_MS = 10_000;
/** The number of days whose consumer prices are cached. */
const MAX_CACHED_DAYS = 40;

export interface MarketPriceParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Log;
  readonly store: Pick<Store, "all" | "get" | "commit">;
  readonly source: MarketSource;
  readonly market: Market;
  readonly zone: string;
  readonly currency: string;
  readonly formula: PriceFormula;
}

/**
 * Fetches market prices when they are published, stores them, and calculates consumer prices from them. A failed request
 * does not change the known prices.
 */
export class MarketPriceService implements PriceSource, MarketPrices, EnginePart {
  readonly #parts: MarketPriceParts;
  readonly #stored: StoredDays;
  readonly #plan: FetchPlan;
  readonly #problem: SourceProblemState;
  readonly #listeners = new Listeners<[]>();
  /** Cached consumer prices by date. */
  readonly #consumerPrices = new Map<string, readonly PriceSlot[]>();
  /** The days with at least one known price, ascending. */
  #days: readonly MarketDay[] = [];

  constructor(parts: MarketPriceParts) {
    this.#parts = parts;
    this.#stored = new StoredDays(parts.store, `${parts.source.id} ${parts.zone} ${parts.currency}`);
    this.#plan = new FetchPlan(parts, parts.market);
    this.#problem = new SourceProblemState(parts.clock);
    this.#reload();
  }

  /** Only one bidding zone is configured, so all places have the same prices. */
  between(_place: unknown, fromMs: number, toMs: number): readonly PriceSlot[] {
    return this.consumer(fromMs, toMs);
  }

  covers(): boolean {
    return !this.#plan.isRefused || this.#knownUntilMs() !== null;
  }

  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  consumer(fromMs: number, toMs: number): readonly PriceSlot[] {
    return this.#between(fromMs, toMs, (date) => this.#consumerDay(date));
  }

  published(fromMs: number, toMs: number): readonly PriceSlot[] {
    return this.#between(fromMs, toMs, (date) => this.#stored.slots(date));
  }

  #between(fromMs: number, toMs: number, slotsOf: (date: string) => readonly PriceSlot[]): readonly PriceSlot[] {
    return this.#days
      .filter((day) => day.toMs > fromMs && day.fromMs < toMs)
      .flatMap(({ date }) => slotsOf(date))
      .filter((slot) => slot.toMs > fromMs && slot.fromMs < toMs)
      .map((slot) => ({ ...slot, fromMs: Math.max(slot.fromMs, fromMs), toMs: Math.min(slot.toMs, toMs) }));
  }

  status(): MarketStatus {
    const { source, zone, currency, clock } = this.#parts;
    const { id, displayName, attribution } = source;
    const fetched = this.#stored.records().map(({ fetchedAtMs }) => fetchedAtMs);
    const next = this.#next();
    return {
      source: id,
      displayName,
      attribution,
      zone,
      currency,
      lastFetchedAtMs: fetched.length === 0 ? null : Math.max(...fetched),
      knownUntilMs: this.#knownUntilMs(),
      nextFetchAtMs: next === null ? null : Math.ceil(clock.nowMs() + next.inMs),
      problem: this.#problem.problem,
    };
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    using client = new ExternalHttpClient(this.#parts);
    while (!signal.aborted) {
      const waitMs = await this.#step(client, signal).catch((err: unknown) => {
        if (!signal.aborted) log.error({ err }, "market price update failed; will retry");
        return CHECK_EVERY_MS;
      });
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  /** Fetches the next day if it is due. Returns the time until the next step, ms. */
  async #step(client: ExternalHttpClient, signal: AbortSignal): Promise<number> {
    const { clock, market } = this.#parts;
    if (clock.quality() === "unset") {
      this.#report({ kind: "clock-not-set", text: NO_CLOCK });
      return AWAIT_CLOCK_MS;
    }
    this.#problem.clearObstacle();
    const next = this.#next();
    if (next === null) return CHECK_EVERY_MS;
    if (next.inMs > 0) return Math.min(next.inMs, CHECK_EVERY_MS);
    const { day } = next;
    const answer = await requestPrices({ client, market }, day, signal);
    const result = answer.kind === "answered" ? await this.#store(day, answer.slots) : answer;
    this.#plan.update(day, result, this.#isComplete(day));
    if (result.kind === "failed") this.#report(result.failure);
    else if (this.#problem.clear()) this.#parts.log.info({}, "price source answers again; prices are current");
    return 0;
  }

  #next() {
    return this.#plan.next((day) => this.#isComplete(day));
  }

  #isComplete(day: MarketDay): boolean {
    return isComplete(this.#stored.slots(day.date), day);
  }

  /** Stores the prices if they cover more of the day than the known ones: published prices never change. */
  async #store(day: MarketDay, slots: readonly PriceSlot[]): Promise<PriceResult> {
    const { clock, log } = this.#parts;
    const result = { kind: "answered", slots } as const;
    if (knownMs(slots) <= knownMs(this.#stored.slots(day.date))) return result;
    try {
      await this.#stored.put(day.date, slots, clock.nowMs());
    } catch (err) {
      log.warn({ err, date: day.date }, "cannot store market prices; will fetch the day again");
      const text = "cannot store the prices on disk";
      return { kind: "failed", failure: { kind: "not-kept", text, retryAfterMs: null, wasSent: true } };
    }
    log.info({ date: day.date, slots: slots.length, isComplete: isComplete(slots, day) }, "market prices stored");
    this.#reload();
    this.#listeners.emit();
    return result;
  }

  /** Sets the problem, and logs it if its kind is new, so that an outage of days is one line. */
  #report(problem: Pick<SourceFailure, "kind" | "text">): void {
    if (!this.#problem.set(problem)) return;
    const { log } = this.#parts;
    const fields = { problem: problem.text };
    if (problem.kind === "refused")
      log.error(fields, "price source refuses the configuration; no prices are fetched until the next start");
    else log.warn(fields, "cannot fetch market prices; known prices are kept");
  }

  #reload(): void {
    const { timezone } = this.#parts.market;
    const dates = this.#stored.records().map(({ date }) => date);
    this.#days = dates.sort().map((date) => marketDay(timezone, date));
    this.#consumerPrices.clear();
  }

  #consumerDay(date: string): readonly PriceSlot[] {
    const known = this.#consumerPrices.get(date);
    if (known !== undefined) return known;
    const slots = consumerPrices(this.#stored.slots(date), this.#parts.formula);
    const [oldest] = this.#consumerPrices.keys();
    if (this.#consumerPrices.size >= MAX_CACHED_DAYS && oldest !== undefined) this.#consumerPrices.delete(oldest);
    this.#consumerPrices.set(date, slots);
    return slots;
  }

  #knownUntilMs(): number | null {
    const last = this.#days.at(-1);
    const endMs = last === undefined ? null : (this.#consumerDay(last.date).at(-1)?.toMs ?? null);
    return endMs !== null && endMs > this.#parts.clock.nowMs() ? endMs : null;
  }
}
