/** The records of LevelDB's log: a sequence number, a count, and as many puts and removals. */
import { ByteCursor, sortable } from "./byte-cursor.ts";
import type { Entry, Proof } from "./entry.ts";

/** Null when it is not to be read to its end. */
export function readBatch(bytes: Uint8Array): readonly Entry[] | null {
  const cursor = new ByteCursor(bytes);
  const first = cursor.uint64();
  const count = cursor.uint32();
  const entries: Entry[] = [];
  while (!cursor.isAtEnd && !cursor.isBroken) {
    const entry = entryAt(cursor, first + entries.length);
    if (entry === null) return null;
    entries.push(entry);
  }
  return cursor.isBroken || entries.length !== count ? null : entries;
}

/** The puts of a damaged batch whose values are what was written. */
export function salvageBatch(bytes: Uint8Array, isProven: Proof): readonly Entry[] {
  const saved: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const cursor = new ByteCursor(bytes, at);
    const entry = bytes[at] === 1 ? entryAt(cursor, 0) : null;
    const isSaved = entry !== null && entry.value !== null && isProven(entry.key, entry.value) !== null;
    if (isSaved) saved.push(entry);
    at = isSaved ? cursor.at : at + 1;
  }
  return saved;
}

function entryAt(cursor: ByteCursor, seq: number): Entry | null {
  const type = cursor.byte();
  if (type > 1) return null;
  const key = sortable(cursor.slice());
  const value = type === 1 ? cursor.slice() : null;
  return cursor.isBroken ? null : { key, seq, value };
}
