/** Consecutive prices, each for a slot of the same length. */
export interface PriceRun {
  /** Ms since 1970. */
  readonly fromMs: number;
  readonly slotMs: number;
  /** Per kWh, in the market's currency: decimal numbers separated by blanks. */
  readonly prices: string;
}

/** The prices of a day of a market. */
export interface MarketDayRecord {
  /** Source, zone and currency. */
  readonly market: string;
  /** Such as `2026-03-29`, on the market's wall clock. */
  readonly date: string;
  /** Wall-clock ms. */
  readonly fetchedAtMs: number;
  readonly runs: readonly PriceRun[];
}
