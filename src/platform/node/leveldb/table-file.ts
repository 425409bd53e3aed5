/** LevelDB's tables: sorted blocks, each with a checksum, an index of them, and where that is. */
import { ByteCursor, sortable } from "./byte-cursor.ts";
import { addByte, crc32c, masked, NO_BYTES } from "./crc32c.ts";
import type { Entry, Proof, Wreck } from "./entry.ts";
import { unsnap } from "./snappy.ts";

const FOOTER = 48;
const MAGIC = "57fb808b247547db";
/** Type and checksum behind a block. */
const TRAILER = 5;
const KEY_TRAILER = 8;
const [PLAIN, SNAPPY] = [0, 1] as const;
/** Blocks are 4 kB, and as long as their last value. */
const MAX_BLOCK = 1024 * 1024;
const USUAL_BLOCK = 8 * 1024;
/** Where its entries begin, and how many. */
const MIN_BLOCK = 8;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

interface IndexedBlock extends Handle {
  /** No key of the block is larger. */
  readonly last: string;
}

export interface TableContent {
  readonly entries: readonly Entry[];
  readonly wrecks: readonly Wreck[];
  /** Its data may be all there while its index is not. */
  readonly isWhole: boolean;
}

/** Whether every block of a table is what was written. */
export function isWholeTable(bytes: Uint8Array): boolean {
  const footer = readFooter(bytes);
  if (footer === null || !isIntact(bytes, footer.meta) || !isIntact(bytes, footer.index)) return false;
  const blocks = readIndex(bytes, footer.index);
  const filters = readHandles(bytes, footer.meta);
  return blocks !== null && filters !== null && [...blocks, ...filters].every((handle) => isIntact(bytes, handle));
}

/** All that can be read of a table whose keys are in [first, last], newest first where a key has several values. */
export function readTable(
  bytes: Uint8Array,
  { first, last }: { readonly first: string; readonly last: string },
  isProven: Proof,
): TableContent {
  const footer = readFooter(bytes);
  const blocks = footer === null || !isIntact(bytes, footer.index) ? null : readIndex(bytes, footer.index);
  if (blocks === null) return withoutIndex(bytes, { first, last }, isProven);
  const entries: Entry[] = [];
  const wrecks: Wreck[] = [];
  let from = first;
  for (const block of blocks) {
    const content = isIntact(bytes, block) ? contentOf(bytes, block) : null;
    const read = content === null ? null : readEntries(content);
    if (read !== null) entries.push(...read);
    else {
      const place = bytes.subarray(block.offset, block.offset + block.size);
      wrecks.push({ from, to: block.last, saved: salvage(place, isProven) });
    }
    from = block.last;
  }
  return { entries, wrecks, isWhole: isWholeTable(bytes) };
}

/** Finds the blocks by their checksums, up to those that stand behind all data: filter, metaindex, index. */
function withoutIndex(
  bytes: Uint8Array,
  { first, last }: { readonly first: string; readonly last: string },
  isProven: Proof,
): TableContent {
  const entries: Entry[] = [];
  const wrecks: Wreck[] = [];
  let open: { readonly from: string; readonly saved: Entry[] } | null = null;
  let at = 0;
  let isEnd = false;
  while (at < bytes.length && !isEnd) {
    const size = blockSize(bytes, at, MAX_BLOCK);
    const read = size === null ? [] : dataOf(contentOf(bytes, { offset: at, size }), isProven);
    const [head] = read ?? [];
    isEnd = read === null;
    if (size !== null && head !== undefined) {
      if (open !== null) wrecks.push({ ...open, to: head.key });
      open = null;
      entries.push(...(read ?? []));
      at += size + TRAILER;
    } else if (!isEnd) {
      open ??= { from: entries.at(-1)?.key ?? first, saved: [] };
      const end = gapEnd(bytes, at);
      open.saved.push(...salvage(bytes.subarray(at, end), isProven));
      at = end;
    }
  }
  const end = entries.at(-1)?.key ?? first;
  if (end !== last && (open !== null || !isEnd)) wrecks.push({ from: end, saved: [], ...open, to: last });
  return { entries, wrecks, isWhole: false };
}

/** Null for a block that holds no data. */
function dataOf(content: Uint8Array | null, isProven: Proof): readonly Entry[] | null {
  const entries = content === null ? null : readEntries(content);
  const puts = entries?.filter(({ value }) => value !== null) ?? [];
  const isData = puts.length === 0 || puts.some(({ key, value }) => value !== null && isProven(key, value) !== null);
  return entries === null || entries.length === 0 || !isData ? null : entries;
}

/** The size of the block that begins here; null when no end within `limit` bears its checksum. */
function blockSize(bytes: Uint8Array, from: number, limit: number): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = Math.min(bytes.length - TRAILER, from + limit);
  let crc = NO_BYTES;
  for (let at = from; at <= end; at++) {
    const next = addByte(crc, bytes[at] ?? 0);
    const isType = bytes[at] === PLAIN || bytes[at] === SNAPPY;
    if (isType && at - from >= MIN_BLOCK && view.getUint32(at + 1, true) === masked(~next >>> 0)) return at - from;
    crc = next;
  }
  return null;
}

