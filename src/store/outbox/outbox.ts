import type { Clock, Database, Random } from "../../platform/ports/ports.ts";
import { storageErrorOf } from "../../platform/ports/storage-error.ts";
import { encodeEntry } from "../journal.ts";
import { OUTBOX_KEY, outboxRange } from "../keys.ts";
import type { NewJournalEntry } from "../store.ts";
import { acknowledgedOnDisk, keptStates, metaOf, salvaged, strayRows } from "./outbox-disk.ts";
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
  /** Where an entry of the journal goes; to no stream when the cloud service is not told of it. */
  readonly routes: (entry: NewJournalEntry) => readonly Route[];
  /** The open database. Throws a `StorageError("refused")` while there is none. */
  current(): Database;
  /** Writes what the plan says, which is asked while nothing else is written; resolves when it is on disk. */
  add(plan: () => Promise<readonly OutboxChange[]>): Promise<void>;
  /** Goes to disk with the next batch, after an hour at the latest. A later plan about the same replaces the earlier. */
  addAlong(about: string, plan: () => Promise<readonly OutboxChange[]>): void;
  /** Leaves undone what waits to go along; resolves when none of it is being written. */
  dropAlong(): Promise<void>;
}

/** The first event of an epoch that began because rows were lost. Its payload: `gaps`, of `OutboxGap`. */
export const GAP_EVENT = "system:outbox:gap";

/** What becomes of the rows when another epoch begins. */
export interface RenewRules {
  /** The cloud service has it. */
  readonly isDelivered: (row: OutboxRow) => boolean;
  /** It could be known there under its old number. */
  readonly mayHaveArrived: (row: OutboxRow) => boolean;
  /** The last event of this epoch that the cloud service has. */
  readonly acked: number;
  /** What is told first in the new epoch; asked for when all that was committed before is on disk. */
  readonly entries: () => readonly NewJournalEntry[];
}

const ID_BYTES = 8;
const NOTHING = { keys: [], bytes: 0 } as const;

/**
 * What a cloud service is still to be told: records of two streams, numbered without holes, each in the batch of the
 * change that it tells of. Nothing is gathered until it is opened.
 */
