/** The critical database: records in memory, commits and journal. Control depends on it. */
import { Listeners } from "../platform/listeners.ts";
import type { Clock, Database, Disk, Log, Random, Salvage } from "../platform/ports/ports.ts";
import { StorageError, storageErrorOf } from "../platform/ports/storage-error.ts";
import { CommitQueue, type CommitTarget } from "./commit-queue.ts";
import { copyPaceOf } from "./copied-tables.ts";
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
import { loadCritical } from "./load-critical.ts";
import { lossOf, surplusLosses } from "./losses.ts";
import type { Migration } from "./migrations.ts";
import { Outbox, type OutboxParts } from "./outbox/outbox.ts";
import type { OutboxChange } from "./outbox/outbox-ledger.ts";
import { differences } from "./reconcile.ts";
import type { JournalEntry, Write } from "./records.ts";
import { salvageText, withCaution } from "./salvage.ts";
import { clearTraces, sealAll } from "./sealing.ts";
import { SecondCopy } from "./second-copy.ts";
import type { NewJournalEntry, Urgency } from "./store.ts";
import { changesAt, StoredRecords } from "./stored-records.ts";
import { type EncodedWrite, encodeWrite, type MemoryTables } from "./tables.ts";

/** The journal entry that reports damage. Its payload: `details`, texts for people. */
const RECOVERED_EVENT = "system:store:recovered";
const PRUNE_BATCH = 500;
const NOWHERE: Place = { epoch: 0, seq: 0 };

export interface CriticalOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  readonly migrations: readonly Migration[];
  readonly random: Pick<Random, "secretBytes" | "uuid">;
  /** See `StoreOptions.secretKeys`. */
  readonly secretKeys: readonly Uint8Array[];
  /** Called with a text for people: what was damaged and where the original is kept. */
  onRecovered(what: string): void;
  /** See `StoreOptions.routes`. */
  readonly routes?: OutboxParts["routes"];
}

/** Returns the epoch that another database remembers. `isLost`: this database's own epoch may be too small. */
type KnownEpoch = (isLost: boolean) => Promise<number>;

/** Opens, reads and writes the critical database. */
export class Critical implements CommitTarget, AsyncDisposable {
  readonly records: StoredRecords;
  readonly outbox: Outbox;
  readonly copy: SecondCopy;
  place: Place = NOWHERE;
  readonly #options: CriticalOptions;
  readonly #live: LiveDatabase;
  readonly #queue: CommitQueue;
  /** Damage to be journaled with the next adoption. */
  #notices: string[] = [];
  #wasReplaced = false;
  #knownEpoch: KnownEpoch = async () => 0;
  readonly #watchers = new Listeners<[]>();
  /** `null` until the journal was measured. */
  #measured: JournalSize | null = null;
  #grown: JournalSize = { count: 0, bytes: 0 };
  /** What the wall clock was ahead of the monotonic one when it was known to be right; `null` before. */
  #clockOffsetMs: number | null = null;

  constructor(options: CriticalOptions) {
    this.#options = options;
    this.records = new StoredRecords({ keys: options.secretKeys, random: options.random });
    this.copy = new SecondCopy({
      ...options,
      file: options.disk.copy,
      records: this.records,
      layout: options.migrations.length,
      place: () => this.place,
    });
    this.#live = new LiveDatabase({
      ...options,
      name: "critical",
      adopt: (database, salvage) => this.#adopt(database, salvage),
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

  /** Opens the database and starts a new epoch, larger than `knownEpoch`, which the telemetry database remembers. */
  async start(knownEpoch: KnownEpoch, signal: AbortSignal): Promise<void> {
    this.#knownEpoch = knownEpoch;
    await this.#live.start(signal);
    await this.copy.renew();
  }

  /**
   * Commits writes and journal entries, see `Store.commit`. A removal of something that people set is also removed from
   * the second copy when the promise resolves, unless the disk refuses that.
   */
  commit(writes: readonly Write[], journal: readonly NewJournalEntry[], urgency?: Urgency): Promise<void> {
    const added = this.#add(writes, journal, urgency);
    const isFollowed = writes.some((write) => "remove" in write && copyPaceOf(write.table) === "seconds");
    return isFollowed ? added.then(() => this.copy.flush()) : added;
  }

  #add(writes: readonly Write[], journal: readonly NewJournalEntry[], urgency?: Urgency): Promise<void> {
    const { clock } = this.#options;
    const shown = journal.filter(({ userId = "" }) => this.tables.get("user", userId)?.isDeauthorized !== true);
    const entries = shown.map((entry) => encodeEntry(entry, clock));
    const outbox = shown.flatMap((entry, index) => this.outbox.changesFor(entry, entries[index] ?? ""));
    const isUrgent = urgency === "urgent";
    return this.#queue.add({ writes: writes.map(encodeWrite), entries, removals: [], outbox, isUrgent });
  }

  /** See `Store.commitAlong`. */
  commitAlong(writes: readonly Write[]): void {
    this.#queue.addAlong(writes.map(encodeWrite));
  }

  /** The open database. Throws a `StorageError("refused")` while there is none. */
  get database(): Database {
    return this.#live.current();
  }

  /** Writes what `commitAlong` left waiting. Rejects with a `StorageError`. */
  writeAlong(): Promise<void> {
    return this.#queue.add({ writes: [], entries: [], removals: [] });
  }

