/** Takes over into a new database what is intact of a damaged one: of each key what is newest. */
import type { Level } from "level";
import { type Entry, LAST_KEY, type Proof, type Wreck } from "./entry.ts";
import { type FolderState, fileOf } from "./folder.ts";
import { readLog } from "./log-file.ts";
import type { TableInfo } from "./manifest.ts";
import { readTable } from "./table-file.ts";
import { readBatch, salvageBatch } from "./write-batch.ts";

const MAX_BATCH_BYTES = 256 * 1024;
/** Ranks order places by age: deeper levels below 0, then tables by number, then logs by record. */
const LOG_RANK = 1e12;
/** Beneath the deepest level. */
const UNRANKED = -100;

/** A damaged place; what was in it may have been newer than all of lower ranks. */
interface RankedWreck extends Wreck {
  readonly rank: number;
}

/** Answers the keys whose values may not be the newest, if asked to. What it writes is on disk with a later sync. */
export async function salvageFolder(
  folder: string,
  state: FolderState,
  target: Level<string, Uint8Array>,
  { isProven, isDoubted }: { readonly isProven: Proof; readonly isDoubted: boolean },
): Promise<{ readonly count: number; readonly doubtful: readonly string[] }> {
  const merge = new Merge(target, isProven, { isRanked: state.version !== null, isDoubted });
  for (const table of tablesOf(state)) await addTable(merge, folder, table, state, isProven);
  let rank = LOG_RANK;
  for (const name of state.logs) rank = await addLog(merge, folder, name, state, { rank, isProven });
  const missing = Object.keys(state.ends).some((name) => !state.logs.includes(name));
  const isLogGone = state.version !== null && state.logs.length === 0;
  // Without the list of its files nobody knows which of them were done with, and which are missing.
  if (state.version === null || missing || isLogGone) await merge.wreck(everything(Number.POSITIVE_INFINITY));
  return await merge.finish();
}

type RankedTable = Pick<TableInfo, "number" | "first" | "last"> & { readonly rank: number; readonly wreckRank: number };

/** Oldest first. */
function tablesOf({ version, tables }: FolderState): readonly RankedTable[] {
  if (version === null) {
    const unknown = { first: "", last: LAST_KEY, rank: UNRANKED, wreckRank: Number.POSITIVE_INFINITY };
    return [...tables.keys()].map((number) => ({ number, ...unknown }));
  }
  const ranked = version.tables.map(({ level, ...table }) => {
    const rank = level === 0 ? table.number : -level;
    // In a deeper level a key stands once; a table of the first may hold older values of it too.
    return { ...table, rank, wreckRank: level === 0 ? rank : rank - 0.5 };
  });
  return ranked.sort((one, other) => one.rank - other.rank);
}

async function addTable(
  merge: Merge,
  folder: string,
  { number, first, last, rank, wreckRank }: RankedTable,
  { tables }: FolderState,
  isProven: Proof,
): Promise<void> {
  const name = tables.get(number);
  const bytes = name === undefined ? null : await fileOf(folder, name);
  if (bytes === null) return await merge.wreck({ from: first, to: last, saved: [], rank: wreckRank });
  const { entries, wrecks } = readTable(bytes, { first, last }, isProven);
  let before: string | null = null;
  for (const entry of entries) {
    // The first of a key is its newest.
    if (entry.key !== before) await merge.add(entry, rank);
    before = entry.key;
  }
  for (const wreck of wrecks) await merge.wreck({ ...wreck, rank: wreckRank });
}

/** Answers the rank of what comes after. */
async function addLog(
  merge: Merge,
  folder: string,
  name: string,
  { ends }: FolderState,
  { rank: first, isProven }: { readonly rank: number; readonly isProven: Proof },
): Promise<number> {
  const { pieces, end, holes } = readLog((await fileOf(folder, name)) ?? new Uint8Array());
  let rank = first;
  let damaged = 0;
  for (const { bytes, isIntact } of pieces) {
    rank += 1;
    const entries = isIntact ? readBatch(bytes) : null;
    if (entries === null) {
      damaged += 1;
      await merge.wreck({ ...everything(rank), saved: salvageBatch(bytes, isProven) });
    } else for (const entry of entries) await merge.add(entry, rank);
  }
  const isCut = end < (ends[name] ?? 0);
  if (isCut || holes > damaged) await merge.wreck(everything(rank + 1));
  return rank + 1;
}

