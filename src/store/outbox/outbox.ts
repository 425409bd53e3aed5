import type { Clock, Database, Random } from "../../platform/ports.ts";
import { intact } from "../critical-image.ts";
import { scan } from "../database.ts";
import { unsealJson } from "../envelope.ts";
import { encodeEntry } from "../journal.ts";
import { OUTBOX_KEY, outboxKey, outboxRange, parseOutboxKey } from "../keys.ts";
import type { NewJournalEntry } from "../store.ts";
import {
  type Boot,
  type EarlierEpoch,
  type KeptStates,
  newest,
  type OutboxChange,
  OutboxLedger,
  type OutboxMeta,
  type StreamMeta,
} from "./outbox-ledger.ts";
import { allRows, measureRows, type OutgoingLimits, type OutgoingRecords, readRecords } from "./outbox-reader.ts";
import {
  type NewRow,
  type OutboxRow,
  openRow,
  type Route,
  renumbered,
  STREAMS,
  type StreamName,
} from "./outbox-row.ts";

export interface OutboxParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly random: Pick<Random, "secretBytes">;
  /** Where an entry of the journal goes; to no stream when the cloud service is not told of it. */
  readonly routes: (entry: NewJournalEntry) => readonly Route[];
  /** The open database. Throws a `StorageError("refused")` while there is none. */
  current(): Database;
  /** Writes what the plan says, which is asked while nothing else is written; resolves when it is on disk. */
  add(plan: () => Promise<readonly OutboxChange[]>): Promise<void>;
}

/** The first event of an epoch that began because rows were lost. Its payload: `gaps`, of `OutboxGap`. */
export const GAP_EVENT = "system:outbox:gap";

/** Numbers that nobody will ever send. */
export interface OutboxGap {
  readonly epoch: string;
  readonly stream: StreamName;
  readonly from: number;
  readonly through: number;
}

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
    return await readRecords(this.#parts.current(), meta, { stream, after, limits, isWanted });
  }

  /** The cloud service has for good all of a stream up to a number. Of another epoch it means nothing. */
  async acknowledge(stream: StreamName, epoch: string, through: number): Promise<void> {
    await this.#parts.add(async () => {
      const { meta } = this;
      if (meta?.epoch !== epoch) return [];
      const { acked } = meta.streams[stream];
      const range = outboxRange({ stream, epoch }, acked, Math.max(acked, through));
      const removed = stream === "state" ? NOTHING : await measureRows(this.#parts.current(), range);
      return [{ type: "acknowledged", epoch, stream, through, removed }];
    });
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

  /** Takes a database that was just opened; answers what it lacks of what memory says. */
  async adopt(database: Database): Promise<readonly OutboxChange[]> {
    const isFirst = !this.#isLoaded;
    if (isFirst || (await this.#isRenewed(database))) await this.#load(database);
    const { meta } = this;
    const sweep: OutboxChange = { type: "sweep", keys: isFirst ? [] : await strayRows(database, meta) };
    if (meta === null) return [sweep];
    const boot = this.#boot(meta);
    const changes: OutboxChange[] = boot === newest(meta.boots) ? [sweep] : [sweep, { type: "boot", boot }];
    const isGone = !isFirst && (await database.get(OUTBOX_KEY)) === undefined;
    if (!isGone && !this.#isSalvaged) return changes;
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

  async #load(database: Database): Promise<void> {
    const found = await metaOf(database);
    const meta = found === undefined ? await salvaged(database) : found;
    if (meta !== null) this.ledger.load(meta, await keptStates(database, meta));
    this.#isSalvaged = found === undefined;
    this.#isLoaded = true;
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

/** All that a cloud service lost of epochs before; it may have lost what it was told of that, too. */
export function lostOf(earlier: readonly EarlierEpoch[]): readonly OutboxGap[] {
  return earlier
    .filter(({ acked, through }) => acked < through)
    .map(({ epoch, acked, through }) => ({ epoch, stream: "event", from: acked + 1, through }));
}

/** All that was not acknowledged is gone with the database. */
function gapEntry({ epoch, streams }: OutboxMeta): NewJournalEntry {
  const gaps = STREAMS.map((stream): OutboxGap => {
    const { acked, next } = streams[stream];
    return { epoch, stream, from: acked + 1, through: next - 1 };
  });
  return { event: GAP_EVENT, payload: { gaps: gaps.filter(({ from, through }) => from <= through) } };
}

/** Rows that a batch left which was rejected all the same. */
async function strayRows(database: Database, meta: OutboxMeta | null): Promise<readonly string[]> {
  const { keys } = await measureRows(database);
  return keys.filter((key) => {
    const place = intact(() => parseOutboxKey(key));
    const stream = STREAMS.find((each) => each === place?.stream);
    if (meta === null || place === undefined || stream === undefined) return true;
    return place.epoch !== meta.epoch || place.seq >= meta.streams[stream].next;
  });
}

function appended(rows: readonly NewRow[]): readonly OutboxChange[] {
  return rows.map((row) => ({ type: "row", row }));
}

/** Null when there is none, undefined when it is damaged. */
async function metaOf(database: Database): Promise<OutboxMeta | null | undefined> {
  const sealed = await database.get(OUTBOX_KEY);
  return sealed === undefined ? null : intact(() => unsealJson(OUTBOX_KEY, sealed) as OutboxMeta);
}

/** The states that are not acknowledged, and what they superseded. */
async function keptStates(database: Database, { epoch, streams }: OutboxMeta): Promise<KeptStates> {
  const newest = new Map<string, { seq: number; bytes: number }>();
  const superseded: string[] = [];
  const { acked, next } = streams.state;
  await scan(database, outboxRange({ stream: "state", epoch }, acked, next - 1), (key, sealed) => {
    const row = intact(() => openRow(key, sealed));
    if (row?.entity == null) return true;
    const before = newest.get(row.entity);
    if (before !== undefined) superseded.push(outboxKey({ stream: "state", epoch, seq: before.seq }));
    newest.set(row.entity, { seq: row.seq, bytes: key.length + sealed.length });
    return true;
  });
  return { newest, superseded };
}

/** Where an outbox stands whose bookkeeping is damaged, as far as its rows say; null when there are none. */
async function salvaged(database: Database): Promise<OutboxMeta | null> {
  const rows = await allRows(database);
  const [first] = rows;
  if (first === undefined) return null;
  const { bytes } = await measureRows(database);
  const streamOf = (name: StreamName): StreamMeta => {
    const numbers = rows.filter(({ stream }) => stream === name).map(({ seq }) => seq);
    const [least = 1] = numbers;
    return { next: (numbers.at(-1) ?? 0) + 1, acked: least - 1, bytes };
  };
  const boot = rows.reduce((latest, row) => Math.max(latest, row.boot), 0);
  const streams = Object.fromEntries(STREAMS.map((name) => [name, streamOf(name)])) as OutboxMeta["streams"];
  return { epoch: first.epoch, streams, boots: [{ number: boot, id: "" }], clocks: {} };
}

function idOf(random: Pick<Random, "secretBytes">): string {
  return Buffer.from(random.secretBytes(ID_BYTES)).toString("hex");
}