/** Where the next block begins; the end when there is none. */
function gapEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at + TRAILER + MIN_BLOCK <= bytes.length; at++) {
    if (blockSize(bytes, at, USUAL_BLOCK) !== null) return at;
  }
  return bytes.length;
}

function readFooter(bytes: Uint8Array): { readonly meta: Handle; readonly index: Handle } | null {
  const footer = bytes.subarray(Math.max(0, bytes.length - FOOTER));
  if (Buffer.from(footer.subarray(FOOTER - MAGIC.length / 2)).toString("hex") !== MAGIC) return null;
  const cursor = new ByteCursor(footer);
  const meta = handleAt(cursor);
  const index = handleAt(cursor);
  return cursor.isBroken ? null : { meta, index };
}

function handleAt(cursor: ByteCursor): Handle {
  return { offset: cursor.varint(), size: cursor.varint() };
}

function isIntact(bytes: Uint8Array, { offset, size }: Handle): boolean {
  const end = offset + size;
  if (end + TRAILER > bytes.length) return false;
  const stored = new DataView(bytes.buffer, bytes.byteOffset + end + 1, 4).getUint32(0, true);
  return masked(crc32c(bytes, offset, end + 1)) === stored;
}

/** Null when it does not unpack. */
function contentOf(bytes: Uint8Array, { offset, size }: Handle): Uint8Array | null {
  const content = bytes.subarray(offset, offset + size);
  if (bytes[offset + size] !== SNAPPY) return content;
  const unpacked = unsnap(content);
  return unpacked.isWhole ? unpacked.bytes : null;
}

function readIndex(bytes: Uint8Array, handle: Handle): readonly IndexedBlock[] | null {
  const content = contentOf(bytes, handle);
  const entries = content === null ? null : readPairs(content);
  if (entries === null) return null;
  return entries.map(({ key, value }) => ({ last: userKey(key), ...handleAt(new ByteCursor(value)) }));
}

function readHandles(bytes: Uint8Array, handle: Handle): readonly Handle[] | null {
  const content = contentOf(bytes, handle);
  const entries = content === null ? null : readPairs(content);
  return entries?.map(({ value }) => handleAt(new ByteCursor(value))) ?? null;
}

function readEntries(content: Uint8Array): readonly Entry[] | null {
  const pairs = readPairs(content);
  if (pairs === null || !pairs.every(({ key }) => isInternal(key))) return null;
  return pairs.map(({ key, value }) => entryOf(key, value));
}

interface Pair {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Null when the block is not to be read to its end. */
function readPairs(content: Uint8Array): readonly Pair[] | null {
  if (content.length < 4) return null;
  const restarts = new ByteCursor(content, content.length - 4).uint32();
  const end = content.length - 4 * (restarts + 1);
  if (end < 0) return null;
  const cursor = new ByteCursor(content.subarray(0, end));
  const pairs: Pair[] = [];
  let before = "";
  while (!cursor.isAtEnd) {
    const pair = pairAt(cursor, before);
    if (pair === null) return null;
    pairs.push(pair);
    before = pair.key;
  }
  return pairs;
}

function pairAt(cursor: ByteCursor, before: string): Pair | null {
  const shared = cursor.varint();
  const own = cursor.varint();
  const size = cursor.varint();
  const key = before.slice(0, shared) + sortable(cursor.take(own));
  const value = cursor.take(size);
  return cursor.isBroken || shared > before.length ? null : { key, value };
}

function isInternal(key: string): boolean {
  return key.length >= KEY_TRAILER && key.charCodeAt(key.length - KEY_TRAILER) <= 1;
}

function userKey(internal: string): string {
  return internal.slice(0, Math.max(0, internal.length - KEY_TRAILER));
}

function entryOf(internal: string, value: Uint8Array): Entry {
  const trailer = Buffer.from(internal.slice(internal.length - KEY_TRAILER), "latin1");
  const seq = new ByteCursor(trailer, 1);
  const type = trailer[0] ?? 0;
  return { key: userKey(internal), seq: seq.uint56(), value: type === 0 ? null : value };
}

/** The values of a damaged block, packed or not, that are what was written. */
function salvage(bytes: Uint8Array, isProven: Proof): readonly Entry[] {
  return [bytes, unsnap(bytes).bytes].flatMap((content) => salvageEntries(content, isProven));
}

function salvageEntries(content: Uint8Array, isProven: Proof): readonly Entry[] {
  const saved: Entry[] = [];
  // A key begins as the one before it; after one that is damaged, the last that was whole may do.
  let before: readonly string[] = [""];
  for (let at = 0; at < content.length; ) {
    const tries = before.map((key) => {
      const cursor = new ByteCursor(content, at);
      return { pair: pairAt(cursor, key), next: cursor.at };
    });
    const found = tries.find(({ pair }) => pair !== null && isInternal(pair.key) && isSaved(pair, isProven));
    if (found?.pair != null) {
      saved.push(entryOf(found.pair.key, found.pair.value));
      before = [found.pair.key];
      at = found.next;
    } else {
      const [first] = before;
      const damaged = tries.find(({ pair }) => pair !== null && isInternal(pair.key))?.pair?.key;
      if (damaged !== undefined) before = [first ?? "", damaged];
      at += 1;
    }
  }
  return saved;
}

function isSaved({ key, value }: Pair, isProven: Proof): boolean {
  return isProven(userKey(key), value) !== null;
}
