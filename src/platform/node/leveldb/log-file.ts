/** LevelDB's log format, in which its log and its manifest are: records in fragments, in blocks of 32 KiB. */
import { crc32c, masked } from "./crc32c.ts";

const BLOCK = 32_768;
const HEADER = 7;
/** Between first and last there are middle ones, of type 3. */
const [FULL, FIRST, LAST] = [1, 2, 4] as const;

/** A record, or what stands where one was. */
export interface LogPiece {
  readonly bytes: Uint8Array;
  /** False: a checksum says that it is not what was written. */
  readonly isIntact: boolean;
}

export interface LogContent {
  readonly pieces: readonly LogPiece[];
  /** Places where something else stands than what was written; LevelDB reads nothing behind one up to the next block. */
  readonly holes: number;
  /** Where the last intact record ends; behind it there is nothing, or what a cut left of a write. */
  readonly end: number;
}

interface Fragment {
  readonly type: number;
  readonly bytes: Uint8Array;
  readonly next: number;
}

export function readLog(bytes: Uint8Array): LogContent {
  const reader = new LogReader();
  let holes = 0;
  let at = 0;
  while (at < bytes.length) {
    const blockEnd = Math.min(at - (at % BLOCK) + BLOCK, bytes.length);
    if (blockEnd - at < HEADER) {
      at = blockEnd;
      continue;
    }
    const found = fragmentAt(bytes, at, blockEnd);
    if (found !== null) {
      reader.add(found, true);
      at = found.next;
      continue;
    }
    const next = nextFragment(bytes, at, blockEnd);
    if (next === bytes.length && isCut(bytes, at)) break;
    holes += 1;
    reader.add(damagedFragment(bytes, at, next), next - at > HEADER && isRight(bytes, at, next));
    at = next;
  }
  return reader.content(holes);
}

/** Null when there is none whose checksum holds. */
function fragmentAt(bytes: Uint8Array, at: number, blockEnd: number): Fragment | null {
  const type = bytes[at + 6] ?? 0;
  const length = (bytes[at + 4] ?? 0) + (bytes[at + 5] ?? 0) * 256;
  const next = at + HEADER + length;
  if (type < FULL || type > LAST || next > blockEnd) return null;
  return isRight(bytes, at, next) ? { type, bytes: bytes.subarray(at + HEADER, next), next } : null;
}

function isRight(bytes: Uint8Array, at: number, next: number): boolean {
  const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
  return masked(crc32c(bytes, at + 6, next)) === stored;
}

/** Where the next intact fragment begins; the next block, or the end, when this block has none. */
function nextFragment(bytes: Uint8Array, from: number, blockEnd: number): number {
  for (let at = from + 1; at + HEADER <= blockEnd; at++) {
    if (fragmentAt(bytes, at, blockEnd) !== null) return at;
  }
  return blockEnd;
}

/** A write that did not get as far as the disk: the file ends within it, or is zero from here on. */
function isCut(bytes: Uint8Array, at: number): boolean {
  if (bytes.subarray(at).every((byte) => byte === 0)) return true;
  const length = (bytes[at + 4] ?? 0) + (bytes[at + 5] ?? 0) * 256;
  const type = bytes[at + 6] ?? 0;
  const goesOn = at + HEADER + length > bytes.length && (at % BLOCK) + HEADER + length <= BLOCK;
  // All of it is here when the checksum holds for what there is: then its length is damaged.
  return type >= FULL && type <= LAST && goesOn && !isRight(bytes, at, bytes.length);
}

/** What stands between two fragments; whole when nothing but its length was damaged. */
function damagedFragment(bytes: Uint8Array, at: number, next: number): Fragment {
  const type = bytes[at + 6] ?? 0;
  return { type, bytes: bytes.subarray(Math.min(at + HEADER, next), next), next };
}

/** Puts fragments together. */
class LogReader {
  readonly #pieces: LogPiece[] = [];
  #open: { readonly parts: Uint8Array[]; isIntact: boolean } | null = null;
  #end = 0;

  add({ type, bytes, next }: Fragment, isIntact: boolean): void {
    const begins = type === FULL || type === FIRST;
    if (begins || this.#open === null) {
      this.#close(false);
      this.#open = { parts: [], isIntact: begins };
    }
    if (this.#open === null) return;
    this.#open.parts.push(bytes);
    this.#open.isIntact &&= isIntact;
    if (type === FULL || type === LAST || (!isIntact && (type < FULL || type > LAST))) {
      this.#close(true);
      if (isIntact) this.#end = next;
    }
  }

  content(holes: number): LogContent {
    // A record without its end was being written, unless something in it is damaged.
    if (this.#open?.isIntact === false) this.#close(false);
    return { pieces: this.#pieces, holes, end: this.#end };
  }

  #close(isEnded: boolean): void {
    if (this.#open === null) return;
    const { parts, isIntact } = this.#open;
    this.#pieces.push({ bytes: Buffer.concat(parts), isIntact: isIntact && isEnded });
    this.#open = null;
  }
}
