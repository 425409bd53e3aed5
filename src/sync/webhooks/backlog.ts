/** What waits for a webhook. It is not kept anywhere of its own: it is what the journal holds after a position. */

import type { JournalPlace } from "../../store/records/webhooks.ts";
import type { JournalEntry } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

/** Bounds of what waits (rule S1.6); the oldest goes first. */
export interface BacklogLimits {
  readonly events: number;
  readonly bytes: number;
}
export const BACKLOG_LIMITS: BacklogLimits = { events: 10_000, bytes: 10 * 1024 * 1024 };

/** Events in one delivery (rule S1.5), and the size at which it is full before that. */
const MAX_BATCH_EVENTS = 100;
const MAX_BATCH_CHARACTERS = 512 * 1024;
/** Entries read at a time, so that nothing else waits long for their JSON. */
const PAGE = 200;

export interface BacklogSource {
  readonly store: Pick<Store, "journalAfter">;
  /** Whether the webhook is to be told of an entry. */
  wants(entry: JournalEntry): boolean;
}

export interface Batch {
  readonly texts: readonly string[];
  /** Everything up to here is in the batch, or was not for the webhook. */
  readonly end: JournalPlace;
  /** Entries after the position that left the journal before they were read. */
  readonly lost: number;
}

/**
 * The next batch after a position, up to a place (null: no bound). No texts: nothing waits up to `end`. `textOf` answers
 * null for what the webhook's version has nothing of.
 */
export async function nextBatch(
  { store, wants }: BacklogSource,
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
      const text = wants(entry) ? textOf(entry) : null;
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

/** How many events wait after a position, and how large they are as JSON. */
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

/** The position from which the newest events within the limits wait, and how many older ones that leaves out. */
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

/** Visits what waits, oldest first, until the visitor answers false. */
async function walk(
  { store, wants }: BacklogSource,
  position: JournalPlace,
  visit: (entry: JournalEntry, size: number) => boolean,
): Promise<void> {
  for (let from = position; ; ) {
    const entries = await store.journalAfter(from, PAGE);
    for (const entry of entries) {
      if (wants(entry) && !visit(entry, JSON.stringify(entry.payload).length)) return;
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    from = { epoch: last.epoch, seq: last.seq };
  }
}

function isBefore(a: JournalPlace, b: JournalPlace): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);
}

/** Within an epoch places have no gaps: what is missing was pruned. Between epochs nobody can tell. */
function missingBetween(before: JournalPlace, after: JournalPlace): number {
  return before.epoch === after.epoch ? after.seq - before.seq - 1 : 0;
}
