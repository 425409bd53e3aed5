/** What a stream's records are read from. */
import type { Outbox } from "../../store/outbox/outbox.ts";
import type { StreamName } from "../../store/outbox/outbox-row.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Gap, SyncRecord } from "../protocol/batch.ts";
import { MAX_RANGES } from "../protocol/limits.ts";

/** Where a stream stands at the gateway. */
export interface Position {
  readonly epoch: string;
  /** The last number that is acknowledged, on disk. */
  readonly acked: number;
  /** The number that the next record gets. */
  readonly next: number;
}

/** An epoch before the one that runs. */
export interface Earlier {
  readonly epoch: string;
  /** The last number that the cloud service has. */
  readonly acked: number;
}

/** Covers all numbers after the asked one, up to `through`. */
export interface Page {
  readonly epoch: string;
  readonly records: readonly SyncRecord[];
  readonly gaps: readonly Gap[];
  readonly through: number;
}

export interface PageLimits {
  readonly records: number;
  /** As they are kept; one record is given however large it is. */
  readonly bytes: number;
}

export interface SyncSource {
  readonly stream: string;
  /** Null while nothing is gathered. */
  position(): Position | null;
  /** Null while nothing is gathered. Rejects with a `StorageError`. */
  read(after: number, limits: PageLimits): Promise<Page | null>;
  /** When what follows a number was, wall-clock ms, as far as that is known without reading. Absent: it has to be read. */
  firstAtMs?(after: number): number | null;
  /** Resolves when it is on disk. Rejects with a `StorageError`. */
  acknowledge(epoch: string, through: number): Promise<void>;
  /** The same at no sync of its own: it goes to disk with what is written next, and a power cut before that takes it. */
  note(epoch: string, through: number): void;
  /** Its epochs before, and how far each was acknowledged. Absent: nobody needs to know. */
  earlier?(): readonly Earlier[];
  /**
   * The cloud service has less of epochs before than it acknowledged, up to these numbers. True: what it lost is told in
   * this epoch; false: in another one, and another hello is due. Rejects with a `StorageError`.
   */
  lostEarlier?(known: readonly Earlier[]): Promise<boolean>;
  /** Begins the stream, if it can be and did not yet. Never rejects. */
  begin?(): Promise<void>;
  /** Sends again what is after a number that was acknowledged. Absent: it is gone. */
  goBack?(applied: number): void;
  /** Begins another epoch with what is not acknowledged. Absent: somebody else sees to that. Never rejects. */
  renew?(): Promise<void>;
}

/** A stream of the critical database. States that the disk lost are told again as they are by then. */
export function outboxSource(
  outbox: Outbox,
  stream: StreamName,
  snapshot: () => readonly NewJournalEntry[],
): SyncSource {
  const source: SyncSource = {
    stream,
    position() {
      const { meta } = outbox;
      return meta === null ? null : { epoch: meta.epoch, ...meta.streams[stream] };
    },
    async read(after, limits) {
      const read = await outbox.read(stream, after, limits);
      if (read === null) return null;
      const { epoch, lost, damaged } = read;
      if (stream === "state" && damaged.length > 0) {
        await outbox.restate(damaged, snapshot);
        return await source.read(after, limits);
      }
      const gaps = rangesOf(lost).slice(0, MAX_RANGES);
      const isCut = gaps.length === MAX_RANGES;
      const through = isCut ? (gaps.at(-1)?.through ?? read.through) : read.through;
      const records = read.records
        .filter(({ seq }) => seq <= through)
        .map(({ was, ...record }): SyncRecord => ({ ...record, ...(was && { was: [...was] }) }));
      return { epoch, records, gaps, through };
    },
    acknowledge: (epoch, through) => outbox.acknowledge(stream, epoch, through),
    earlier: () => (stream === "event" ? (outbox.meta?.earlier ?? []) : []),
    async lostEarlier(known) {
      await outbox.toldLost(known);
      return true;
    },
    note: (epoch, through) => outbox.acknowledgeAlong(stream, epoch, through),
  };
  return source;
}

/** Numbers whose rows the disk lost, ascending, as ranges. */
function rangesOf(lost: readonly number[]): readonly Gap[] {
  const ranges: { from: number; through: number; reason: "damaged" }[] = [];
  for (const seq of lost) {
    const last = ranges.at(-1);
    if (last?.through === seq - 1) last.through = seq;
    else ranges.push({ from: seq, through: seq, reason: "damaged" });
  }
  return ranges;
}
