import { consumerPrices, type PriceFormula } from "../../domain/market/consumer-price.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { Market, MarketDay, MarketSource } from "../../sdk/market-source.ts";
import type { Store } from "../../store/store.ts";
import type { MarketPrices, MarketStatus } from "../contracts/market.ts";
import type { PriceSlot, PriceSource } from "../contracts/places.ts";
import type { EnginePart } from "../engine-part.ts";
import { OutsideClient } from "../outside/outside-client.ts";
import type { SourceFailure } from "../outside/source-failure.ts";
import { NO_CLOCK, SourceTrouble } from "../outside/source-trouble.ts";
import { askMarket, type MarketNews } from "./ask-market.ts";
import { AskPlan } from "./ask-plan.ts";
import { KnownDays } from "./known-days.ts";
import { marketDay } from "./market-days.ts";
import { isWhole, knownMs } from "./sound-prices.ts";

/** The wall clock may step: what is due is looked at again after this long, ms. */
const LOOK_EVERY_MS = 10 * 60_000;
/** Without a clock nobody knows which day to ask for. */
const AWAIT_CLOCK_MS = 10_000;
/** Days whose prices stay reckoned in memory. */
const MAX_RECKONED = 40;

export interface MarketKeeperParts {
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
 * Knows what energy costs at the market: asks a source for each day when it is published, keeps what it told on disk, and
 * tells consumers' prices from memory. A failure takes nothing away that was known.
 */
export class MarketKeeper implements PriceSource, MarketPrices, EnginePart {
  readonly #parts: MarketKeeperParts;
  readonly #known: KnownDays;
  readonly #plan: AskPlan;
  readonly #trouble: SourceTrouble;
  readonly #listeners = new Listeners<[]>();
  /** By date; consumers' prices. */
  readonly #reckoned = new Map<string, readonly PriceSlot[]>();
  /** The days of which something is known, ascending. */
  #days: readonly MarketDay[] = [];

  constructor(parts: MarketKeeperParts) {
    this.#parts = parts;
    this.#known = new KnownDays(parts.store, `${parts.source.id} ${parts.zone} ${parts.currency}`);
    this.#plan = new AskPlan(parts, parts.market);
    this.#trouble = new SourceTrouble(parts.clock);
    this.#learn();
  }

  /** One zone is configured, and it is that of all places of the gateway. */
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
    return this.#days
      .filter((day) => day.toMs > fromMs && day.fromMs < toMs)
      .flatMap(({ date }) => this.#consumerDay(date))
      .filter((slot) => slot.toMs > fromMs && slot.fromMs < toMs)
      .map((slot) => ({ ...slot, fromMs: Math.max(slot.fromMs, fromMs), toMs: Math.min(slot.toMs, toMs) }));
  }

  status(): MarketStatus {
    const { source, zone, currency, clock } = this.#parts;
    const { id, displayName, attribution } = source;
    const fetched = this.#known.records().map(({ fetchedAtMs }) => fetchedAtMs);
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
      problem: this.#trouble.problem,
    };
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    using client = new OutsideClient(this.#parts);
    while (!signal.aborted) {
      const waitMs = await this.#turn(client, signal).catch((err: unknown) => {
        if (!signal.aborted) log.error({ err }, "market prices cannot be looked after");
        return LOOK_EVERY_MS;
      });
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  /** Answers how long to wait before the next one, ms. */
  async #turn(client: OutsideClient, signal: AbortSignal): Promise<number> {
    const { clock, market } = this.#parts;
    if (clock.quality() === "unset") {
      this.#tell({ kind: "clock-not-set", text: NO_CLOCK });
      return AWAIT_CLOCK_MS;
    }
    this.#trouble.removeObstacle();
    const next = this.#next();
    if (next === null) return LOOK_EVERY_MS;
    if (next.inMs > 0) return Math.min(next.inMs, LOOK_EVERY_MS);
    const { day } = next;
    const asked = await askMarket({ client, market }, day, signal);
    const news = asked.kind === "told" ? await this.#kept(day, asked.slots) : asked;
    this.#plan.heard(day, news, this.#isWhole(day));
    if (news.kind === "failed") this.#tell(news.failure);
    else if (this.#trouble.end()) this.#parts.log.info({}, "the price source answers again");
    return 0;
  }

  #next() {
    return this.#plan.next((day) => this.#isWhole(day));
  }

  #isWhole(day: MarketDay): boolean {
    return isWhole(this.#known.slots(day.date), day);
  }

  /** Keeps what says more than what was known; prices of a day do not change once they are published. */
  async #kept(day: MarketDay, slots: readonly PriceSlot[]): Promise<MarketNews> {
    const { clock, log } = this.#parts;
    const news = { kind: "told", slots } as const;
    if (knownMs(slots) <= knownMs(this.#known.slots(day.date))) return news;
    try {
      await this.#known.put(day.date, slots, clock.nowMs());
    } catch (err) {
      log.warn({ err, date: day.date }, "market prices cannot be kept");
      const text = "the disk does not take the prices";
      return { kind: "failed", failure: { kind: "not-kept", text, retryAfterMs: null, wasSent: true } };
    }
    log.info({ date: day.date, slots: slots.length, isWhole: isWhole(slots, day) }, "market prices are known");
    this.#learn();
    this.#listeners.emit();
    return news;
  }

  /** Once per change: an outage of days is one line. */
  #tell(problem: Pick<SourceFailure, "kind" | "text">): void {
    if (!this.#trouble.take(problem)) return;
    const { log } = this.#parts;
    const fields = { problem: problem.text };
    if (problem.kind === "refused") log.error(fields, "the price source refuses; look at the configuration");
    else log.warn(fields, "no market prices for now");
  }

  #learn(): void {
    const { timezone } = this.#parts.market;
    const dates = this.#known.records().map(({ date }) => date);
    this.#days = dates.sort().map((date) => marketDay(timezone, date));
    this.#reckoned.clear();
  }

  #consumerDay(date: string): readonly PriceSlot[] {
    const known = this.#reckoned.get(date);
    if (known !== undefined) return known;
    const slots = consumerPrices(this.#known.slots(date), this.#parts.formula);
    const [oldest] = this.#reckoned.keys();
    if (this.#reckoned.size >= MAX_RECKONED && oldest !== undefined) this.#reckoned.delete(oldest);
    this.#reckoned.set(date, slots);
    return slots;
  }

  #knownUntilMs(): number | null {
    const last = this.#days.at(-1);
    const endMs = last === undefined ? null : (this.#consumerDay(last.date).at(-1)?.toMs ?? null);
    return endMs !== null && endMs > this.#parts.clock.nowMs() ? endMs : null;
  }
}
