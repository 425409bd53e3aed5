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

/** Returns how many events wait after a position, and their size as JSON. */
export async function measureBacklog(source: BacklogSource, position: JournalPlace): Promise<BacklogLimits> {
  let events = 0;
  let bytes = 0;
  await walk(source, position, (_entry, size) => {
    events += 1;
    bytes += size;
    return true;
  });
  return { events, bytes };
}

/** Returns the position after which the waiting events are within the limits, and how many older ones are dropped. */
export async function boundedPosition(
  source: BacklogSource,
  position: JournalPlace,
  limits: BacklogLimits,
): Promise<{ readonly position: JournalPlace; readonly dropped: number }> {
  const left = { ...(await measureBacklog(source, position)) };
  let dropped = 0;
  let bounded = position;
  if (left.events <= limits.events && left.bytes <= limits.bytes) return { position, dropped };
  await walk(source, position, (entry, size) => {
    if (left.events <= limits.events && left.bytes <= limits.bytes) return false;
    left.events -= 1;
    left.bytes -= size;
    dropped += 1;
    bounded = { epoch: entry.epoch, seq: entry.seq };
    return true;
  });
  return { position: bounded, dropped };
}

/** Visits the waiting entries, oldest first, until the visitor returns false. */
async function walk(
  { store, isIncluded }: BacklogSource,
  position: JournalPlace,
  visit: (entry: JournalEntry, size: number) => boolean,
): Promise<void> {
  for (let from = position; ; ) {
    const entries = await store.journalAfter(from, PAGE);
    for (const entry of entries) {
      if (isIncluded(entry) && !visit(entry, JSON.stringify(entry.payload).length)) return;
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    from = { epoch: last.epoch, seq: last.seq };
  }
}

function isBefore(a: JournalPlace, b: JournalPlace): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);
}

/** Within an epoch places have no gaps, so what is missing was deleted. Between epochs the count is unknown. */
function missingBetween(before: JournalPlace, after: JournalPlace): number {
  return before.epoch === after.epoch ? after.seq - before.seq - 1 : 0;
}
