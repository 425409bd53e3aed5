/** Reads the energy of an asset as coarsely as the question allows. */
import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { EnergyKind } from "../../domain/statistics/statistics-hour.ts";
import { clip, type Span } from "../../domain/statistics/statistics-reading.ts";
import { type EnergyRow, QUARTER_MS, type SlotMs } from "../../domain/statistics/statistics-row.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import { hoursWithEnds } from "../../domain/statistics/statistics-session.ts";
import type { Store } from "../../store/store.ts";

/** A month of hours. */
const HOURS_AT_ONCE = 31 * 24;
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

  /**
   * The rows of whole hours, ascending and in parts of a month: minutes where consumption begins or ends, hours elsewhere,
   * and shorter slots where energy flowed in an hour that an edge lies in. `edgesIn` gives the edges within a span.
   */
  async *flowing(
    stream: Stream,
    span: Span,
    edgesIn: (span: Span) => readonly number[],
  ): AsyncGenerator<readonly SlottedRow[]> {
    const hours = await this.rows(stream, HOUR_MS, span);
    const ends = hoursWithEnds(hours);
    for (let start = 0; start < hours.length; start += HOURS_AT_ONCE) {
      const part = hours.slice(start, start + HOURS_AT_ONCE);
      const slots = new Map(slotsFor(edgesIn(spanOf(part))));
      for (const { atMs } of part) if (ends.has(atMs)) slots.set(atMs, MINUTE_MS);
      yield await this.#refine(stream, slotted(part, HOUR_MS), slots);
    }
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
    if (slots.size === 0) return hours;
    const finer: SlottedRow[] = [];
    for (const slotMs of [QUARTER_MS, MINUTE_MS] as const) {
      const due = hours
        .filter(({ row }) => hasEnergy(row) && slots.get(row.atMs) === slotMs)
        .map(({ row }) => row.atMs);
      const [first, last] = [due[0], due.at(-1)];
      if (first === undefined || last === undefined) continue;
      const query = { stream, slotMs, fromMs: first, toMs: last + HOUR_MS, hours: due };
      for (const row of await this.#store.energy(query)) finer.push({ row, slotMs });
    }
    if (finer.length === 0) return hours;
    finer.sort((one, other) => one.row.atMs - other.row.atMs);
    return replaced(hours, finer);
  }
}

/** Puts finer rows in the place of their hours; both are ascending. */
function replaced(hours: readonly SlottedRow[], finer: readonly SlottedRow[]): readonly SlottedRow[] {
  const rows: SlottedRow[] = [];
  let next = 0;
  for (const hour of hours) {
    const before = rows.length;
    for (let row = finer[next]; row !== undefined && row.row.atMs < hour.row.atMs + HOUR_MS; row = finer[++next]) {
      rows.push(row);
    }
    if (rows.length === before) rows.push(hour);
  }
  return rows;
}

function hasEnergy({ inMwh, outMwh }: EnergyRow): boolean {
  return inMwh > 0 || outMwh > 0;
}

function spanOf(hours: readonly EnergyRow[]): Span {
  return { fromMs: hours[0]?.atMs ?? 0, toMs: (hours.at(-1)?.atMs ?? 0) + HOUR_MS };
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
