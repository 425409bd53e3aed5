/**
 * Commit class "now": calls that come close together share one synced batch, in the order of the calls. Memory changes,
 * and the callers hear of it, only after the batch is on disk.
 */
import type { Clock } from "../platform/ports/ports.ts";
import { StorageError, storageErrorOf } from "../platform/ports/storage-error.ts";
import type { Operation } from "./database.ts";
import type { Place } from "./envelope.ts";
import { sealEntry } from "./journal.ts";
import { recordKey } from "./keys.ts";
import type { OutboxChange, OutboxLedger, Staged } from "./outbox/outbox-ledger.ts";
import type { StoredRecords } from "./stored-records.ts";
import type { EncodedWrite } from "./tables.ts";

/** One sync costs a flash card 5 to 50 ms and 17 kB; a command may wait that long once more. */
const GROUP_MS = 50;
/** Commits waiting for the disk; more than this means that the disk does not keep up, and the caller must know. */
export const MAX_WAITING_COMMITS = 1_000;
const MAX_GROUP_COMMITS = 250;
/** Writes that go along with others wait at most this long for them. */
const ALONG_WITHIN_MS = 3_600_000;

export interface Commit {
  readonly writes: readonly EncodedWrite[];
  /** JSON of what the journal keeps of each new entry. */
  readonly entries: readonly string[];
  /** Keys to remove beside the tables: journal entries that are too old. */
  readonly removals: readonly string[];
  /** What the outbox does in the same batch. A plan is asked when its batch is made, which nothing else is in. */
  readonly outbox?: readonly OutboxChange[] | OutboxPlan;
}

/** What the outbox does, known when the batch is made. */
export type OutboxPlan = () => Promise<readonly OutboxChange[]>;

interface WaitingCommit extends Commit {
  resolve(): void;
  reject(reason: StorageError): void;
}

export interface CommitTarget {
  readonly records: Pick<StoredRecords, "operations" | "counter" | "apply">;
  /** Told of each write that is on disk and in memory. */
  wrote(write: EncodedWrite): void;
  readonly ledger: Pick<OutboxLedger, "stage">;
  /** The newest place that is on disk; the queue moves it on. */
  place: Place;
  write(operations: readonly Operation[]): Promise<void>;
  /** Told how much was added to the journal on disk. */
  journaled(count: number, bytes: number): void;
  /** The journal has more entries, and `place` says so. */
  grew(): void;
}

export class CommitQueue implements AsyncDisposable {
  readonly #clock: Pick<Clock, "timer">;
  readonly #target: CommitTarget;
  readonly #waiting: WaitingCommit[] = [];
  /** What goes along with the next group, by record. */
  #along = new Map<string, EncodedWrite>();
  /** What the outbox does along with the next group, by what it is about. */
  #plansAlong = new Map<string, OutboxPlan>();
  #alongTimer: Disposable | null = null;
  #timer: Disposable | null = null;
  #draining: Promise<void> | null = null;
  #isClosed = false;

  constructor(clock: Pick<Clock, "timer">, target: CommitTarget) {
    this.#clock = clock;
    this.#target = target;
  }

  add(commit: Commit): Promise<void> {
    if (this.#isClosed) return Promise.reject(new StorageError("refused", "the store is closed"));
    if (this.#waiting.length >= MAX_WAITING_COMMITS) {
      return Promise.reject(new StorageError("refused", `${MAX_WAITING_COMMITS} commits wait for the disk already`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...commit, resolve, reject });
      this.#schedule();
    });
  }

  /** Writes go along with the next group, or make one of their own in the end. */
  addAlong(writes: readonly EncodedWrite[]): void {
    for (const write of writes) this.#along.set(recordKey(write.table, write.key), write);
    this.#goAlong();
  }

  /** As `addAlong`; a later plan about the same replaces the earlier. It comes before all else that its batch does. */
  planAlong(about: string, plan: OutboxPlan): void {
    this.#plansAlong.set(about, plan);
    this.#goAlong();
  }

  /** Leaves the plans that wait undone; resolves when none is being carried out. */
  async dropPlansAlong(): Promise<void> {
    this.#plansAlong.clear();
    await this.#draining;
    this.#plansAlong.clear();
  }

