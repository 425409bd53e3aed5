/**
 * The state of the outbox in memory. Each change is written in the batch of the change that it reports, and counts only
 * after that batch is on disk. The next number is stored separately, because a completely acknowledged stream has no
 * row to read it from.
 */
import type { Operation } from "../database.ts";
import { type Place, sealJson } from "../envelope.ts";
import { OUTBOX_KEY, outboxKey } from "../keys.ts";
import { type NewRow, type StreamName, sealRow } from "./outbox-row.ts";

export interface StreamMeta {
  /** The number that the next record gets. */
  readonly next: number;
  /** The last number that the cloud service has acknowledged. */
  readonly acked: number;
  /** Bytes of the keys and values of unacknowledged rows. */
  readonly bytes: number;
}

/** An earlier epoch, and the last number of its events that the cloud service has, as far as is known. */
export interface EarlierEpoch {
  readonly epoch: string;
  readonly acked: number;
  /** The last number that it ever had: those between were reported as lost. */
  readonly through: number;
}

/** Numbers that will never be sent. */
export interface OutboxGap {
  readonly epoch: string;
  readonly stream: StreamName;
  readonly from: number;
  readonly through: number;
}

/** A start of the gateway; its id distinguishes two gateways with copies of one disk. */
export interface Boot {
  readonly number: number;
  readonly id: string;
}

export interface OutboxMeta {
  /** Changes with each new outbox, and when the disk may not match what was sent to the cloud service. */
  readonly epoch: string;
  readonly streams: Readonly<Record<StreamName, StreamMeta>>;
  /** The starts since the one that the cloud service welcomed last, which is the first of them. */
  readonly boots: readonly [Boot, ...Boot[]];
  /** By boot number: wall clock minus monotonic clock, ms, measured while the wall clock was reliable. */
  readonly clocks: Readonly<Record<number, number>>;
  /** The latest earlier epochs, oldest first. Absent: none. */
  readonly earlier?: readonly EarlierEpoch[];
  /** True if the disk lost states that were not sent again yet. Absent: false. */
  readonly isIncomplete?: boolean;
}

/** A change of the outbox in a batch. */
export type OutboxChange =
  | { readonly type: "row"; readonly row: NewRow }
  | { readonly type: "open"; readonly epoch: string; readonly boot: Boot }
  | { readonly type: "close"; readonly keys: readonly string[] }
  /** Removes rows of a rejected batch; the bookkeeping is written again. */
  | { readonly type: "sweep"; readonly keys: readonly string[] }
  | { readonly type: "boot"; readonly boot: Boot }
  | { readonly type: "clock"; readonly offsetMs: number }
  | { readonly type: "welcomed"; readonly boot: number }
  | { readonly type: "earlier"; readonly earlier: readonly EarlierEpoch[] }
  /** `removed`: the stream's rows up to the number; those of the state stream are known to the ledger. */
  | {
      readonly type: "acknowledged";
      readonly epoch: string;
      readonly stream: StreamName;
      readonly through: number;
      readonly removed: Removed;
    }
  | {
      readonly type: "renew";
      readonly epoch: string;
      readonly keys: readonly string[];
      readonly rows: readonly NewRow[];
      /** The last event of the ending epoch that the cloud service has. */
      readonly acked: number;
      /** See `OutboxMeta`. */
      readonly isIncomplete: boolean;
    };

export interface Removed {
  readonly keys: readonly string[];
  readonly bytes: number;
}

export interface Staged {
  readonly operations: readonly Operation[];
  /** Applies the changes in memory, after the batch is on disk. */
  settle(): void;
}

interface StoredState {
  readonly seq: number;
  readonly bytes: number;
}

/** The unacknowledged states on disk. */
export interface StoredStates {
  /** By entity. */
  readonly newest: ReadonlyMap<string, StoredState>;
  /** Keys of rows that these replaced. */
  readonly superseded: readonly string[];
}

const EMPTY: StreamMeta = { next: 1, acked: 0, bytes: 0 };
const EMPTY_STREAMS: OutboxMeta["streams"] = { event: EMPTY, state: EMPTY };
/**
 * Maximum number of starts without a contact to the cloud service; beyond it the histories are not compared any more.
 */
