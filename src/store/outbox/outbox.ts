import type { Clock, Database, Random } from "../../platform/ports/ports.ts";
import { storageErrorOf } from "../../platform/ports/storage-error.ts";
import { encodeEntry } from "../journal.ts";
import { OUTBOX_KEY, outboxRange } from "../keys.ts";
import type { NewJournalEntry } from "../store.ts";
import { acknowledgedOnDisk, metaOf, salvaged, storedStates, strayRows } from "./outbox-disk.ts";
import {
  type Boot,
  type EarlierEpoch,
  lostOf,
  newest,
  type OutboxChange,
  type OutboxGap,
  OutboxLedger,
  type OutboxMeta,
} from "./outbox-ledger.ts";
import { allRows, measureRows, type OutgoingLimits, type OutgoingRecords, readRecords } from "./outbox-reader.ts";
import { type NewRow, type OutboxRow, type Route, renumbered, STREAMS, type StreamName } from "./outbox-row.ts";

export interface OutboxParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly random: Pick<Random, "secretBytes">;
  /** Returns the streams that a journal entry goes to; none if it is not sent. */
  readonly routes: (entry: NewJournalEntry) => readonly Route[];
  /** Returns the open database. Throws a `StorageError("refused")` while there is none. */
  current(): Database;
  /** Writes the changes of a plan, which is called while nothing else is written. Resolves when they are on disk. */
  add(plan: () => Promise<readonly OutboxChange[]>): Promise<void>;
  /**
   * Adds a plan to the next batch, after an hour at the latest. A later plan about the same subject replaces an earlier
   * one.
   */
  addAlong(about: string, plan: () => Promise<readonly OutboxChange[]>): void;
  /** Drops the plans of `addAlong`. Resolves when none of them is being written. */
  dropAlong(): Promise<void>;
}

/** The first event of an epoch that started because rows were lost. Its payload: `gaps`, of `OutboxGap`. */
export const GAP_EVENT = "system:outbox:gap";

/** How rows are carried over into a new epoch. */
export interface RenewRules {
  /** Returns true if the cloud service has the row. */
  readonly isDelivered: (row: OutboxRow) => boolean;
  /** Returns true if the cloud service may have it under its old number. */
  readonly mayHaveArrived: (row: OutboxRow) => boolean;
  /** The last event of this epoch that the cloud service has. */
  readonly acked: number;
  /** Returns the first entries of the new epoch; called when all earlier commits are on disk. */
  readonly entries: () => readonly NewJournalEntry[];
}

const ID_BYTES = 8;
const NOTHING = { keys: [], bytes: 0 } as const;

/**
 * The records to send to the cloud service, in two streams with consecutive numbers. Each is written in the batch of
 * the change that it reports. Nothing is collected until the outbox is opened.
 */
