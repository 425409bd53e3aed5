/** Prices without a gap between them, each for as long as the others. */
export interface PriceRun {
  /** Ms since 1970. */
  readonly fromMs: number;
  readonly slotMs: number;
  /** Per kWh as the market has them, decimal numbers with a blank between them. */
  readonly prices: string;
}

/** What is known of a day of a market. */
export interface MarketDayRecord {
  /** Source, zone and currency. */
  readonly market: string;
  /** Such as `2026-03-29`, on the market's wall clock. */
  readonly date: string;
  /** Wall-clock ms. */
  readonly fetchedAtMs: number;
  readonly runs: readonly PriceRun[];
}