  #goAlong(): void {
    if (this.#isClosed || this.#alongTimer !== null) return;
    this.#alongTimer = this.#clock.timer(ALONG_WITHIN_MS, () => {
      this.#alongTimer = null;
      if (this.#hasAlong) void this.#addEmpty();
    });
  }

  /** Writes what waits, without waiting for more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
    this.#alongTimer?.[Symbol.dispose]();
    this.#alongTimer = null;
    await this.#draining;
    await this.#drain();
    if (this.#hasAlong) await this.#writeGroup([]);
  }

  get #hasAlong(): boolean {
    return this.#along.size + this.#plansAlong.size > 0;
  }

  /** A commit for the sake of what goes along; when it is refused, that waits for the next one. */
  async #addEmpty(): Promise<void> {
    try {
      await this.add({ writes: [], entries: [], removals: [] });
    } catch {
      this.#goAlong();
    }
  }

  #schedule(): void {
    if (this.#timer !== null || this.#draining !== null || this.#isClosed) return;
    this.#timer = this.#clock.timer(GROUP_MS, () => {
      this.#timer = null;
      this.#draining = this.#drain();
      void this.#draining.then(() => {
        this.#draining = null;
        if (this.#waiting.length > 0) this.#schedule();
      });
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, this.#groupSize()));
  }

  /** As many as share a batch; one that has to be planned goes alone. */
  #groupSize(): number {
    const planned = this.#waiting.findIndex(({ outbox }) => typeof outbox === "function");
    if (planned === 0) return 1;
    return Math.min(planned < 0 ? this.#waiting.length : planned, MAX_GROUP_COMMITS);
  }

  async #writeGroup(group: readonly WaitingCommit[]): Promise<void> {
    const along = this.#along;
    this.#along = new Map();
    const plans = this.#takePlans(group);
    const { operations, place, entryBytes } = batchOf(group, [...along.values()], this.#target);
    let staged: Staged;
    try {
      staged = this.#target.ledger.stage(await outboxChanges([...plans, ...group]), place);
      await this.#target.write([...operations, ...staged.operations]);
    } catch (error) {
      // What went along waits for the next group, unless there is a newer one of the same record by now.
      this.#along = new Map([...along, ...this.#along]);
      this.#plansAlong = new Map([...plans.map(({ about, outbox }) => [about, outbox] as const), ...this.#plansAlong]);
      const failure = storageErrorOf(error, "the commit is not on disk");
      for (const commit of group) commit.reject(failure);
      return;
    }
    const newEntries = place.seq - this.#target.place.seq;
    this.#target.journaled(newEntries, entryBytes);
    this.#target.place = place;
    staged.settle();
    const writes = [...along.values(), ...group.flatMap((commit) => commit.writes)];
    for (const write of writes) this.#target.records.apply(write);
    for (const write of writes) this.#target.wrote(write);
    for (const commit of group) commit.resolve();
    if (newEntries > 0) this.#target.grew();
  }

  /** A commit that is planned itself has its batch to itself. */
  #takePlans([first]: readonly Commit[]): readonly { readonly about: string; readonly outbox: OutboxPlan }[] {
    if (typeof first?.outbox === "function") return [];
    const plans = [...this.#plansAlong].map(([about, outbox]) => ({ about, outbox }));
    this.#plansAlong = new Map();
    return plans;
  }
}

async function outboxChanges(group: readonly Pick<Commit, "outbox">[]): Promise<readonly OutboxChange[]> {
  const changes: OutboxChange[] = [];
  for (const { outbox = [] } of group) changes.push(...(typeof outbox === "function" ? await outbox() : outbox));
  return changes;
}

/** What goes along comes first: a commit of the same record was made for a reason. */
function batchOf(
  group: readonly Commit[],
  along: readonly EncodedWrite[],
  { records, place: start }: Pick<CommitTarget, "records" | "place">,
): { readonly operations: readonly Operation[]; readonly place: Place; readonly entryBytes: number } {
  const operations: Operation[] = [];
  let place = start;
  let entryBytes = 0;
  for (const write of along) operations.push(...records.operations(write, start));
  for (const commit of group) {
    for (const entry of commit.entries) {
      place = { epoch: place.epoch, seq: place.seq + 1 };
      const { key, value } = sealEntry(place, entry);
      entryBytes += key.length + value.length;
      operations.push({ type: "put", key, value });
    }
    for (const write of commit.writes) operations.push(...records.operations(write, place));
    for (const key of commit.removals) operations.push({ type: "del", key });
  }
  operations.push(...records.counter([...along, ...group.flatMap(({ writes }) => writes)], place));
  return { operations, place, entryBytes };
}