export class Outbox {
  readonly ledger = new OutboxLedger();
  readonly #parts: OutboxParts;
  readonly #bootId: string;
  #isLoaded = false;
  /** The bookkeeping was damaged and made anew of the rows. */
  #isSalvaged = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#bootId = idOf(parts.random);
  }

  /** Where it stands; null while nothing is gathered. */
  get meta(): OutboxMeta | null {
    return this.ledger.meta;
  }

  /**
   * From here on what is journaled is gathered, after these entries, which are not journaled. They are asked for when
   * all that was committed before is on disk.
   */
  async open(entries: () => readonly NewJournalEntry[]): Promise<void> {
    const boot = { number: 1, id: this.#bootId };
    const opening: OutboxChange = { type: "open", epoch: idOf(this.#parts.random), boot };
    await this.#parts.add(async () => (this.meta === null ? [opening, ...appended(this.#told(entries(), 1))] : []));
  }

  /** Forgets all that was gathered. */
  async close(): Promise<void> {
    await this.#parts.add(async () => [{ type: "close", keys: (await measureRows(this.#parts.current())).keys }]);
  }

  /** What a batch with this entry of the journal has to do here; `json` is the entry's. */
  changesFor(entry: NewJournalEntry, json: string): readonly OutboxChange[] {
    const { meta } = this;
    if (meta === null) return [];
    const { number } = this.#boot(meta);
    return [...this.#clockChange(meta, number), ...appended(this.#rows(entry, json, number))];
  }

  /** Records after a number, oldest first; null while nothing is gathered. Throws a `StorageError`. */
  async read(stream: StreamName, after: number, limits: OutgoingLimits): Promise<OutgoingRecords | null> {
    const { meta } = this;
    if (meta === null) return null;
    const isWanted = (row: OutboxRow): boolean => row.entity === null || this.ledger.isNewest(row.entity, row.seq);
    try {
      return await readRecords(this.#parts.current(), meta, { stream, after, limits, isWanted });
    } catch (error) {
      throw storageErrorOf(error, `what waits of the ${stream} stream cannot be read`);
    }
  }

  /** The cloud service has for good all of a stream up to a number. Of another epoch it means nothing. */
  async acknowledge(stream: StreamName, epoch: string, through: number): Promise<void> {
    await this.#parts.add(() => this.#acknowledgement(stream, epoch, through));
  }

  /** The same at no sync of its own. A power cut may take it: the cloud service says again what it has. */
  acknowledgeAlong(stream: StreamName, epoch: string, through: number): void {
    this.#parts.addAlong(stream, () => this.#acknowledgement(stream, epoch, through));
  }

  /** The cloud service is asked anew what it has: one that was restored since may have less, and rows that wait are kept. */
  async forgetAlong(): Promise<void> {
    await this.#parts.dropAlong();
  }

  /** The cloud service knows this start of the gateway: those before it need not be told any more. */
  async welcomed(boot: number): Promise<void> {
    await this.#parts.add(async () => [{ type: "welcomed", boot }]);
  }

  /** Tells again how everything is, in the place of states whose rows are damaged. */
  async restate(damaged: readonly string[], entries: () => readonly NewJournalEntry[]): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta === null) return [];
      return [{ type: "sweep", keys: damaged }, ...appended(this.#told(entries(), this.#boot(meta).number))];
    });
  }

  /** The cloud service has less of epochs before than it acknowledged: the rest is told to be gone, once. */
  async toldLost(known: readonly Pick<EarlierEpoch, "epoch" | "acked">[]): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta === null) return [];
      const { earlier: before = [] } = meta;
      const earlier = before.map(({ epoch, acked, through }): EarlierEpoch => {
        const left = known.find((each) => each.epoch === epoch)?.acked ?? acked;
        return { epoch, acked: Math.min(left, acked), through };
      });
      if (earlier.every(({ acked }, index) => acked === before[index]?.acked)) return [];
      const told = this.#told([{ event: GAP_EVENT, payload: { gaps: lostOf(earlier) } }], this.#boot(meta).number);
      return [{ type: "earlier", earlier }, ...appended(told)];
    });
  }

  /** Begins another epoch, in which what is not delivered goes on. */
  async renew({ isDelivered, mayHaveArrived, acked, entries }: RenewRules): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta === null) return [];
      const database = this.#parts.current();
      const left = (await allRows(database)).filter((row) => !isDelivered(row));
      const told = this.#told(entries(), this.#boot(meta).number);
      const rows = [...told, ...left.map((row) => renumbered(row, mayHaveArrived(row)))];
      const { keys } = await measureRows(database);
      return [{ type: "renew", epoch: idOf(this.#parts.random), keys, rows, acked, isIncomplete: false }];
    });
  }

  /**
   * Takes a database that was just opened; answers what it lacks of what memory says. `isRebuilt`: of what was on the disk
   * some may be lost.
   */
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
    const rows = [...(isGone ? this.#told([gapEntry(meta)], boot.number) : []), ...left];
    const { keys } = await measureRows(database);
    const { acked } = meta.streams.event;
    return [...changes, { type: "renew", epoch: idOf(this.#parts.random), keys, rows, acked, isIncomplete: true }];
  }

  /** A batch that began an epoch is on disk, although it was rejected. */
  async #isRenewed(database: Database): Promise<boolean> {
    const kept = await metaOf(database);
    return kept != null && this.meta !== null && kept.epoch !== this.meta.epoch;
  }

  async #load(database: Database, isRebuilt: boolean): Promise<void> {
    const kept = await metaOf(database);
    const found = kept === null && isRebuilt ? undefined : kept;
    const meta = found === undefined ? await salvaged(database) : found;
    if (meta !== null) this.ledger.load(meta, await keptStates(database, meta));
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

  /** This start of the gateway. */
  #boot({ boots }: OutboxMeta): Boot {
    const last = newest(boots);
    return last.id === this.#bootId ? last : { number: last.number + 1, id: this.#bootId };
  }

  #told(entries: readonly NewJournalEntry[], boot: number): readonly NewRow[] {
    const atMs = this.#parts.clock.nowMs();
    return entries.flatMap((entry) => this.#rows(entry, encodeEntry(entry, atMs), boot));
  }

  #rows(entry: NewJournalEntry, json: string, boot: number): readonly NewRow[] {
    const { clock, routes } = this.#parts;
    const dating = { boot, monotonicMs: clock.monotonicMs(), quality: clock.quality() };
    return routes(entry).map((route) => ({ ...route, ...dating, json }));
  }

  /** Once the wall clock can be trusted, what this start dated before can be corrected. */
  #clockChange({ clocks }: OutboxMeta, boot: number): readonly OutboxChange[] {
    const { clock } = this.#parts;
    if (clock.quality() !== "synced" || clocks[boot] !== undefined) return [];
    return [{ type: "clock", offsetMs: clock.nowMs() - clock.monotonicMs() }];
  }
}

/** All that was not acknowledged is gone with the database. */
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