function everything(rank: number): RankedWreck {
  return { from: "", to: LAST_KEY, saved: [], rank };
}

type Put = { readonly type: "put"; readonly key: Buffer; readonly value: Uint8Array };
type Del = { readonly type: "del"; readonly key: Buffer };
const ENCODED = { keyEncoding: "buffer", valueEncoding: "view" } as const;

/** Entries come oldest first; where that is not known, by their sequence numbers. */
class Merge {
  readonly #target: Level<string, Uint8Array>;
  readonly #isProven: Proof;
  /** By key; null: entries come in order. */
  readonly #seqs: Map<string, number> | null;
  /** Where what is there of a key comes from; null: nobody asks. */
  readonly #ranks: Map<string, number> | null;
  readonly #wrecks: RankedWreck[] = [];
  readonly #late: Entry[] = [];
  #batch: (Put | Del)[] = [];
  #batchBytes = 0;
  #count = 0;

  constructor(
    target: Level<string, Uint8Array>,
    isProven: Proof,
    { isRanked, isDoubted }: { readonly isRanked: boolean; readonly isDoubted: boolean },
  ) {
    this.#target = target;
    this.#isProven = isProven;
    this.#seqs = isRanked ? null : new Map();
    this.#ranks = isDoubted ? new Map() : null;
  }

  async add({ key, seq, value }: Entry, rank: number): Promise<void> {
    if (this.#seqs !== null) {
      if (seq < (this.#seqs.get(key) ?? 0)) return;
      this.#seqs.set(key, seq);
    }
    await this.#write(key, value, rank);
  }

  async wreck(wreck: RankedWreck): Promise<void> {
    this.#wrecks.push(wreck);
    // Without an order of the files, what has no sequence number comes after all that has one.
    if (this.#seqs !== null) this.#late.push(...wreck.saved);
    else for (const entry of wreck.saved) await this.#save(entry, wreck.rank);
  }

  async finish(): Promise<{ readonly count: number; readonly doubtful: readonly string[] }> {
    for (const entry of this.#late) {
      const isRemoved = this.#seqs?.has(entry.key) === true && (await this.#get(entry.key)) === undefined;
      if (!isRemoved) await this.#save(entry, UNRANKED);
    }
    await this.#flush();
    return { count: this.#count, doubtful: this.#doubtful() };
  }

  /** A value whose place is damaged, unless there is one that says itself that it is newer. */
  async #save({ key, value }: Entry, rank: number): Promise<void> {
    if (value === null) return;
    const before = await this.#get(key);
    const age = before === undefined ? null : this.#isProven(key, before);
    if (age === null || age <= (this.#isProven(key, value) ?? age)) await this.#write(key, value, rank);
  }

  async #get(key: string): Promise<Uint8Array | undefined> {
    await this.#flush();
    return await this.#target.get<Buffer, Uint8Array>(Buffer.from(key, "latin1"), ENCODED);
  }

  async #write(key: string, value: Uint8Array | null, rank: number): Promise<void> {
    const name = Buffer.from(key, "latin1");
    this.#batch.push(value === null ? { type: "del", key: name } : { type: "put", key: name, value });
    if (value === null) this.#ranks?.delete(key);
    else this.#ranks?.set(key, rank);
    if (value !== null) this.#count += 1;
    this.#batchBytes += key.length + (value?.length ?? 0);
    if (this.#batchBytes > MAX_BATCH_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (batch.length > 0) await this.#target.batch<Buffer, Uint8Array>(batch, ENCODED);
  }

  #doubtful(): readonly string[] {
    const ranks = [...(this.#ranks ?? [])];
    const isDoubtful = (key: string, rank: number): boolean =>
      this.#wrecks.some((wreck) => wreck.rank >= rank && wreck.from <= key && key <= wreck.to);
    return ranks.flatMap(([key, rank]) => (isDoubtful(key, rank) ? [Buffer.from(key, "latin1").toString("utf8")] : []));
  }
}