const MAX_BOOTS = 256;
/** Maximum number of earlier epochs; losses of older ones are not reported any more. */
const MAX_EARLIER = 32;

/** Holds the bookkeeping, and stages changes of it. */
export class OutboxLedger {
  #meta: OutboxMeta | null = null;
  #states: StoredStates = { newest: new Map(), superseded: [] };

  /** The bookkeeping; `null` while there is no outbox. */
  get meta(): OutboxMeta | null {
    return this.#meta;
  }

  /** Sets the state that was read from disk. */
  load(meta: OutboxMeta, states: StoredStates): void {
    this.#meta = meta;
    this.#states = states;
  }

  /** Returns true if this is the newest state of the entity. */
  isNewest(entity: string, seq: number): boolean {
    return this.#states.newest.get(entity)?.seq === seq;
  }

  /** Returns the operations of a batch for these changes, in their order. */
  stage(changes: readonly OutboxChange[], place: Place): Staged {
    const isIdle = this.#meta === null && changes.every(({ type }) => type !== "open" && type !== "sweep");
    if (changes.length === 0 || isIdle) return NOTHING;
    const draft = new Draft(this.#meta, this.#states, place);
    for (const change of changes) draft.apply(change);
    return {
      operations: draft.operations(),
      settle: () => {
        this.#meta = draft.meta;
        this.#states = { newest: draft.entities, superseded: draft.superseded };
      },
    };
  }
}

const NOTHING: Staged = { operations: [], settle: () => undefined };

class Draft {
  meta: OutboxMeta | null;
  readonly entities: Map<string, StoredState>;
  /**
   * Replaced rows on disk. They are removed with a later batch, because they are the only ones left if this one is
   * rejected.
   */
  readonly superseded: string[] = [];
  readonly #before: ReadonlyMap<string, StoredState>;
  readonly #place: Place;
  readonly #operations: Operation[] = [];

  constructor(meta: OutboxMeta | null, { newest, superseded }: StoredStates, place: Place) {
    this.meta = meta;
    this.entities = new Map(newest);
    this.#before = newest;
    this.#place = place;
    this.#remove(superseded);
  }

  operations(): readonly Operation[] {
    const last: Operation =
      this.meta === null ? { type: "del", key: OUTBOX_KEY } : metaOperation(this.meta, this.#place);
    return [...this.#operations, last];
  }

  apply(change: OutboxChange): void {
    if (change.type === "open") {
      this.meta ??= { epoch: change.epoch, streams: EMPTY_STREAMS, boots: [change.boot], clocks: {} };
      return;
    }
    if (change.type === "sweep") this.#remove(change.keys);
    const { meta } = this;
    if (meta === null || change.type === "sweep") return;
    if (change.type === "row") this.#append(meta, change.row);
    else if (change.type === "acknowledged") this.#acknowledge(meta, change);
    else if (change.type === "boot") this.meta = { ...meta, boots: withBoot(meta.boots, change.boot) };
    else if (change.type === "welcomed") this.meta = { ...meta, boots: since(meta.boots, change.boot) };
    else if (change.type === "earlier") this.meta = { ...meta, earlier: change.earlier };
    else if (change.type === "clock") this.#setClock(meta, change.offsetMs);
    else this.#replace(meta, change);
  }

  #append(meta: OutboxMeta, row: NewRow): void {
    const { next, acked, bytes } = meta.streams[row.stream];
    const { epoch } = meta;
    const { key, value } = sealRow(row, { epoch, seq: next }, this.#place);
    const size = key.length + value.length;
    this.#operations.push({ type: "put", key, value });
    const superseded = row.entity === null ? undefined : this.entities.get(row.entity);
    if (superseded !== undefined) {
      const old = outboxKey({ stream: row.stream, epoch, seq: superseded.seq });
      if (row.entity !== null && this.#before.get(row.entity) === superseded) this.superseded.push(old);
      else this.#remove([old]);
    }
    if (row.entity !== null) this.entities.set(row.entity, { seq: next, bytes: size });
    this.#put(meta, row.stream, { next: next + 1, acked, bytes: bytes + size - (superseded?.bytes ?? 0) });
  }

  #acknowledge(meta: OutboxMeta, change: OutboxChange & { readonly type: "acknowledged" }): void {
    const { epoch, stream, through } = change;
    const { next, acked, bytes } = meta.streams[stream];
    if (epoch !== meta.epoch || through <= acked || through >= next) return;
    const removed = stream === "state" ? this.#statesThrough(meta, through) : change.removed;
    this.#remove(removed.keys);
    this.#put(meta, stream, { next, acked: through, bytes: bytes - removed.bytes });
    this.#forgetClocks();
  }

  #statesThrough({ epoch }: OutboxMeta, through: number): Removed {
    const rows = [...this.entities].filter(([, { seq }]) => seq <= through);
    for (const [entity] of rows) this.entities.delete(entity);
    return {
      keys: rows.map(([, { seq }]) => outboxKey({ stream: "state", epoch, seq })),
      bytes: rows.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    };
  }

  /** Without unacknowledged rows only the clock of the current start is needed. */
  #forgetClocks(): void {
    const { meta } = this;
    if (meta === null || !Object.values(meta.streams).every(({ next, acked }) => acked === next - 1)) return;
    const { number } = newest(meta.boots);
    const offsetMs = meta.clocks[number];
    this.meta = { ...meta, clocks: offsetMs === undefined ? {} : { [number]: offsetMs } };
  }

