/** How far a cloud service has been told. */
import type { CloudProgress } from "../../engine/services/cloud-link.ts";
import type { Clock } from "../../platform/ports.ts";
import type { SyncSource } from "./source.ts";

/** As the owner is shown it, with the epoch of each stream. */
export interface SyncProgress extends CloudProgress {
  readonly streams: readonly (CloudProgress["streams"][number] & { readonly epoch: string })[];
}

/** When what waits longest was, wall-clock ms; null: nothing waits. Rejects with a `StorageError`. */
export async function oldestAtMs(
  sources: readonly SyncSource[],
  acked: (source: SyncSource) => number,
): Promise<number | null> {
  const first = await Promise.all(
    sources.map(async (source) => {
      const page = await source.read(acked(source), { records: 1, bytes: 1 });
      return page?.records[0]?.atMs ?? Number.POSITIVE_INFINITY;
    }),
  );
  const oldest = Math.min(...first);
  return Number.isFinite(oldest) ? oldest : null;
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
