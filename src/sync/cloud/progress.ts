/** Computes how much of each stream is sent, and how fast. */
import { MINUTE_MS } from "../../domain/duration.ts";
import type { CloudProgress, CloudStreamProgress } from "../../engine/contracts/cloud-link.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { SyncSource } from "./source.ts";

/** The limits to read only the first record after superseded states. */
const FIRST = { records: 1, bytes: 64 * 1024 } as const;

/**
 * Returns the progress of one stream; `null` while nothing is collected for the cloud service. `ratePerS`: acknowledged
 * records per second.
 */
export async function progressOf(
  source: SyncSource,
  acked: number,
  ratePerS: number | null,
): Promise<CloudStreamProgress | null> {
  const at = source.position();
  if (at === null) return null;
  const { stream } = source;
  const waiting = at.next - 1 - acked;
  const oldest = waiting === 0 ? null : await oldestAtMs(source, acked);
  return {
    stream,
    epoch: at.epoch,
    waiting,
    oldestAtMs: oldest,
    ratePerS,
    remainingMs: remainingMs(waiting, ratePerS),
  };
}

/** Returns how long the waiting records take at that rate, ms; `null` if the rate is unknown. */
export function remainingMs(waiting: number, ratePerS: number | null): number | null {
  if (waiting === 0) return 0;
  return ratePerS === null ? null : Math.ceil((waiting * 1_000) / ratePerS);
}

/**
 * Returns the time of the first record after a number, wall-clock ms; `null` if there is none, or if the disk cannot be
 * read.
 */
async function oldestAtMs(source: SyncSource, acked: number): Promise<number | null> {
  if (source.firstAtMs !== undefined) return source.firstAtMs(acked);
  try {
    const page = await source.read(acked, FIRST);
    return page?.records[0]?.atMs ?? null;
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}

/** Logs all waiting records in one line. */
export function logBehind(log: Pick<Log, "info">, { streams, remainingMs: restMs }: CloudProgress): void {
  const waiting = streams
    .filter((each) => each.waiting > 0)
    .map(({ epoch: _epoch, ratePerS, ...each }) => ({ ...each, ratePerS: ratePerS && Math.round(ratePerS * 10) / 10 }));
  log.info({ waiting, remainingMs: restMs }, "sending waiting records to the cloud service");
}

const WINDOW_MS = 5 * MINUTE_MS;
const MAX_MARKS = 300;

/** Measures how fast records are acknowledged. */
export class Rate {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #marks: { readonly atMs: number; readonly count: number }[] = [];

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Counts acknowledged records. */
  add(count: number): void {
    this.#marks.push({ atMs: this.#clock.monotonicMs(), count });
    if (this.#marks.length > MAX_MARKS) this.#marks = this.#marks.slice(-MAX_MARKS);
  }

  /** Acknowledged records per second in the last five minutes; `null` if there were none. */
  get perS(): number | null {
    const nowMs = this.#clock.monotonicMs();
    const recent = this.#marks.filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
    const [first] = recent;
    if (first === undefined) return null;
    const count = recent.reduce((sum, mark) => sum + mark.count, 0);
    return (count * 1_000) / Math.max(1_000, nowMs - first.atMs);
  }
}
