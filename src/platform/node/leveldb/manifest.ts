/** LevelDB's manifest: which tables the database consists of, and from which log on. */
import { ByteCursor, sortable } from "./byte-cursor.ts";
import { readLog } from "./log-file.ts";

export interface TableInfo {
  readonly number: number;
  /** 0: tables may overlap, the one of the highest number is the newest; the deeper, the older. */
  readonly level: number;
  readonly size: number;
  /** Its first and last key, as `sortable` gives them. */
  readonly first: string;
  readonly last: string;
}

export interface Version {
  /** Logs of lower numbers are in the tables. */
  readonly logNumber: number;
  readonly tables: readonly TableInfo[];
  /** Where its last record ends. */
  readonly end: number;
}

const COMPARATOR = "leveldb.BytewiseComparator";
/** An internal key is a key with sequence number and type behind it. */
const TRAILER = 8;

/** Null when a record of it is not what was written, or the first ones are missing. */
export function readManifest(bytes: Uint8Array): Version | null {
  const { pieces, holes, end } = readLog(bytes);
  const state: State = { comparator: "", logNumber: null, hasRest: 0, tables: new Map() };
  if (holes > 0 || !pieces.every(({ bytes: edit, isIntact }) => isIntact && applyEdit(state, edit))) return null;
  const { comparator, logNumber, hasRest, tables } = state;
  if (comparator !== COMPARATOR || logNumber === null || hasRest !== 3) return null;
  return { logNumber, tables: [...tables.values()], end };
}

interface State {
  comparator: string;
  logNumber: number | null;
  /** Next file number and last sequence number were both there. */
  hasRest: number;
  readonly tables: Map<number, TableInfo>;
}

function applyEdit(state: State, edit: Uint8Array): boolean {
  const cursor = new ByteCursor(edit);
  while (!cursor.isAtEnd && !cursor.isBroken) applyField(state, cursor);
  return !cursor.isBroken;
}

function applyField(state: State, cursor: ByteCursor): void {
  const tag = cursor.varint();
  if (tag === 1) state.comparator = sortable(cursor.slice());
  else if (tag === 2) state.logNumber = cursor.varint();
  else if (tag === 3 || tag === 4) {
    cursor.varint();
    state.hasRest |= tag - 2;
  } else if (tag === 9) cursor.varint();
  else if (tag === 5) {
    cursor.varint();
    cursor.slice();
  } else if (tag === 6) {
    cursor.varint();
    state.tables.delete(cursor.varint());
  } else if (tag === 7) {
    const level = cursor.varint();
    const number = cursor.varint();
    const size = cursor.varint();
    state.tables.set(number, { level, number, size, first: userKey(cursor.slice()), last: userKey(cursor.slice()) });
  } else cursor.isBroken = true;
}

function userKey(internal: Uint8Array): string {
  return sortable(internal.subarray(0, Math.max(0, internal.length - TRAILER)));
}
