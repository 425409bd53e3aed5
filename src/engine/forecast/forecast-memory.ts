import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { COMPARED_MS } from "../../domain/forecast/forecast-adjustment.ts";
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
import type { ForecastMismatchRecord, ForecastRecord } from "../../store/records/forecast.ts";
import type { Store } from "../../store/store.ts";
import type { PanelSlot } from "../contracts/energy/forecast.ts";

const STEP_MS = 15 * MINUTE_MS;
/** Quarter hours of the past are kept to show yesterday and the day before. */
const KEPT_MS = 2 * DAY_MS;
/** No source forecasts further; later slots are ignored. */
const AHEAD_MS = 10 * DAY_MS;
const KEY = "site";

/** Stores the forecast of the panels in memory and on disk. A slot stays known until it is over. */
export class ForecastMemory {
  readonly #store: Pick<Store, "get" | "commit" | "commitAlong">;
  #record: ForecastRecord | null = null;

  constructor(store: Pick<Store, "get" | "commit" | "commitAlong">) {
    this.#store = store;
  }

  get fetchedAtMs(): number | null {
    return this.#record?.fetchedAtMs ?? null;
  }

  get knownUntilMs(): number | null {
    return this.#record === null ? null : knownUntil(this.#record.power);
  }

  /** `null` while the production is not far from the forecast, and for other panels. */
  get mismatch(): ForecastMismatchRecord | null {
    return this.#record?.mismatch ?? null;
  }

  /** Loads the stored forecast of these panels and drops that of others. Returns true if the forecast changed. */
  load(panels: string): boolean {
    if (this.#record?.panels === panels) return false;
    const before = this.#record;
    const stored = this.#store.get("forecast", KEY);
    this.#record = stored?.panels === panels ? stored : null;
    return this.#record !== before;
  }

  /**
   * Stores the sum over the slots of each plane or site, limited to `limitW`. Returns false, and stores nothing, if they have
   * no slot in the future.
   */
  store(parts: readonly (readonly ForecastSlot[])[], panels: string, limitW: number, nowMs: number): boolean {
    const near = parts.map((slots) => slots.filter((slot) => isNear(slot, nowMs)));
    const power = sumOfParts(near, ({ powerW }) => powerW, limitW);
    const fromMs = Math.floor(nowMs / STEP_MS) * STEP_MS;
    if (power === null || (knownUntil(power) ?? 0) <= nowMs) return false;
    const before = this.#record;
    const joined = (older: PowerSeries | null | undefined, newer: PowerSeries | null): PowerSeries | null => {
      if (newer === null) return null;
      // A wrong clock may have dated some slots in other years.
      const kept = cut(older ?? emptySeries(STEP_MS), nowMs - KEPT_MS, nowMs + AHEAD_MS);
      // Slots of the past are not replaced: a later value is no forecast.
      return spliced(kept, cut(newer, fromMs, nowMs + AHEAD_MS), fromMs);
    };
    this.#record = {
      panels,
      fetchedAtMs: nowMs,
      power: joined(before?.power, power) ?? emptySeries(STEP_MS),
      p10: joined(
        before?.p10,
        sumOfParts(near, ({ p10W }) => p10W, limitW),
      ),
      p90: joined(
        before?.p90,
        sumOfParts(near, ({ p90W }) => p90W, limitW),
      ),
      past: this.past(nowMs),
      mismatch: before?.mismatch ?? null,
    };
    this.#store.commitAlong([{ table: "forecast", key: KEY, put: this.#record }]);
    return true;
  }

  /** Sets the mismatch, and stores it along with what is stored next. */
  setMismatch(mismatch: ForecastMismatchRecord | null): void {
    if (this.#record === null) return;
    this.#record = { ...this.#record, mismatch };
    this.#store.commitAlong([{ table: "forecast", key: KEY, put: this.#record }]);
  }

  /** Sets the mismatch once it is on disk. Rejects with a `StorageError`. */
  async commitMismatch(mismatch: ForecastMismatchRecord): Promise<void> {
    if (this.#record === null) return;
    await this.#store.commit([{ table: "forecast", key: KEY, put: { ...this.#record, mismatch } }], []);
    this.#record = { ...this.#record, mismatch };
  }

  /** Returns the hours of the past, made of the last forecast of each quarter hour before its end. */
  past(nowMs: number): PowerSeries {
    const record = this.#record;
    if (record === null) return emptySeries(HOUR_MS);
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    const earlier = cut(record.past, hourMs - COMPARED_MS, hourMs);
    const lately = coarser(cut(record.power, hourMs - COMPARED_MS, hourMs), HOUR_MS);
    return spliced(earlier, lately, hourMs);
  }

  /** Returns the known quarter hours that begin in [fromMs, toMs). */
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

/** Returns the sum over all panels; `null` if no slot is known for some of them. */
function sumOfParts(
  parts: readonly (readonly ForecastSlot[])[],
  value: (slot: ForecastSlot) => number | null,
  limitW: number,
): PowerSeries | null {
  const each = parts.map((slots) => {
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
