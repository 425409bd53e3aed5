import { DAY_MS } from "../../../domain/duration.ts";
import type { ValuedSpan } from "../../../domain/energy/plan/spans.ts";
import type { MarketPrices } from "../../contracts/market.ts";
import type { Locations, PriceSlot, Prices } from "../../contracts/places.ts";
import type { EngineConfig } from "../../engine-part.ts";

export interface HousePriceParts {
  readonly prices: Pick<Prices, "between" | "hasSource" | "observe" | "currency">;
  readonly locations: Pick<Locations, "list">;
  /** `null` if no market is configured. */
  readonly market: Pick<MarketPrices, "consumer" | "published"> | null;
  readonly feedIn: NonNullable<EngineConfig["pricing"]>["feedIn"];
}

/** What a kWh costs and brings at the house of a user, per kWh; stretches without a price are not known. */
export class HousePrices {
  readonly #parts: HousePriceParts;

  constructor(parts: HousePriceParts) {
    this.#parts = parts;
  }

  get currency(): string {
    return this.#parts.prices.currency;
  }

  observe(listener: () => void): Disposable {
    return this.#parts.prices.observe(listener);
  }

  /** The prices of energy from the grid: of the user's latest place that has any, else of the configured market. */
  imported(userId: string, fromMs: number, toMs: number): readonly ValuedSpan[] {
    const { prices, locations, market } = this.#parts;
    const place = locations.list(userId).find(({ location }) => prices.hasSource(location.id));
    const slots =
      place === undefined ? market?.consumer(fromMs, toMs) : prices.between(place.location.id, fromMs, toMs);
    return (slots ?? []).map(valued);
  }

  /** What is paid for energy that is fed in. */
  fedIn(fromMs: number, toMs: number): readonly ValuedSpan[] {
    const { market, feedIn } = this.#parts;
    if (feedIn === undefined) return [];
    const [factor, perKwh] = [Number(feedIn.marketFactor), Number(feedIn.perKwh)];
    if (factor === 0) return [{ fromMs, toMs, value: perKwh }];
    const published = (market?.published(fromMs, toMs) ?? []).map(valued);
    return published.map((span) => ({ ...span, value: span.value * factor + perKwh }));
  }

  /** True: panels may be limited while feeding in costs money. */
  get stopsBelowZero(): boolean {
    return this.#parts.feedIn?.stopsBelowZero === true;
  }

  /** Until when feeding in costs money and is to stop, wall-clock ms; `null` if it does not now. */
  feedInStopsUntilMs(nowMs: number): number | null {
    if (!this.stopsBelowZero) return null;
    let untilMs: number | null = null;
    for (const { fromMs, toMs, value } of this.fedIn(nowMs, nowMs + DAY_MS)) {
      if (fromMs > (untilMs ?? nowMs) || value >= 0) break;
      untilMs = toMs;
    }
    return untilMs;
  }

  /** False: the configuration does not say what is paid for feeding in. */
  get isFeedInKnown(): boolean {
    return this.#parts.feedIn !== undefined;
  }
}

function valued({ fromMs, toMs, cost }: PriceSlot): ValuedSpan {
  return { fromMs, toMs, value: Number(cost) };
}