export class Outbox {
  readonly ledger = new OutboxLedger();
  readonly #parts: OutboxParts;
  readonly #bootId: string;
  #isLoaded = false;
  /** True if the bookkeeping was damaged and rebuilt from the rows. */
  #isSalvaged = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#bootId = idOf(parts.random);
  }

  /** The bookkeeping; `null` while nothing is collected. */
  get meta(): OutboxMeta | null {
    return this.ledger.meta;
  }

  /**
   * Starts to collect journal entries, after these entries, which are not journaled. `entries` is called when all
   * earlier commits are on disk.
   */
  async open(entries: () => readonly NewJournalEntry[]): Promise<void> {
    const boot = { number: 1, id: this.#bootId };
    const opening: OutboxChange = { type: "open", epoch: idOf(this.#parts.random), boot };
    await this.#parts.add(async () => (this.meta === null ? [opening, ...appended(this.#rowsOf(entries(), 1))] : []));
  }

  /** Deletes everything that was collected. */
  async close(): Promise<void> {
    await this.#parts.add(async () => [{ type: "close", keys: (await measureRows(this.#parts.current())).keys }]);
  }

  /** Returns the changes for a journal entry; `json` is the entry's JSON. */
  changesFor(entry: NewJournalEntry, json: string): readonly OutboxChange[] {
    const { meta } = this;
    if (meta === null) return [];
    const { number } = this.#boot(meta);
    return [...this.#clockChange(meta, number), ...appended(this.#rows(entry, json, number))];
  }

  /** Reads records after a number, oldest first; `null` while nothing is collected. Rejects with a `StorageError`. */
  async read(stream: StreamName, after: number, limits: OutgoingLimits): Promise<OutgoingRecords | null> {
    const { meta } = this;
    if (meta === null) return null;
    const isCurrent = (row: OutboxRow): boolean => row.entity === null || this.ledger.isNewest(row.entity, row.seq);
    try {
      return await readRecords(this.#parts.current(), meta, { stream, after, limits, isCurrent });
    } catch (error) {
      throw storageErrorOf(error, `the ${stream} stream cannot be read`);
    }
  }

  /**
   * Stores that the cloud service has all of a stream up to a number, and deletes those rows. Ignored for another
   * epoch.
   */
  async acknowledge(stream: StreamName, epoch: string, through: number): Promise<void> {
    await this.#parts.add(() => this.#acknowledgement(stream, epoch, through));
  }

  /** The same without a separate sync. A power cut may lose it: the cloud service then reports again what it has. */
  acknowledgeAlong(stream: StreamName, epoch: string, through: number): void {
    this.#parts.addAlong(stream, () => this.#acknowledgement(stream, epoch, through));
  }

  /**
   * Drops acknowledgements that are not written yet, before the next handshake: a cloud service that was restored may
   * have less, and the rows are still needed.
   */
  async forgetAlong(): Promise<void> {
    await this.#parts.dropAlong();
  }

  /** Stores that the cloud service welcomed this start of the gateway: earlier starts need not be sent any more. */
  async welcomed(boot: number): Promise<void> {
    await this.#parts.add(async () => [{ type: "welcomed", boot }]);
  }

  /** Adds the current states again, in place of damaged ones. */
  async restate(damaged: readonly string[], entries: () => readonly NewJournalEntry[]): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta === null) return [];
      return [{ type: "sweep", keys: damaged }, ...appended(this.#rowsOf(entries(), this.#boot(meta).number))];
    });
  }

  /** Reports what the cloud service lost of earlier epochs, once. */
  async reportLost(known: readonly Pick<EarlierEpoch, "epoch" | "acked">[]): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta === null) return [];
      const { earlier: before = [] } = meta;
      const earlier = before.map(({ epoch, acked, through }): EarlierEpoch => {
        const left = known.find((each) => each.epoch === epoch)?.acked ?? acked;
        return { epoch, acked: Math.min(left, acked), through };
      });
      if (earlier.every(({ acked }, index) => acked === before[index]?.acked)) return [];
      const rows = this.#rowsOf([{ event: GAP_EVENT, payload: { gaps: lostOf(earlier) } }], this.#boot(meta).number);
      return [{ type: "earlier", earlier }, ...appended(rows)];
    });
  }

  /** Starts a new epoch with the rows that are not delivered. */
  async startNewEpoch({ isDelivered, mayHaveArrived, acked, entries }: RenewRules): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta === null) return [];
      const database = this.#parts.current();
      const left = (await allRows(database)).filter((row) => !isDelivered(row));
      const added = this.#rowsOf(entries(), this.#boot(meta).number);
      const rows = [...added, ...left.map((row) => renumbered(row, mayHaveArrived(row)))];
      const { keys } = await measureRows(database);
      return [{ type: "renew", epoch: idOf(this.#parts.random), keys, rows, acked, isIncomplete: false }];
    });
  }

  /** Adopts an opened database. Returns the changes that it lacks. `isRebuilt`: the database may have lost rows. */
  async adopt(database: Database, isRebuilt: boolean): Promise<readonly OutboxChange[]> {
    const isFirst = !this.#isLoaded;
    if (isFirst || (await this.#isRenewed(database))) await this.#load(database, isRebuilt);
    const { meta } = this;
    const sweep: OutboxChange = { type: "sweep", keys: isFirst ? [] : await strayRows(database, meta) };
    if (meta === null) return [sweep];
    const boot = this.#boot(meta);
    const isKnown = boot === newest(meta.boots);
    const kept = isFirst ? [] : await acknowledgedOnDisk(database, meta);
    const changes: OutboxChange[] = [sweep, ...kept, ...(isKnown ? [] : [{ type: "boot", boot } as const])];
    const isGone = !isFirst && (await database.get(OUTBOX_KEY)) === undefined;
    if (!isGone && !this.#isSalvaged && !isRebuilt) return changes;
    const left = isGone ? [] : (await allRows(database)).map((row) => renumbered(row, true));
    const rows = [...(isGone ? this.#rowsOf([gapEntry(meta)], boot.number) : []), ...left];
    const { keys } = await measureRows(database);
    const { acked } = meta.streams.event;
    return [...changes, { type: "renew", epoch: idOf(this.#parts.random), keys, rows, acked, isIncomplete: true }];
  }

  /** Returns true if the batch of a new epoch is on disk although it was rejected. */
  async #isRenewed(database: Database): Promise<boolean> {
    const kept = await metaOf(database);
    return kept != null && this.meta !== null && kept.epoch !== this.meta.epoch;
  }

  async #load(database: Database, isRebuilt: boolean): Promise<void> {
    const kept = await metaOf(database);
    const found = kept === null && isRebuilt ? undefined : kept;
    const meta = found === undefined ? await salvaged(database) : found;
    if (meta !== null) this.ledger.load(meta, await storedStates(database, meta));
    this.#isSalvaged = found === undefined;
    this.#isLoaded = true;
  }

  async #acknowledgement(stream: StreamName, epoch: string, through: number): Promise<readonly OutboxChange[]> {
    const { meta } = this;
    if (meta?.epoch !== epoch) return [];
    const { acked } = meta.streams[stream];
    const range = outboxRange({ stream, epoch }, acked, Math.max(acked, through));
    const removed = stream === "state" ? NOTHING : await measureRows(this.#parts.current(), range);
    return [{ type: "acknowledged", epoch, stream, through, removed }];
  }

  /** Returns the current start of the gateway. */
  #boot({ boots }: OutboxMeta): Boot {
    const last = newest(boots);
    return last.id === this.#bootId ? last : { number: last.number + 1, id: this.#bootId };
  }

  #rowsOf(entries: readonly NewJournalEntry[], boot: number): readonly NewRow[] {
    return entries.flatMap((entry) => this.#rows(entry, encodeEntry(entry, this.#parts.clock), boot));
  }

  #rows(entry: NewJournalEntry, json: string, boot: number): readonly NewRow[] {
    const { clock, routes } = this.#parts;
    const dating = { boot, monotonicMs: clock.monotonicMs(), quality: clock.quality() };
    return routes(entry).map((route) => ({ ...route, ...dating, json }));
  }

  /**
   * Returns the clock offset once the wall clock is reliable, so that earlier records of this start can be corrected.
   */
  #clockChange({ clocks }: OutboxMeta, boot: number): readonly OutboxChange[] {
    const { clock } = this.#parts;
    if (clock.quality() !== "synced" || clocks[boot] !== undefined) return [];
    return [{ type: "clock", offsetMs: clock.nowMs() - clock.monotonicMs() }];
  }
}

/** Returns the entry for rows that were lost with the database. */
function gapEntry({ epoch, streams }: OutboxMeta): NewJournalEntry {
  const gaps = STREAMS.map((stream): OutboxGap => {
    const { acked, next } = streams[stream];
    return { epoch, stream, from: acked + 1, through: next - 1 };
  });
  return { event: GAP_EVENT, payload: { gaps: gaps.filter(({ from, through }) => from <= through) } };
}

function appended(rows: readonly NewRow[]): readonly OutboxChange[] {
  return rows.map((row) => ({ type: "row", row }));
}

function idOf(random: Pick<Random, "secretBytes">): string {
  return Buffer.from(random.secretBytes(ID_BYTES)).toString("hex");
}
