/** How far a cloud service has been told. */
import type { Clock } from "../../platform/ports.ts";

export interface SyncProgress {
  /** True after both sides agreed where they stand. */
  readonly isConnected: boolean;
  /** Name of the transport; null while there is none. */
  readonly uplink: string | null;
  /** Why there is no connection; null while there is one. */
  readonly reason: string | null;
  /** The cloud service does not want the gateway under its name or with its credentials. */
  readonly isRefused: boolean;
  /** Another box speaks in this gateway's name. */
  readonly isCloned: boolean;
  /** More events wait than there is room for: commands of the cloud service are refused. */
  readonly isFull: boolean;
  readonly streams: readonly {
    readonly stream: string;
    readonly epoch: string;
    /** Numbers that are not acknowledged. */
    readonly waiting: number;
  }[];
  /** Wall-clock ms of the oldest record that waits; null when none does. */
  readonly oldestAtMs: number | null;
  /** Numbers acknowledged a second in the last minutes; null before the first. */
  readonly ratePerS: number | null;
  /** How long all that waits takes at that rate, ms; null when nobody can tell. */
  readonly remainingMs: number | null;
  /** Times that something was sent again because it was not acknowledged. */
  readonly replays: number;
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
