/** Keeps what plans expected the house to use today, to compare it with what was measured. */
import { HOUR_MS } from "../../../domain/duration.ts";
import { QUARTER_HOUR_MS } from "../../../domain/energy/plan/plan-inputs.ts";
import { type EarlierSlot, earlierSlot } from "../../../domain/energy/plan/plan-view.ts";
import { cut, emptySeries, seriesOf, spliced } from "../../../domain/statistics/power-series.ts";
import { localDayAt } from "../../../domain/statistics/statistics-calendar.ts";
import type { LoadForecastRecord } from "../../../store/records/forecast.ts";
import type { Store } from "../../../store/store.ts";

const KEY = "site";
/** The longest day has 25 hours. */
const KEPT_MS = 25 * HOUR_MS;
/** A plan is acted on for an hour: so long it stands for those that could not be made. */
const AHEAD_MS = HOUR_MS;
const W_PER_KW = 1_000;

export interface ExpectedLoad {
  readonly fromMs: number;
  readonly toMs: number;
  readonly loadKw: number;
}

export class EarlierLoad {
  readonly #store: Pick<Store, "get" | "commitAlong">;

  constructor(store: Pick<Store, "get" | "commitAlong">) {
    this.#store = store;
  }

  /** Stores what a plan expects in the quarter hours that begin within an hour; on disk with the next commit. */
  expect(userId: string, slots: readonly ExpectedLoad[], nowMs: number): void {
    const before = this.#record(userId)?.load ?? emptySeries(QUARTER_HOUR_MS);
    const spans = slots.map(({ fromMs, toMs, loadKw }) => ({ fromMs, toMs, powerW: loadKw * W_PER_KW }));
    const newer = cut(seriesOf(spans, QUARTER_HOUR_MS), nowMs, nowMs + AHEAD_MS);
    // A wrong clock may have dated some slots in other years.
    const kept = cut(before, nowMs - KEPT_MS, nowMs + AHEAD_MS);
    // What has begun is not replaced: a later value is no forecast.
    const put: LoadForecastRecord = { userId, load: spliced(kept, newer, nowMs) };
    this.#store.commitAlong([{ table: "load-forecast", key: KEY, put }]);
  }

  /** Returns the quarter hours of the day in a time zone that are over. `measured`: mean load by their start, kW. */
  today(userId: string, measured: ReadonlyMap<number, number>, zone: string, nowMs: number): readonly EarlierSlot[] {
    const record = this.#record(userId);
    if (record === null) return [];
    const { startMs, valuesW } = cut(record.load, localDayAt(zone, nowMs).fromMs, nowMs - QUARTER_HOUR_MS + 1);
    return valuesW.flatMap((powerW, index) => {
      const fromMs = startMs + index * QUARTER_HOUR_MS;
      if (powerW === null) return [];
      return [earlierSlot(fromMs, powerW / W_PER_KW, measured.get(fromMs) ?? null)];
    });
  }

  #record(userId: string): LoadForecastRecord | null {
    const record = this.#store.get("load-forecast", KEY);
    return record?.userId === userId ? record : null;
  }
}
