import type { MarketDayRecord } from "../../store/records/market.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { PriceSlot } from "../contracts/places.ts";
import { dateAt } from "./market-days.ts";
import { fromRuns, toRuns } from "./price-runs.ts";

/** Statistics ask what energy cost as far back as minutes are kept. */
const KEPT_DAYS = 400;

const TABLE = "market-day";

/** The days of one market that are known, on disk as soon as they are. One commit a new day; nothing is ever blanked. */
export class KnownDays {
  readonly #store: Pick<Store, "all" | "get" | "commit">;
  readonly #market: string;

  constructor(store: Pick<Store, "all" | "get" | "commit">, market: string) {
    this.#store = store;
    this.#market = market;
  }

  /** Market prices of a day per kWh, ascending; none when nothing is known. */
  slots(date: string): readonly PriceSlot[] {
    const record = this.#store.get(TABLE, this.#key(date));
    return record === null ? [] : fromRuns(record.runs);
  }

  /** The days that are known, in no order. */
  records(): readonly MarketDayRecord[] {
    return this.#store.all(TABLE).filter(({ market }) => market === this.#market);
  }

  /** Rejects when the disk refuses; what was known before still is. */
  async put(date: string, slots: readonly PriceSlot[], nowMs: number): Promise<void> {
    const put = { market: this.#market, date, fetchedAtMs: nowMs, runs: toRuns(slots) };
    await this.#store.commit([{ table: TABLE, key: this.#key(date), put }, ...this.#outlived(nowMs)], []);
  }

  /** Of every market, also of those that were configured before. */
  #outlived(nowMs: number): readonly Write[] {
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
