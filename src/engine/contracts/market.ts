import type { SourceProblem } from "../../domain/source-problem.ts";
import type { PriceSlot } from "./places.ts";

/** How a source of market prices does. Instants are wall-clock ms. */
export interface MarketStatus {
  /** How the configuration calls the source. */
  readonly source: string;
  readonly displayName: string;
  /** Whose data it is, as its licence wants it named. */
  readonly attribution: string;
  readonly zone: string;
  /** ISO 4217, alpha-3. */
  readonly currency: string;
  /** When prices last came; null: never. */
  readonly lastFetchedAtMs: number | null;
  /** Where the prices that are known end; null: none are known from now on. */
  readonly knownUntilMs: number | null;
  /** When the source is asked next; null: not with this configuration. */
  readonly nextFetchAtMs: number | null;
  /** Why the last question got no prices; null: it did, or none are expected yet. */
  readonly problem: SourceProblem | null;
}

/** Market prices of the configured zone. */
export interface MarketPrices {
  status(): MarketStatus;
  /** What a consumer pays per kWh in [fromMs, toMs), ascending, cut to the range; gaps are unknown. */
  consumer(fromMs: number, toMs: number): readonly PriceSlot[];
}
