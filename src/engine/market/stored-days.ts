import type { MarketDayRecord } from "../../store/records/market.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { PriceSlot } from "../contracts/places.ts";
import { dateAt } from "./market-days.ts";
import { fromRuns, toRuns } from "./price-runs.ts";

/** As long as the statistics keep rows of a minute. */
const KEPT_DAYS = 400;

const TABLE = "market-day";

/** Stores the known prices of one market by day, with one commit for each new day. */
export class StoredDays {
  readonly #store: Pick<Store, "all" | "get" | "commit">;
  readonly #market: string;

  constructor(store: Pick<Store, "all" | "get" | "commit">, market: string) {
    this.#store = store;
    this.#market = market;
  }

  /** Returns the market prices of a day per kWh, ascending; empty if unknown. */
  slots(date: string): readonly PriceSlot[] {
    const record = this.#store.get(TABLE, this.#key(date));
    return record === null ? [] : fromRuns(record.runs);
  }

  /** Returns the known days, in no order. */
  records(): readonly MarketDayRecord[] {
    return this.#store.all(TABLE).filter(({ market }) => market === this.#market);
  }

  /** Stores the prices of a day. Rejects with a `StorageError`; then the earlier prices stay. */
  async put(date: string, slots: readonly PriceSlot[], nowMs: number): Promise<void> {
    const put = { market: this.#market, date, fetchedAtMs: nowMs, runs: toRuns(slots) };
    await this.#store.commit([{ table: TABLE, key: this.#key(date), put }, ...this.#removeExpired(nowMs)], []);
  }

  /** Returns the writes that delete days older than 400 days, of all markets that were ever configured. */
  #removeExpired(nowMs: number): readonly Write[] {
    const oldest = dateAt("UTC", nowMs, -KEPT_DAYS);
    return this.#store
      .all(TABLE)
      .filter(({ date }) => date < oldest)
      .map(({ market, date }): Write => ({ table: TABLE, key: keyOf(market, date), remove: true }));
  }

  #key(date: string): string {
    return keyOf(this.#market, date);
  }
}

function keyOf(market: string, date: string): string {
  return `${market} ${date}`;
}
