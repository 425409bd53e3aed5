/** The critical database: records in memory, commits, journal. Control depends on it. */
import type { Clock, Database, Disk, Log, Random } from "../platform/ports.ts";
import { StorageError, storageErrorOf } from "../platform/storage-error.ts";
import { CommitQueue, type CommitTarget } from "./commit-queue.ts";
import { type CriticalImage, readCritical } from "./critical-image.ts";
import { type Operation, writeSynced } from "./database.ts";
import { type Place, sealJson } from "./envelope.ts";
import {
  encodeEntry,
  JOURNAL_LIMITS,
  type JournalSize,
  measureJournal,
  oldestEntries,
  readJournal,
  sealEntry,
} from "./journal.ts";
import { EPOCH_KEY, SCHEMA_KEY } from "./keys.ts";
import { LiveDatabase } from "./live-database.ts";
import { type Migration, migrate } from "./migrations.ts";
import { Outbox, type OutboxParts } from "./outbox/outbox.ts";
import type { OutboxChange } from "./outbox/outbox-ledger.ts";
import { differences } from "./reconcile.ts";
import type { JournalEntry, Write } from "./records.ts";
import { clearTraces, sealAll } from "./sealing.ts";
import type { NewJournalEntry } from "./store.ts";
import { StoredRecords } from "./stored-records.ts";
import { encodeWrite, type MemoryTables } from "./tables.ts";

/** The journal's entry that says what was found damaged. Its payload: `details`, in words. */
const RECOVERED_EVENT = "system:store:recovered";
const PRUNE_BATCH = 500;
const NOWHERE: Place = { epoch: 0, seq: 0 };

export interface CriticalOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  readonly migrations: readonly Migration[];
  readonly random: Pick<Random, "secretBytes">;
  /** See `StoreOptions.secretKeys`. */
  readonly secretKeys: readonly Uint8Array[];
  /** Told in words what was damaged and where it is kept. */
  onRecovered(what: string): void;
  /** See `StoreOptions.routes`. */
  readonly routes?: OutboxParts["routes"];
}

export class Critical implements CommitTarget, AsyncDisposable {
  readonly records: StoredRecords;
  readonly outbox: Outbox;
  place: Place = NOWHERE;
  readonly #options: CriticalOptions;
  readonly #live: LiveDatabase;
  readonly #queue: CommitQueue;
  /** What is to be journaled with the next adoption. */
  #notices: string[] = [];
  #wasReplaced = false;
  #knownEpoch = 0;
  readonly #watchers = new Set<() => void>();
  /** Null until the journal was measured once. */
  #measured: JournalSize | null = null;
  #grown: JournalSize = { count: 0, bytes: 0 };

