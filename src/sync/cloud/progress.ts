/** How far a cloud service has been told. */
import type { CloudProgress, CloudStreamProgress } from "../../engine/contracts/cloud-link.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { SyncSource } from "./source.ts";

/** The first record alone, behind states that were superseded. */
const FIRST = { records: 1, bytes: 64 * 1024 } as const;

/** Null while nothing is gathered. `ratePerS`: numbers of the stream acknowledged a second. */
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

/** How long so many numbers take at that rate, ms; null when nobody can tell. */
export function remainingMs(waiting: number, ratePerS: number | null): number | null {
  if (waiting === 0) return 0;
  return ratePerS === null ? null : Math.ceil((waiting * 1_000) / ratePerS);
}

/** When the first record after a number was, wall-clock ms; null: there is none, or the disk does not say. */
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

/** One line of all that waits. */
export function logBehind(log: Pick<Log, "info">, { streams, remainingMs: restMs }: CloudProgress): void {
  const waiting = streams
    .filter((each) => each.waiting > 0)
    .map(({ epoch: _epoch, ratePerS, ...each }) => ({ ...each, ratePerS: ratePerS && Math.round(ratePerS * 10) / 10 }));
  log.info({ waiting, remainingMs: restMs }, "the cloud service is being told what waited");
}

const WINDOW_MS = 5 * 60_000;
const MAX_MARKS = 300;

/** How fast numbers are acknowledged. */
export class Rate {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #marks: { readonly atMs: number; readonly count: number }[] = [];

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  add(count: number): void {
    this.#marks.push({ atMs: this.#clock.monotonicMs(), count });
    if (this.#marks.length > MAX_MARKS) this.#marks = this.#marks.slice(-MAX_MARKS);
  }

  /** Numbers a second; null when there were none lately. */
  get perS(): number | null {
    const nowMs = this.#clock.monotonicMs();
    const recent = this.#marks.filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
    const [first] = recent;
    if (first === undefined) return null;
    const count = recent.reduce((sum, mark) => sum + mark.count, 0);
    return (count * 1_000) / Math.max(1_000, nowMs - first.atMs);
  }
}
