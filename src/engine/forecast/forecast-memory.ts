import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import {
  coarser,
  cut,
  emptySeries,
  knownUntil,
  type PowerSeries,
  seriesOf,
  spliced,
  sumOf,
  valueAt,
} from "../../domain/statistics/power-series.ts";
import type { ForecastSlot } from "../../sdk/forecast-source.ts";
import type { ForecastRecord } from "../../store/records/forecast.ts";
import type { Store } from "../../store/store.ts";
import type { PanelSlot } from "../contracts/forecast.ts";

const STEP_MS = 15 * MINUTE_MS;
/** Quarter hours are kept as long as someone may want to see the day that they were part of. */
const KEPT_MS = 2 * DAY_MS;
/** Hours are kept for the comparison with what was produced. */
const COMPARED_MS = 14 * DAY_MS;
/** No source knows more, and nothing that it says of later times is looked at. */
const AHEAD_MS = 10 * DAY_MS;
const KEY = "site";

/** The forecast of the panels as it is known, in memory and on disk. What was known stays known until it is over. */
export class ForecastMemory {
  readonly #store: Pick<Store, "get" | "commitAlong">;
  #record: ForecastRecord | null = null;

  constructor(store: Pick<Store, "get" | "commitAlong">) {
    this.#store = store;
  }

  get fetchedAtMs(): number | null {
    return this.#record?.fetchedAtMs ?? null;
  }

  get knownUntilMs(): number | null {
    return this.#record === null ? null : knownUntil(this.#record.power);
  }

  /** Takes up what is on disk of these panels; what is known of others is of no use any more. True: it changed. */
  recall(panels: string): boolean {
    if (this.#record?.panels === panels) return false;
    const before = this.#record;
    const stored = this.#store.get("forecast", KEY);
    this.#record = stored?.panels === panels ? stored : null;
    return this.#record !== before;
  }

  /** Takes what the source told of each plane or site, together at most `limitW`. False: it told nothing. */
  take(told: readonly (readonly ForecastSlot[])[], panels: string, limitW: number, nowMs: number): boolean {
    const near = told.map((slots) => slots.filter((slot) => isNear(slot, nowMs)));
    const power = together(near, ({ powerW }) => powerW, limitW);
    const fromMs = Math.floor(nowMs / STEP_MS) * STEP_MS;
    if (power === null || (knownUntil(power) ?? 0) <= nowMs) return false;
    const before = this.#record;
    const joined = (older: PowerSeries | null | undefined, newer: PowerSeries | null): PowerSeries | null => {
      if (newer === null) return null;
      // A clock that was wrong may have put some of it into other years.
      const kept = cut(older ?? emptySeries(STEP_MS), nowMs - KEPT_MS, nowMs + AHEAD_MS);
      // Hindsight is no forecast.
      return spliced(kept, cut(newer, fromMs, nowMs + AHEAD_MS), fromMs);
    };
    this.#record = {
      panels,
      fetchedAtMs: nowMs,
      power: joined(before?.power, power) ?? emptySeries(STEP_MS),
      p10: joined(
        before?.p10,
        together(near, ({ p10W }) => p10W, limitW),
      ),
      p90: joined(
        before?.p90,
        together(near, ({ p90W }) => p90W, limitW),
      ),
      past: this.past(nowMs),
    };
    this.#store.commitAlong([{ table: "forecast", key: KEY, put: this.#record }]);
    return true;
  }

  /** The hours that are over, as each quarter hour was told last before it was over. */
  past(nowMs: number): PowerSeries {
    const record = this.#record;
    if (record === null) return emptySeries(HOUR_MS);
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    const earlier = cut(record.past, hourMs - COMPARED_MS, hourMs);
    const lately = coarser(cut(record.power, hourMs - COMPARED_MS, hourMs), HOUR_MS);
    return spliced(earlier, lately, hourMs);
  }

  /** The known quarter hours that begin in [fromMs, toMs). */
  slots(fromMs: number, toMs: number, { factor, limitW }: { factor: number | null; limitW: number }): PanelSlot[] {
    const record = this.#record;
    if (record === null) return [];
    const { startMs, valuesW } = cut(record.power, fromMs, toMs);
    return valuesW.flatMap((powerW, index): PanelSlot[] => {
      if (powerW === null) return [];
      const atMs = startMs + index * STEP_MS;
      const p10W = record.p10 === null ? null : valueAt(record.p10, atMs);
      const p90W = record.p90 === null ? null : valueAt(record.p90, atMs);
      const adjustedW = factor === null ? null : Math.min(limitW, Math.round(powerW * factor));
      return [{ fromMs: atMs, toMs: atMs + STEP_MS, powerW, p10W, p90W, adjustedW }];
    });
  }
}

function isNear({ fromMs, toMs }: ForecastSlot, nowMs: number): boolean {
  return fromMs < toMs && fromMs >= nowMs - KEPT_MS && toMs <= nowMs + AHEAD_MS;
}

/** Null: of some of the panels nothing is known. */
function together(
  told: readonly (readonly ForecastSlot[])[],
  value: (slot: ForecastSlot) => number | null,
  limitW: number,
): PowerSeries | null {
  const each = told.map((slots) => {
    const spans = slots.flatMap((slot) => {
      const powerW = value(slot);
      return powerW === null ? [] : [{ fromMs: slot.fromMs, toMs: slot.toMs, powerW }];
    });
    return seriesOf(spans, STEP_MS);
  });
  const sum = sumOf(each, STEP_MS);
  if (sum.valuesW.length === 0) return null;
  return { ...sum, valuesW: sum.valuesW.map((powerW) => (powerW === null ? null : Math.min(limitW, powerW))) };
}