  constructor(options: CriticalOptions) {
    this.#options = options;
    this.records = new StoredRecords({ keys: options.secretKeys, random: options.random });
    this.#live = new LiveDatabase({
      ...options,
      name: "critical",
      adopt: (database) => this.#adopt(database),
      onDamage: (what) => {
        this.#wasReplaced = true;
        this.#notice(what);
      },
    });
    this.#queue = new CommitQueue(options.clock, this);
    this.outbox = new Outbox({
      ...options,
      routes: options.routes ?? (() => []),
      current: () => this.#live.current(),
      add: (outbox) => this.#queue.add({ writes: [], entries: [], removals: [], outbox }),
      addAlong: (about, plan) => this.#queue.planAlong(about, plan),
      dropAlong: () => this.#queue.dropPlansAlong(),
    });
  }

  get tables(): MemoryTables {
    return this.records.tables;
  }

  get ledger(): Outbox["ledger"] {
    return this.outbox.ledger;
  }

  get isWritable(): boolean {
    return this.#live.isOpen;
  }

  /** Opens and begins a new epoch, larger than `knownEpoch`, which another database remembers. */
  start(knownEpoch: number, signal: AbortSignal): Promise<void> {
    this.#knownEpoch = knownEpoch;
    return this.#live.start(signal);
  }

  commit(writes: readonly Write[], journal: readonly NewJournalEntry[]): Promise<void> {
    const atMs = this.#options.clock.nowMs();
    const entries = journal.map((entry) => encodeEntry(entry, atMs));
    const outbox = journal.flatMap((entry, index) => this.outbox.changesFor(entry, entries[index] ?? ""));
    return this.#queue.add({ writes: writes.map(encodeWrite), entries, removals: [], outbox });
  }

  /** See `Store.commitAlong`. */
  commitAlong(writes: readonly Write[]): void {
    this.#queue.addAlong(writes.map(encodeWrite));
  }

  /** See `Store.watchJournal`. */
  watchJournal(listener: () => void): Disposable {
    const own = (): void => listener();
    this.#watchers.add(own);
    return { [Symbol.dispose]: () => void this.#watchers.delete(own) };
  }

  /** Journals what was found damaged elsewhere, now or when this database opens. */
  report(what: string): void {
    this.#notice(what);
    if (!this.isWritable) return;
    const notices = this.#notices;
    this.#notices = [];
    void this.commit([], [recoveredEntry(notices)]).catch(() => {
      this.#notices = [...notices, ...this.#notices];
    });
  }

  write(operations: readonly Operation[]): Promise<void> {
    return this.#live.write(operations);
  }

  journaled(count: number, bytes: number): void {
    this.#grown = { count: this.#grown.count + count, bytes: this.#grown.bytes + bytes };
  }

  grew(): void {
    for (const watcher of this.#watchers) watcher();
  }

  async journalAfter(position: Place | null, limit: number): Promise<readonly JournalEntry[]> {
    const range = { from: position, upTo: this.place, limit };
    try {
      const { entries, damaged } = await readJournal(this.#live.current(), range);
      if (damaged.length > 0) this.#options.log.error({ keys: damaged }, "journal entries are damaged and left out");
      return entries;
    } catch (error) {
      throw storageErrorOf(error, "the journal cannot be read");
    }
  }

  /** Removes the oldest journal entries beyond the limits. */
  async pruneJournal(limits: JournalSize = JOURNAL_LIMITS): Promise<void> {
    const size = await this.#journalSize();
    if (size.count <= limits.count && size.bytes <= limits.bytes) return;
    for (let left = size; ; ) {
      const { keys, bytes } = await oldestEntries(this.#live.current(), left, limits, PRUNE_BATCH);
      if (keys.length === 0) return;
      await this.#queue.add({ writes: [], entries: [], removals: keys });
      left = { count: left.count - keys.length, bytes: left.bytes - bytes };
      this.journaled(-keys.length, -bytes);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue[Symbol.asyncDispose]();
    await this.#live[Symbol.asyncDispose]();
  }

  async #journalSize(): Promise<JournalSize> {
    if (this.#measured === null) {
      this.#grown = { count: 0, bytes: 0 };
      this.#measured = await measureJournal(this.#live.current());
    }
    return {
      count: this.#measured.count + this.#grown.count,
      bytes: this.#measured.bytes + this.#grown.bytes,
    };
  }

  /** Takes a database that was just opened: the first one is read, each later one is made to say what memory says. */
  async #adopt(database: Database): Promise<void> {
    if (this.place === NOWHERE) await this.#load(database);
    const found = await differences(database, this.records, this.place);
    if (!found.hasNewestEntry) this.#options.log.error({ place: this.place }, "the newest journal entry is missing");
    for (const key of found.damaged) this.#notice(`${key}: not what was written; its bytes are kept`);
    const notices = this.#notices;
    const place = { epoch: this.place.epoch, seq: this.place.seq + Math.min(notices.length, 1) };
    const lacking = await this.outbox.adopt(database);
    const told = this.#noticed(notices, place);
    const staged = this.ledger.stage([...lacking, ...told.outbox], place);
    await writeSynced(database, [
      ...found.operations,
      ...told.operations,
      ...staged.operations,
      ...clearTraces(this.records.codec, found),
      counter(SCHEMA_KEY, place, this.#options.migrations.length),
      counter(EPOCH_KEY, place, place.epoch),
    ]);
    staged.settle();
    this.place = place;
    this.#notices = [];
    this.#measured = null;
    await sealAll(database, this.records.codec, { place, log: this.#options.log });
  }

  /** Reads the records and begins a new epoch. */
  async #load(database: Database): Promise<void> {
    const image = await readCritical(database, this.records.codec);
    for (const record of image.locked) this.records.lock(record);
    const { migrations, log } = this.#options;
    const version = image.version ?? migrations.length;
    if (image.version === null) this.#notice(`${SCHEMA_KEY}: damaged, taken as ${version}`);
    for (const { table, key, record } of migrate(image.rows, version, migrations)) {
      if (this.tables.has(table)) this.tables.put(table, key, record);
    }
    if (version !== migrations.length) log.info({ from: version, to: migrations.length }, "store layout brought up");
    this.place = { epoch: this.#nextEpoch(image), seq: 0 };
    if (image.failure === null) return;
    throw new StorageError("damaged", `not readable to its end, ${image.rows.length} records saved`, {
      cause: image.failure,
    });
  }

  /** Larger than every epoch before, even when the database that counted them is lost. */
  #nextEpoch(image: CriticalImage): number {
    const seconds = this.#wasReplaced ? Math.floor(this.#options.clock.nowMs() / 1_000) : 0;
    return Math.max(image.epoch, this.#knownEpoch, seconds) + 1;
  }

  #noticed(
    notices: readonly string[],
    place: Place,
  ): { readonly operations: readonly Operation[]; readonly outbox: readonly OutboxChange[] } {
    if (notices.length === 0) return { operations: [], outbox: [] };
    const entry = recoveredEntry(notices);
    const json = encodeEntry(entry, this.#options.clock.nowMs());
    return {
      operations: [{ type: "put", ...sealEntry(place, json) }],
      outbox: this.outbox.changesFor(entry, json),
    };
  }

  #notice(what: string): void {
    this.#notices = [...this.#notices, what];
    this.#options.onRecovered(what);
  }
}

function recoveredEntry(details: readonly string[]): NewJournalEntry {
  return { event: RECOVERED_EVENT, payload: { details } };
}

function counter(key: string, place: Place, value: number): Operation {
  return { type: "put", key, value: sealJson(key, place, value) };
}
