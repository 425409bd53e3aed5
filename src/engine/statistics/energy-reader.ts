/** Reads the energy of an asset as coarsely as the question allows. */
import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { EnergyKind } from "../../domain/statistics/statistics-hour.ts";
import { clip, type Span } from "../../domain/statistics/statistics-reading.ts";
import { type EnergyRow, QUARTER_MS, type SlotMs } from "../../domain/statistics/statistics-row.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import type { Store } from "../../store/store.ts";

/** Hours that are asked for finer are read together when no more than this lies between them. */
const JOINED_WITHIN_MS = 24 * HOUR_MS;
const FINEST_FIRST: readonly SlotMs[] = [MINUTE_MS, QUARTER_MS, HOUR_MS];

export interface Stream {
  readonly deviceId: string;
  readonly kind: EnergyKind;
}

export class EnergyReader {
  readonly #store: Pick<Store, "energy">;
  /** The cuts of the last query, because the devices of one query are cut alike. */
  #cut: { readonly cuts: readonly (readonly number[])[]; readonly slots: ReadonlyMap<number, SlotMs> } | null = null;

  constructor(store: Pick<Store, "energy">) {
    this.#store = store;
  }

  /** Rows of one length that begin in a span. */
  async rows(stream: Stream, slotMs: SlotMs, { fromMs, toMs }: Span): Promise<readonly EnergyRow[]> {
    return fromMs < toMs ? await this.#store.energy({ stream, slotMs, fromMs, toMs }) : [];
  }

  /**
   * The rows that touch a span, ascending: hours, and shorter slots where energy flowed in an hour that one of the
   * cuts lies in, and at both ends.
   */
  async cut(stream: Stream, span: Span, cuts: readonly (readonly number[])[]): Promise<readonly SlottedRow[]> {
    const startMs = Math.ceil(span.fromMs / HOUR_MS) * HOUR_MS;
    const endMs = Math.floor(span.toMs / HOUR_MS) * HOUR_MS;
    if (startMs >= endMs) return touching(await this.#finest(stream, around(span)), span);
    const head = await this.#finest(stream, { fromMs: startMs - HOUR_MS, toMs: startMs }, span.fromMs < startMs);
    const tail = await this.#finest(stream, { fromMs: endMs, toMs: endMs + HOUR_MS }, span.toMs > endMs);
    const hours = await this.rows(stream, HOUR_MS, { fromMs: startMs, toMs: endMs });
    const refined = await this.#refine(stream, slotted(hours, HOUR_MS), this.#slotsOf(cuts));
    return touching([...head, ...refined, ...tail], span);
  }

  /** The rows of a span where consumption was, as fine as they are kept; ascending. */
  async flowing(stream: Stream, span: Span): Promise<readonly SlottedRow[]> {
    const hours = await this.rows(stream, HOUR_MS, around(span));
    const slots = new Map<number, SlotMs>();
    for (const { atMs, flowMs } of hours) {
      if (flowMs > 0) for (const near of [atMs - HOUR_MS, atMs, atMs + HOUR_MS]) slots.set(near, MINUTE_MS);
    }
    return await this.#refine(stream, slotted(hours, HOUR_MS), slots);
  }

  #slotsOf(cuts: readonly (readonly number[])[]): ReadonlyMap<number, SlotMs> {
    const known = this.#cut;
    if (known?.cuts.length === cuts.length && cuts.every((each, index) => each === known.cuts[index])) {
      return known.slots;
    }
    const slots = slotsFor(cuts.flat());
    this.#cut = { cuts, slots };
    return slots;
  }

  /** The rows of whole hours in the shortest slots that are still kept of them. */
  async #finest(stream: Stream, hours: Span, isNeeded = true): Promise<readonly SlottedRow[]> {
    if (!isNeeded) return [];
    for (const slotMs of FINEST_FIRST) {
      const rows = await this.rows(stream, slotMs, hours);
      if (rows.length > 0) return slotted(rows, slotMs);
    }
    return [];
  }

  /** Replaces hours by their shorter slots, where `slots` names them and they are kept. */
  async #refine(
    stream: Stream,
    hours: readonly SlottedRow[],
    slots: ReadonlyMap<number, SlotMs>,
  ): Promise<readonly SlottedRow[]> {
    const finer = new Map<number, SlottedRow[]>();
    for (const slotMs of [QUARTER_MS, MINUTE_MS] as const) {
      const due = hours.filter(({ row }) => row.inMwh > 0 && slots.get(row.atMs) === slotMs).map(({ row }) => row.atMs);
      for (const span of joined(due)) {
        for (const row of await this.rows(stream, slotMs, span)) {
          const hourMs = Math.floor(row.atMs / HOUR_MS) * HOUR_MS;
          const known = finer.get(hourMs);
          if (known === undefined) finer.set(hourMs, [{ row, slotMs }]);
          else known.push({ row, slotMs });
        }
      }
    }
    return hours.flatMap((hour) => (slots.has(hour.row.atMs) ? (finer.get(hour.row.atMs) ?? [hour]) : [hour]));
  }
}

function slotted(rows: readonly EnergyRow[], slotMs: SlotMs): readonly SlottedRow[] {
  return rows.map((row) => ({ row, slotMs }));
}

function touching(rows: readonly SlottedRow[], span: Span): readonly SlottedRow[] {
  return rows.filter(({ row, slotMs }) => clip({ fromMs: row.atMs, toMs: row.atMs + slotMs }, span) !== null);
}

/** The whole hours that a span lies in. */
function around({ fromMs, toMs }: Span): Span {
  return { fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS, toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS };
}

/** Returns, by hour, the longest slots that no cut lies within. */
function slotsFor(cuts: readonly number[]): ReadonlyMap<number, SlotMs> {
  const slots = new Map<number, SlotMs>();
  for (const cutMs of cuts) {
    if (cutMs % HOUR_MS === 0) continue;
    const hourMs = Math.floor(cutMs / HOUR_MS) * HOUR_MS;
    if (cutMs % QUARTER_MS !== 0) slots.set(hourMs, MINUTE_MS);
    else if (!slots.has(hourMs)) slots.set(hourMs, QUARTER_MS);
  }
  return slots;
}

/** Spans of hours that are read at once. */
function joined(hours: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (const fromMs of hours) {
    const last = spans.at(-1);
    if (last !== undefined && fromMs - last.toMs <= JOINED_WITHIN_MS) {
      spans[spans.length - 1] = { ...last, toMs: fromMs + HOUR_MS };
    } else spans.push({ fromMs, toMs: fromMs + HOUR_MS });
  }
  return spans;
}
