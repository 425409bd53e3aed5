/** The source of a stream's records. */
import type { Outbox } from "../../store/outbox/outbox.ts";
import type { StreamName } from "../../store/outbox/outbox-row.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Gap, SyncRecord } from "../protocol/batch.ts";
import { MAX_RANGES } from "../protocol/limits.ts";

/** The position of a stream at the gateway. */
export interface Position {
  readonly epoch: string;
  /** The last number that is acknowledged, as stored on disk. */
  readonly acked: number;
  /** The number that the next record gets. */
  readonly next: number;
}

/** An epoch before the current one. */
export interface Earlier {
  readonly epoch: string;
  /** The last number that the cloud service has. */
  readonly acked: number;
}

/** Records and gaps that cover all numbers after the requested one, up to `through`. */
export interface Page {
  readonly epoch: string;
  readonly records: readonly SyncRecord[];
  readonly gaps: readonly Gap[];
  readonly through: number;
}

/** Limits of one page. */
export interface PageLimits {
  readonly records: number;
  /** Size as stored; one record is returned even if it is larger. */
  readonly bytes: number;
}

/** A stream that is sent to the cloud service. */
export interface SyncSource {
  readonly stream: string;
  /** Returns the position; `null` while nothing is collected. */
  position(): Position | null;
  /** Returns the records after a number; `null` while nothing is collected. Rejects with a `StorageError`. */
  read(after: number, limits: PageLimits): Promise<Page | null>;
  /**
   * Returns the time of the record after a number, wall-clock ms, if it is known without reading. Absent: the record
   * has to be read.
   */
  firstAtMs?(after: number): number | null;
  /** Stores that all up to a number is acknowledged. Resolves when it is on disk. Rejects with a `StorageError`. */
  acknowledge(epoch: string, through: number): Promise<void>;
  /** The same without a disk sync: it is written together with the next write, and a power cut before that loses it. */
  note(epoch: string, through: number): void;
  /** Returns the earlier epochs and how far each was acknowledged. Absent: the stream does not need them. */
  earlier?(): readonly Earlier[];
  /**
   * Handles that the cloud service has less of earlier epochs than it acknowledged, only up to the numbers in `known`.
   * True if the lost records are reported in this epoch; false if a new epoch was started, so that another hello is
   * needed. Rejects with a `StorageError`.
   */
  lostEarlier?(known: readonly Earlier[]): Promise<boolean>;
  /** Starts the stream if it can start and did not yet. Never rejects. */
  start?(): Promise<void>;
  /** Goes back to an earlier number, to send acknowledged records again. Absent: they are deleted. */
  goBack?(applied: number): void;
  /** Starts a new epoch with the unacknowledged records. Absent: another part does that. Never rejects. */
  startNewEpoch?(): Promise<void>;
}

/** Returns a stream of the outbox as a source. States that the disk lost are sent again as they are at that time. */
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
      await outbox.reportLost(known);
      return true;
    },
    note: (epoch, through) => outbox.acknowledgeAlong(stream, epoch, through),
  };
  return source;
}

/** Returns numbers whose rows the disk lost as ranges, ascending. */
function rangesOf(lost: readonly number[]): readonly Gap[] {
  const ranges: { from: number; through: number; reason: "damaged" }[] = [];
  for (const seq of lost) {
    const last = ranges.at(-1);
    if (last?.through === seq - 1) last.through = seq;
    else ranges.push({ from: seq, through: seq, reason: "damaged" });
  }
  return ranges;
}
