/** One stream on one connection: what was sent, what is acknowledged, and what comes next. */
import type { Batch, Gap, SyncRecord } from "../protocol/batch.ts";
import { MAX_BATCH_RECORDS, PROTOCOL_VERSION } from "../protocol/limits.ts";
import type { Ack } from "../protocol/meeting.ts";
import type { Page, Position, SyncSource } from "./source.ts";
import type { Acked } from "./tally.ts";

/** A batch that is not acknowledged. */
interface InFlight {
  readonly through: number;
  readonly sentAtMs: number;
}

/** How much of a stored byte a byte of JSON is at least: rows are packed. */
const PACKED = 8;
/** Numbers that may be acknowledged and wait for another write to be deleted along with; more are worth a sync. */
const MAX_UNSAVED = 1_000;

export class Lane {
  readonly source: SyncSource;
  readonly epoch: string;
  /** The last number that was there when the two sides met. */
  readonly boundary: number;
  readonly #sender: Pick<Batch, "stream" | "bootId">;
  #cursor: number;
  #acked: number;
  #noted: number;
  #inFlight: InFlight[] = [];
  /** Where it was sent again from last, so that one loss makes one repetition. */
  #rewoundAt: number | null = null;
  #replays = 0;

  /** `bootId`: of the start that sends. */
  constructor(source: SyncSource, { epoch, acked, next }: Position, bootId: string) {
    this.source = source;
    this.#sender = { stream: source.stream, bootId };
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

  get inFlight(): number {
    return this.#inFlight.length;
  }

  get replays(): number {
    return this.#replays;
  }

  get acked(): number {
    return this.#acked;
  }

  /** The cloud service has all up to there: an acknowledgement of it was lost. */
  startAt(applied: number): void {
    this.#acked = Math.max(this.#acked, applied);
    this.#cursor = this.#acked;
  }

  /** What tells that numbers were acknowledged and deleted; null for numbers that are here still. */
  gone(from: number, through: number): Batch | null {
    const last = Math.min(through, this.#acked);
    if (from > last) return null;
    const gaps: readonly Gap[] = [{ from, through: last, reason: "acknowledged" }];
    return batchOf(this.#sender, from - 1, { epoch: this.epoch, records: [], gaps, through: last }, 0, true);
  }

  /** Whether there is more to send. */
  get hasMore(): boolean {
    const position = this.source.position();
    return position !== null && position.epoch === this.epoch && this.#cursor < position.next - 1;
  }

  get isHistorical(): boolean {
    return this.#cursor < this.boundary;
  }

  /** Whether enough was acknowledged for its deletion to be worth a sync. */
  get isWorthSaving(): boolean {
    return this.#unsaved >= MAX_UNSAVED;
  }

  /** Numbers that are acknowledged, and not on disk as that. */
  get #unsaved(): number {
    const position = this.source.position();
    return position?.epoch === this.epoch ? this.#acked - position.acked : 0;
  }

  /** Monotonic ms at which the oldest batch was sent that is not acknowledged; null when there is none. */
  get waitingSinceMs(): number | null {
    return this.#inFlight[0]?.sentAtMs ?? null;
  }

  /** The next records; null when there are none, or the stream's numbers began anew. */
  async next(maxBytes: number): Promise<Batch | null> {
    const after = this.#cursor;
    const page = await this.source.read(after, { records: MAX_BATCH_RECORDS, bytes: Math.ceil(maxBytes / PACKED) });
    if (page === null || page.epoch !== this.epoch || page.through <= after || after !== this.#cursor) return null;
    return batchOf(this.#sender, after, page, maxBytes, after < this.boundary);
  }

  sent({ through }: Batch, nowMs: number): void {
    this.#cursor = through;
    this.#inFlight.push({ through, sentAtMs: nowMs });
  }

  /** Takes an acknowledgement; `nowMs` is monotonic. */
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

  /** Sends again what is not acknowledged. */
  rewind(): void {
    this.#rewoundAt = this.#acked;
    if (this.#cursor > this.#acked) this.#replays += 1;
    this.#cursor = this.#acked;
    this.#inFlight = [];
  }

  /** Deletes what is acknowledged. Rejects with a `StorageError`. */
  async save(): Promise<void> {
    if (this.#unsaved > 0) await this.source.acknowledge(this.epoch, this.#acked);
  }

  /** Deletes what is acknowledged along with what is written next. */
  note(): void {
    if (this.#acked === this.#noted) return;
    this.#noted = this.#acked;
    this.source.note(this.epoch, this.#acked);
  }
}

/** As much of a page as fits, at least one record of it. */
function batchOf(
  sender: Pick<Batch, "stream" | "bootId">,
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
    ...sender,
    epoch: page.epoch,
    from: after + 1,
    through,
    historical,
    records,
    gaps: page.gaps.filter((gap) => gap.from <= through),
  };
}

/** The batch with half of its records; of one with a single record, with a gap in its place. */
export function smaller(batch: Batch): Batch {
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
