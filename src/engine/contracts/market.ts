import type { SourceProblem } from "../../domain/source-problem.ts";
import type { PriceSlot } from "./places.ts";

/** The state of the configured price source. Times are wall-clock ms. */
export interface MarketStatus {
  /** The id of the source in the configuration. */
  readonly source: string;
  readonly displayName: string;
  /** The attribution that the licence of the data requires. */
  readonly attribution: string;
  readonly zone: string;
  /** ISO 4217, alpha-3. */
  readonly currency: string;
  /** The last successful fetch; `null` if there was none. */
  readonly lastFetchedAtMs: number | null;
  /** The end of the known prices; `null` if none are known for the time from now on. */
  readonly knownUntilMs: number | null;
  /** The next fetch; `null` if the source refuses the configuration. */
  readonly nextFetchAtMs: number | null;
  /** Why the last fetch failed; `null` if it succeeded, or if no prices are published yet. */
  readonly problem: SourceProblem | null;
}

/** Market prices of the configured zone. */
export interface MarketPrices {
  status(): MarketStatus;
  /** Returns the consumer prices per kWh in [fromMs, toMs), ascending, cut to the range; gaps are unknown. */
  consumer(fromMs: number, toMs: number): readonly PriceSlot[];
  /** Returns the market's own prices per kWh, without fees and taxes; otherwise as `consumer`. */
  published(fromMs: number, toMs: number): readonly PriceSlot[];
}
