/** The backlog of a webhook. It is not stored separately: it is the part of the journal after a position. */

import type { JournalPlace } from "../../store/records/webhooks.ts";
import type { JournalEntry } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

/** Limits of a backlog (rule S1.6); the oldest events are dropped first. */
export interface BacklogLimits {
  readonly events: number;
  readonly bytes: number;
}
export const BACKLOG_LIMITS: BacklogLimits = { events: 10_000, bytes: 10 * 1024 * 1024 };

/** Maximum number of events in one delivery (rule S1.5), and its maximum size. */
const MAX_BATCH_EVENTS = 100;
const MAX_BATCH_CHARACTERS = 512 * 1024;
/** Entries that are read at once, so that parsing their JSON does not block the event loop for long. */
const PAGE = 200;

export interface BacklogSource {
  readonly store: Pick<Store, "journalAfter">;
  /** Returns true if an entry is for the webhook. */
  isIncluded(entry: JournalEntry): boolean;
  /** A text that is another one whenever other entries may be included. */
  filter(): string;
}

export interface Batch {
  readonly texts: readonly string[];
  /** The last journal entry that is in the batch or was not for the webhook. */
  readonly end: JournalPlace;
  /** Entries after the position that were deleted from the journal before they were read. */
  readonly lost: number;
}

/**
 * Returns the next batch after a position, up to a place (`null`: no limit). No texts: nothing waits up to `end`.
 * `textOf` returns `null` for an event that the webhook's version does not have.
 */
export async function nextBatch(
  { store, isIncluded }: BacklogSource,
  position: JournalPlace,
  upTo: JournalPlace | null,
  textOf: (entry: JournalEntry) => string | null,
): Promise<Batch> {
  const texts: string[] = [];
  let characters = 0;
  let end = position;
  let lost = 0;
  for (;;) {
    const entries = await store.journalAfter(end, MAX_BATCH_EVENTS);
    for (const entry of entries) {
      if (upTo !== null && isBefore(upTo, entry)) return { texts, end, lost };
      const text = isIncluded(entry) ? textOf(entry) : null;
      if (text !== null) {
        if (texts.length > 0 && characters + text.length > MAX_BATCH_CHARACTERS) return { texts, end, lost };
        texts.push(text);
        characters += text.length;
      }
      if (end === position) lost = missingBetween(end, entry);
      end = { epoch: entry.epoch, seq: entry.seq };
      if (texts.length === MAX_BATCH_EVENTS) return { texts, end, lost };
    }
    if (entries.length < MAX_BATCH_EVENTS) return { texts, end, lost };
  }
}

/** An event that waits, by its place in the journal. */
interface Waiting extends JournalPlace {
  /** Size of its payload as JSON. */
  readonly bytes: number;
}

/**
 * What waits for a webhook. It is read from the journal once and then only further on, because a webhook that fails asks for it
 * at each retry, and most of a journal may be for others. One call at a time.
 */
export class WaitingEvents {
  readonly #source: BacklogSource;
  #waiting: readonly Waiting[] = [];
  /** The last entry that was looked at; `null` if nothing was read yet. */
  #readTo: JournalPlace | null = null;
  /** The first entry of the journal after the position. */
  #first: JournalPlace | null = null;
  /** What the source included at that time. */
  #filter = "";

  constructor(source: BacklogSource) {
    this.#source = source;
  }

  /** Forgets what was read. */
  forget(): void {
    this.#waiting = [];
    this.#readTo = null;
  }

  /** Returns how many events wait after a position, and their size as JSON. */
  async measure(position: JournalPlace): Promise<BacklogLimits> {
    await this.#readOn(position);
    return { events: this.#waiting.length, bytes: this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Returns the position after which the waiting events are within the limits, and how many older ones are dropped. */
  async bounded(
    position: JournalPlace,
    limits: BacklogLimits,
  ): Promise<{ readonly position: JournalPlace; readonly dropped: number }> {
    const left = { ...(await this.measure(position)) };
    let dropped = 0;
    let bounded = position;
    for (const { epoch, seq, bytes } of this.#waiting) {
      if (left.events <= limits.events && left.bytes <= limits.bytes) break;
      left.events -= 1;
      left.bytes -= bytes;
      dropped += 1;
      bounded = { epoch, seq };
    }
    return { position: bounded, dropped };
  }

  async #readOn(position: JournalPlace): Promise<void> {
    const [first = null] = await this.#source.store.journalAfter(position, 1);
    if (!this.#isKnown(position, first)) this.forget();
    this.#first = first === null ? null : { epoch: first.epoch, seq: first.seq };
    this.#filter = this.#source.filter();
    const waiting = this.#waiting.filter((each) => isBefore(position, each));
    let from = this.#readTo ?? position;
    for (;;) {
      const entries = await this.#source.store.journalAfter(from, PAGE);
      for (const entry of entries) {
        from = { epoch: entry.epoch, seq: entry.seq };
        if (this.#source.isIncluded(entry)) waiting.push({ ...from, bytes: JSON.stringify(entry.payload).length });
      }
      if (entries.length < PAGE) break;
    }
    this.#waiting = waiting;
    this.#readTo = from;
  }

  /** Returns false if the journal deleted something after the position, or something else is included by now. */
  #isKnown(position: JournalPlace, first: JournalPlace | null): boolean {
    if (this.#readTo === null || isBefore(this.#readTo, position) || this.#filter !== this.#source.filter())
      return false;
    if (first === null) return this.#waiting.length === 0;
    const isNext = first.epoch === position.epoch && first.seq === position.seq + 1;
    return isNext || (this.#first?.epoch === first.epoch && this.#first.seq === first.seq);
  }
}

function isBefore(a: JournalPlace, b: JournalPlace): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);
}

/** Within an epoch places have no gaps, so what is missing was deleted. Between epochs the count is unknown. */
function missingBetween(before: JournalPlace, after: JournalPlace): number {
  return before.epoch === after.epoch ? after.seq - before.seq - 1 : 0;
}