  #setClock(meta: OutboxMeta, offsetMs: number): void {
    const { number } = newest(meta.boots);
    this.meta = { ...meta, clocks: { ...meta.clocks, [number]: offsetMs } };
  }

  #replace(meta: OutboxMeta, change: OutboxChange & { readonly type: "close" | "renew" }): void {
    this.#remove(change.keys);
    this.entities.clear();
    if (change.type === "close") {
      this.meta = null;
      return;
    }
    const { epoch, acked, isIncomplete } = change;
    const through = Math.max(acked, meta.streams.event.acked);
    const earlier = [...(meta.earlier ?? []), { epoch: meta.epoch, acked, through }].slice(-MAX_EARLIER);
    this.meta = { ...meta, epoch, streams: EMPTY_STREAMS, boots: [newest(meta.boots)], earlier, isIncomplete };
    for (const row of change.rows) if (this.meta !== null) this.#append(this.meta, row);
  }

  #remove(keys: readonly string[]): void {
    for (const key of keys) this.#operations.push({ type: "del", key });
  }

  #put(meta: OutboxMeta, stream: StreamName, position: StreamMeta): void {
    this.meta = { ...meta, streams: { ...meta.streams, [stream]: position } };
  }
}

/** Returns all events of earlier epochs that the cloud service lost; it may have lost earlier reports of that, too. */
export function lostOf(earlier: readonly EarlierEpoch[]): readonly OutboxGap[] {
  return earlier
    .filter(({ acked, through }) => acked < through)
    .map(({ epoch, acked, through }) => ({ epoch, stream: "event", from: acked + 1, through }));
}

/** Returns the gateway's latest start. */
export function newest(boots: OutboxMeta["boots"]): Boot {
  return boots.at(-1) ?? boots[0];
}

/**
 * Adds a start. Beyond the limit those in the middle are dropped: the newest ones and the one that was welcomed are the
 * most useful.
 */
function withBoot(boots: OutboxMeta["boots"], boot: Boot): OutboxMeta["boots"] {
  const [welcomed, ...later] = boots;
  return [welcomed, ...later.slice(-(MAX_BOOTS - 2)), boot];
}

function since(boots: OutboxMeta["boots"], number: number): OutboxMeta["boots"] {
  const [first, ...rest] = boots.filter((boot) => boot.number >= number);
  return first === undefined ? boots : [first, ...rest];
}

function metaOperation(meta: OutboxMeta, place: Place): Operation {
  return { type: "put", key: OUTBOX_KEY, value: sealJson(OUTBOX_KEY, place, meta) };
}
