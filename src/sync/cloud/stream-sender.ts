/** Sends one stream over one connection: tracks what was sent, what is acknowledged, and what is next. */
import type { Batch, Gap, SyncRecord } from "../protocol/batch.ts";
import { toFrame, type Zstd } from "../protocol/frame.ts";
import type { Ack, Refused } from "../protocol/handshake.ts";
import { MAX_BATCH_RECORDS, MAX_RANGES, PROTOCOL_VERSION } from "../protocol/limits.ts";
import { ProtocolError } from "../protocol/messages.ts";
import { readBatch } from "../protocol/read-batch.ts";
import type { Page, Position, SyncSource } from "./source.ts";
import type { Acked } from "./sync-counters.ts";

/** A sent batch that is not acknowledged yet. */
interface InFlight {
  readonly through: number;
  readonly sentAtMs: number;
}

/** Bytes of JSON per stored byte, at least: rows are compressed. */
const PACKED = 8;
/**
 * Acknowledged records that may wait to be deleted together with another write; more of them are worth a separate disk
 * sync.
 */
const MAX_UNSAVED = 1_000;

/** The send state of one stream on one connection. */
export class StreamSender {
  readonly source: SyncSource;
  readonly epoch: string;
  /** The last number that existed at the handshake; records up to it are historical. */
  readonly boundary: number;
  readonly #header: Pick<Batch, "stream" | "bootId">;
  #cursor: number;
  #acked: number;
  #noted: number;
  #inFlight: InFlight[] = [];
  /** The number after which the stream was sent again last, so that one loss causes one replay. */
  #rewoundAt: number | null = null;
  #replays = 0;

  /** `bootId`: id of the gateway's current start. */
  constructor(source: SyncSource, { epoch, acked, next }: Position, bootId: string) {
    this.source = source;
    this.#header = { stream: source.stream, bootId };
    this.epoch = epoch;
    this.boundary = next - 1;
    this.#cursor = acked;
    this.#acked = acked;
    this.#noted = acked;
  }

  get stream(): string {
    return this.source.stream;
  }

  /** The last number that was sent. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Sent batches that are not acknowledged. */
  get inFlight(): number {
    return this.#inFlight.length;
  }

  /** How many times the stream was sent again. */
  get replays(): number {
    return this.#replays;
  }

  /** The last number that is acknowledged. */
  get acked(): number {
    return this.#acked;
  }

  /**
   * Starts after the last number that the cloud service has; it may be more than is acknowledged here, because an
   * acknowledgement was lost.
   */
  startAt(applied: number): void {
    this.#acked = Math.max(this.#acked, applied);
    this.#cursor = this.#acked;
  }