  /** See `Store.watchJournal`. */
  watchJournal(listener: () => void): Disposable {
    return this.#watchers.subscribe(listener);
  }

  /** Journals damage of another database, now or when this one opens. */
  report(what: string): void {
    this.#notice(what);
    if (!this.isWritable) return;
    const notices = this.#notices;
    this.#notices = [];
    const losses = this.#losses(notices, this.#options.random.uuid());
    void this.commit(losses, [recoveredEntry(notices)]).catch(() => {
      this.#notices = [...notices, ...this.#notices];
    });
  }

  write(operations: readonly Operation[]): Promise<void> {
    return this.#live.write(operations);
  }

  wrote(write: EncodedWrite): void {
    this.copy.wrote(write);
  }

  journaled(count: number, bytes: number): void {
    this.#grown = { count: this.#grown.count + count, bytes: this.#grown.bytes + bytes };
  }

  /** Measured once, so that an entry has the same date each time. */
  #clockOffset(): number | null {
    const { clock } = this.#options;
    if (clock.quality() === "synced") this.#clockOffsetMs ??= clock.nowMs() - clock.monotonicMs();
    return this.#clockOffsetMs;
  }

  grew(): void {
    this.#watchers.emit();
  }

  async journalAfter(position: Place | null, limit: number): Promise<readonly JournalEntry[]> {
    const range = { from: position, upTo: this.place, limit };
    try {
      const { entries, damaged } = await readJournal(this.#live.current(), range, this.#clockOffset());
      if (damaged.length > 0)
        this.#options.log.error({ keys: damaged }, "journal entries are damaged; leaving them out");
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
    await this.copy[Symbol.asyncDispose]();
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

  /** Adopts an opened database: the first one is read; each later one is updated to match memory. */
  async #adopt(database: Database, salvage: Salvage | null): Promise<void> {
    const isFirst = this.place === NOWHERE;
    if (salvage !== null) this.#wasReplaced = true;
    if (isFirst) await this.#load(database, salvage);
    // After the first start memory is newer than the disk.
    else if (salvage !== null) this.#notice(salvageText("critical", { ...salvage, doubtful: [] }));
    const found = await differences(database, this.records, this.place);
    if (!found.hasNewestEntry) this.#options.log.error({ place: this.place }, "the newest journal entry is missing");
    for (const key of found.damaged) this.#notice(`${key}: damaged; its bytes are kept`);
    const notices = this.#notices;
    const place = { epoch: this.place.epoch, seq: this.place.seq + Math.min(notices.length, 1) };
    const losses = this.#losses(notices, `${place.epoch}-${place.seq}`).map(encodeWrite);
    const lacking = await this.outbox.adopt(database, salvage !== null);
    const recovered = this.#recoveredEntry(notices, place);
    const staged = this.ledger.stage([...lacking, ...recovered.outbox], place);
    await writeSynced(database, [
      ...found.operations,
      ...recovered.operations,
      ...losses.flatMap((write) => this.records.operations(write, place)),
      ...staged.operations,
      ...clearTraces(this.records.codec, found),
      counter(SCHEMA_KEY, place, this.#options.migrations.length),
      counter(EPOCH_KEY, place, place.epoch),
      changesAt(place, this.records.changes + losses.length),
    ]);
    staged.settle();
    for (const write of losses) this.records.apply(write);
    this.place = place;
    this.#notices = [];
    this.#measured = null;
    await sealAll(database, this.records.codec, { place, log: this.#options.log });
  }

  /**
   * Reads the records and starts an epoch that is larger than all earlier ones, even if the database that counted them
   * is lost.
   */
  async #load(database: Database, salvage: Salvage | null): Promise<void> {
    const { disk } = this.#options;
    const parts = { ...this.#options, database, salvage, records: this.records, copy: this.copy };
    const loaded = await loadCritical({ ...parts, moveCopyAside: () => disk.copy.moveAside() });
    for (const notice of loaded.notices) this.#notice(notice);
    for (const row of withCaution(loaded.rows, loaded.doubtful)) this.records.load(row);
    this.records.changes = loaded.changes;
    const isReplaced = this.#wasReplaced || loaded.isRestored;
    const seconds = isReplaced ? Math.floor(this.#options.clock.nowMs() / 1_000) : 0;
    const known = await this.#knownEpoch(isReplaced || loaded.epoch === 0);
    this.place = { epoch: Math.max(loaded.epoch, known, seconds) + 1, seq: 0 };
    if (loaded.failure === null) return;
    throw new StorageError("damaged", `not readable to its end; ${loaded.rows.length} records were saved`, {
      cause: loaded.failure,
    });
  }

  #recoveredEntry(
    notices: readonly string[],
    place: Place,
  ): { readonly operations: readonly Operation[]; readonly outbox: readonly OutboxChange[] } {
    if (notices.length === 0) return { operations: [], outbox: [] };
    const entry = recoveredEntry(notices);
    const json = encodeEntry(entry, this.#options.clock);
    return {
      operations: [{ type: "put", ...sealEntry(place, json) }],
      outbox: this.outbox.changesFor(entry, json),
    };
  }

  /** Returns the record of a loss, which stays until somebody acknowledges it. */
  #losses(notices: readonly string[], id: string): readonly Write[] {
    if (notices.length === 0) return [];
    const put = lossOf(id, notices, this.#options.clock.nowMs());
    return [{ table: "loss", key: id, put }, ...surplusLosses(this.tables.all("loss"))];
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
