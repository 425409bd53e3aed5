/**
 * Commit class "now": commits within a short time share one synced batch, in the order of the calls. Memory changes,
 * and the calls resolve, only after the batch is on disk.
 */
import { HOUR_MS } from "../domain/duration.ts";
import type { Clock } from "../platform/ports/ports.ts";
import { StorageError, storageErrorOf } from "../platform/ports/storage-error.ts";
import type { Operation } from "./database.ts";
import type { Place } from "./envelope.ts";
import { sealEntry } from "./journal.ts";
import { recordKey } from "./keys.ts";
import type { OutboxChange, OutboxLedger, Staged } from "./outbox/outbox-ledger.ts";
import type { StoredRecords } from "./stored-records.ts";
import type { EncodedWrite } from "./tables.ts";

/**
 * Commits within this time share a sync. A sync costs an SD card 5 to 50 ms and 17 kB, so a commit that is not urgent
 * can wait as long.
 */
const GROUP_MS = 50;
/** Commits that may wait for the disk. More of them mean that the disk is too slow, and further calls are rejected. */
export const MAX_WAITING_COMMITS = 1_000;
const MAX_GROUP_COMMITS = 250;
/** Writes without their own sync wait at most this long for another commit. */
const ALONG_WITHIN_MS = HOUR_MS;

export interface Commit {
  readonly writes: readonly EncodedWrite[];
  /** The new journal entries as JSON. */
  readonly entries: readonly string[];
  /** Further keys to remove: journal entries that are too old. */
  readonly removals: readonly string[];
  /**
   * Changes of the outbox in the same batch. A plan is called when its batch is built; such a commit has a batch for
   * itself.
   */
  readonly outbox?: readonly OutboxChange[] | OutboxPlan;
  /** Written as soon as the disk is free, together with the waiting commits. */
  readonly isUrgent?: boolean;
}

/** Returns the changes of the outbox when the batch is built. */
export type OutboxPlan = () => Promise<readonly OutboxChange[]>;

interface WaitingCommit extends Commit {
  resolve(): void;
  reject(reason: StorageError): void;
}

export interface CommitTarget {
  readonly records: Pick<StoredRecords, "operations" | "counter" | "apply">;
  /** Called for each write that is on disk and in memory. */
  wrote(write: EncodedWrite): void;
  readonly ledger: Pick<OutboxLedger, "stage">;
  /** The newest place that is on disk; the queue advances it. */
  place: Place;
  write(operations: readonly Operation[]): Promise<void>;
  /** Called with the number and bytes of entries that were added to the journal on disk. */
  journaled(count: number, bytes: number): void;
  /** Called after the journal grew; `place` is updated already. */
  grew(): void;
}

/** Writes commits in groups. */
export class CommitQueue implements AsyncDisposable {
  readonly #clock: Pick<Clock, "timer">;
  readonly #target: CommitTarget;
  readonly #waiting: WaitingCommit[] = [];
  /** Writes for the next group, by record. */
  #along = new Map<string, EncodedWrite>();
  /** Plans of the outbox for the next group, by subject. */
  #plansAlong = new Map<string, OutboxPlan>();
  #alongTimer: Disposable | null = null;
  #timer: Disposable | null = null;
  #draining: Promise<void> | null = null;
  #isClosed = false;

  constructor(clock: Pick<Clock, "timer">, target: CommitTarget) {
    this.#clock = clock;
    this.#target = target;
  }

  /** Adds a commit. Resolves when it is on disk. Rejects with a `StorageError`. */
  add(commit: Commit): Promise<void> {
    if (this.#isClosed) return Promise.reject(new StorageError("refused", "the store is closed"));
    if (this.#waiting.length >= MAX_WAITING_COMMITS) {
      return Promise.reject(new StorageError("refused", `${MAX_WAITING_COMMITS} commits wait for the disk already`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...commit, resolve, reject });
      if (commit.isUrgent === true) this.#endTimer();
      this.#schedule();
    });
  }

  /** Adds writes to the next group. After an hour without one they are written alone. */
  addAlong(writes: readonly EncodedWrite[]): void {
    for (const write of writes) this.#along.set(recordKey(write.table, write.key), write);
    this.#goAlong();
  }

  /**
   * Adds a plan to the next group; a later plan for the same subject replaces the earlier one. Plans come before the
   * other changes of the batch.
   */
  planAlong(about: string, plan: OutboxPlan): void {
    this.#plansAlong.set(about, plan);
    this.#goAlong();
  }

  /** Drops the waiting plans. Resolves when none of them is being executed. */
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

  /** Writes all that waits, at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#endTimer();
    this.#alongTimer?.[Symbol.dispose]();
    this.#alongTimer = null;
    await this.#draining;
    await this.#drain();
    if (this.#hasAlong) await this.#writeGroup([]);
  }

  get #hasAlong(): boolean {
    return this.#along.size + this.#plansAlong.size > 0;
  }

  /** Adds an empty commit so that the waiting writes get on disk; if it is refused, they wait for the next one. */
  async #addEmpty(): Promise<void> {
    try {
      await this.add({ writes: [], entries: [], removals: [] });
    } catch {
      this.#goAlong();
    }
  }

  #schedule(): void {
    if (this.#timer !== null || this.#draining !== null || this.#isClosed) return;
    const isUrgent = this.#waiting.some((commit) => commit.isUrgent === true);
    this.#timer = this.#clock.timer(isUrgent ? 0 : GROUP_MS, () => {
      this.#timer = null;
      this.#draining = this.#drain();
      void this.#draining.then(() => {
        this.#draining = null;
        if (this.#waiting.length > 0) this.#schedule();
      });
    });
  }

  #endTimer(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, this.#groupSize()));
  }

  /** Returns how many commits share the next batch; one with a plan has a batch for itself. */
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
      // The additional writes wait for the next group, unless there is a newer one of the same record.
      this.#along = new Map([...along, ...this.#along]);
      this.#plansAlong = new Map([...plans.map(({ about, outbox }) => [about, outbox] as const), ...this.#plansAlong]);
      const failure = storageErrorOf(error, "the commit was not written");
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

  /** Returns the waiting plans, unless the first commit has a plan itself. */
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

/** Builds the batch. Additional writes come first, so that a commit of the same record overwrites them. */
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