  /**
   * Returns a batch with a gap for numbers that are acknowledged and therefore deleted; `null` if `from` is still
   * stored.
   */
  gone(from: number, through: number): Batch | null {
    const last = Math.min(through, this.#acked);
    if (from > last) return null;
    const gaps: readonly Gap[] = [{ from, through: last, reason: "acknowledged" }];
    return batchOf(this.#header, from - 1, { epoch: this.epoch, records: [], gaps, through: last }, 0, true);
  }

  /** True if there is more to send. */
  get hasMore(): boolean {
    const position = this.source.position();
    return position !== null && position.epoch === this.epoch && this.#cursor < position.next - 1;
  }

  /** True while the next record is from before this connection. */
  get isHistorical(): boolean {
    return this.#cursor < this.boundary;
  }

  /** True if so much is acknowledged that deleting it is worth a disk sync. */
  get isWorthSaving(): boolean {
    return this.#unsaved >= MAX_UNSAVED;
  }

  /** Acknowledged numbers that are not stored as acknowledged yet. */
  get #unsaved(): number {
    const position = this.source.position();
    return position?.epoch === this.epoch ? this.#acked - position.acked : 0;
  }

  /** Monotonic ms at which the oldest unacknowledged batch was sent; `null` if there is none. */
  get waitingSinceMs(): number | null {
    return this.#inFlight[0]?.sentAtMs ?? null;
  }

  /** Returns the next records; `null` if there are none, or if the stream started a new epoch. */
  async next(maxBytes: number): Promise<Batch | null> {
    const after = this.#cursor;
    const page = await this.source.read(after, { records: MAX_BATCH_RECORDS, bytes: Math.ceil(maxBytes / PACKED) });
    if (page === null || page.epoch !== this.epoch || page.through <= after || after !== this.#cursor) return null;
    return batchOf(this.#header, after, page, maxBytes, after < this.boundary);
  }

  /** Notes that a batch was sent; `nowMs` is monotonic. */
  sent({ through }: Batch, nowMs: number): void {
    this.#cursor = through;
    this.#inFlight.push({ through, sentAtMs: nowMs });
  }

  /** Applies an acknowledgement; `nowMs` is monotonic. Returns how much it acknowledged. */
  acknowledged({ epoch, through, missing }: Ack, nowMs: number): Acked {
    const last = (this.source.position()?.next ?? 1) - 1;
    if (epoch !== this.epoch || through > last) return { count: 0, waitedMs: [] };
    const count = Math.max(0, through - this.#acked);
    const whole = this.#inFlight.filter((each) => each.through <= through);
    if (count > 0) {
      this.#acked = through;
      this.#rewoundAt = null;
      this.#cursor = Math.max(this.#cursor, through);
      this.#inFlight = this.#inFlight.filter((each) => each.through > through);
    }
    if (missing.length > 0 && this.#rewoundAt !== this.#acked) this.rewind();
    return { count, waitedMs: count > 0 ? whole.map(({ sentAtMs }) => nowMs - sentAtMs) : [] };
  }

  /** Goes back to the first unacknowledged record. */
  rewind(): void {
    this.#rewoundAt = this.#acked;
    if (this.#cursor > this.#acked) this.#replays += 1;
    this.#cursor = this.#acked;
    this.#inFlight = [];
  }

  /** Deletes acknowledged records now. Rejects with a `StorageError`. */
  async save(): Promise<void> {
    if (this.#unsaved > 0) await this.source.acknowledge(this.epoch, this.#acked);
  }

  /** Marks acknowledged records for deletion together with the next write. */
  note(): void {
    if (this.#acked === this.#noted) return;
    this.#noted = this.#acked;
    this.source.note(this.epoch, this.#acked);
  }
}

/** Returns a batch with as many records of the page as fit, at least one. */
function batchOf(
  header: Pick<Batch, "stream" | "bootId">,
  after: number,
  page: Page,
  maxBytes: number,
  historical: boolean,
): Batch {
  let bytes = 0;
  const records: SyncRecord[] = [];
  for (const record of page.records) {
    bytes += JSON.stringify(record).length;
    if (records.length > 0 && bytes > maxBytes) break;
    records.push(record);
  }
  const isWhole = records.length === page.records.length;
  const through = isWhole ? page.through : (records.at(-1)?.seq ?? page.through);
  return {
    v: PROTOCOL_VERSION,
    kind: "batch",
    ...header,
    epoch: page.epoch,
    from: after + 1,
    through,
    historical,
    records,
    gaps: page.gaps.filter((gap) => gap.from <= through),
  };
}

/** Returns the batch with the first half of its records; a single record becomes a gap. */
function smaller(batch: Batch): Batch {
  const [first] = batch.records;
  if (batch.records.length > 1) {
    const records = batch.records.slice(0, Math.ceil(batch.records.length / 2));
    const through = records.at(-1)?.seq ?? batch.from;
    return { ...batch, records, through, gaps: batch.gaps.filter((gap) => gap.from <= through) };
  }
  if (first === undefined) return batch;
  const gap: Gap = {
    from: first.seq,
    through: first.seq,
    reason: "too-large",
    fromMs: first.atMs,
    throughMs: first.atMs,
  };
  return { ...batch, records: [], gaps: [...batch.gaps, gap].sort((one, other) => one.from - other.from) };
}

/** A batch that is ready to send. */
export interface Sendable {
  readonly sent: Batch;
  readonly frame: Uint8Array;
  /** Records that break the protocol; the batch has gaps in their place. */
  readonly withheld: readonly Refused[];
}

/**
 * Returns the frame of a batch: without records that break the protocol, and shortened to the transport's maximum size.
 */
export async function sendable(batch: Batch, zstd: Zstd, maxFrameBytes: number): Promise<Sendable> {
  const { batch: allowed, refused } = readBatch(batch);
  let sent = allowed;
  for (;;) {
    const frame = await toFrame(sent, zstd).catch((error: unknown) => {
      if (error instanceof ProtocolError) return null;
      throw error;
    });
    const isFitting = frame !== null && frame.length <= maxFrameBytes && sent.gaps.length <= MAX_RANGES;
    if (frame !== null && (isFitting || sent.records.length === 0)) {
      const { through } = sent;
      return { sent, frame, withheld: refused.filter(({ from }) => from <= through) };
    }
    sent = smaller(sent);
  }
}

/** Divides the bandwidth between historical records and new ones. */
export class BacklogShare {
  readonly #backlogPercent: number;
  #backlog = 0;
  #live = 0;

  constructor(backlogPercent: number) {
    this.#backlogPercent = backlogPercent;
  }

  /** True if historical records have had less than their share. */
  get isBacklogNext(): boolean {
    return this.#backlog * (100 - this.#backlogPercent) <= this.#live * this.#backlogPercent;
  }

  sent({ historical }: Batch, bytes: number): void {
    if (historical) this.#backlog += bytes;
    else this.#live += bytes;
  }
}

/**
 * Returns the sender whose turn it is: the snapshot of states first, then historical and new records by their shares.
 * `senders` is in the order of priority. `null` if there is nothing to send.
 */
export function nextSender(senders: readonly StreamSender[], share: BacklogShare): StreamSender | null {
  const ready = senders.filter((sender) => sender.hasMore);
  const snapshot = ready.find((sender) => sender.stream === "state" && sender.isHistorical);
  if (snapshot !== undefined) return snapshot;
  const backlog = ready.find((sender) => sender.isHistorical) ?? null;
  const live = ready.find((sender) => !sender.isHistorical) ?? null;
  if (backlog === null || live === null) return backlog ?? live;
  return share.isBacklogNext ? backlog : live;
}
