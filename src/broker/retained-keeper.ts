import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/duration.ts";
import type { Clock, KeptMessage } from "../platform/ports/ports.ts";

/** How often what changed is looked at, and how long a topic that was just written has to wait, longer each time. */
const FLUSH_MS = 5 * MINUTE_MS;
const PAUSE = { floorMs: 5 * MINUTE_MS, ceilingMs: 6 * HOUR_MS } as const;
/** Bytes of a record beside its topic and payload. */
const RECORD_BYTES = 50;

/** Stores retained messages over restarts of the gateway. */
export interface RetainedStorage {
  load(): readonly KeptMessage[];
  /** Writes along with the next commit, without an extra sync of the disk. */
  write(topic: string, message: KeptMessage | null): void;
}

interface Topic {
  /** What is to be written; undefined when it is stored already. */
  readonly waiting: KeptMessage | null | undefined;
  readonly nextMs: number;
  readonly pauseMs: number;
}

/**
 * Brings retained messages of clients to disk: soon what changes seldom, such as an announcement, ever more seldom what
 * changes all the time, such as a power, and in no case more bytes than a day may have. A crash loses what waits.
 */
export class RetainedKeeper implements Disposable {
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly #storage: RetainedStorage;
  readonly #bytesPerDay: number;
  readonly #topics = new Map<string, Topic>();
  #bytes: number;
  #refilledMs: number;
  #timer: Disposable;

  constructor(parts: {
    readonly clock: Pick<Clock, "monotonicMs" | "timer">;
    readonly storage: RetainedStorage;
    readonly bytesPerDay: number;
  }) {
    this.#clock = parts.clock;
    this.#storage = parts.storage;
    this.#bytesPerDay = parts.bytesPerDay;
    this.#bytes = parts.bytesPerDay / 2;
    this.#refilledMs = parts.clock.monotonicMs();
    this.#timer = this.#again();
  }

  /** A client changed what is retained; null: it is gone. */
  changed(topic: string, message: KeptMessage | null): void {
    const before = this.#topics.get(topic) ?? { nextMs: 0, pauseMs: PAUSE.floorMs / 2 };
    this.#topics.set(topic, { ...before, waiting: message });
  }

  /** Writes what waits, as far as the day's bytes reach. */
  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
    this.#refill();
    for (const [topic, { waiting }] of this.#topics) this.#write(topic, waiting);
    this.#topics.clear();
  }

  #again(): Disposable {
    return this.#clock.timer(FLUSH_MS, () => {
      this.#flush();
      this.#timer = this.#again();
    });
  }

  #flush(): void {
    this.#refill();
    const nowMs = this.#clock.monotonicMs();
    for (const [topic, { waiting, nextMs, pauseMs }] of this.#topics) {
      if (nowMs < nextMs) continue;
      if (waiting === undefined) {
        // It has been quiet for a whole pause.
        this.#topics.delete(topic);
        continue;
      }
      if (!this.#write(topic, waiting)) continue;
      const longerMs = Math.min(pauseMs * 2, PAUSE.ceilingMs);
      this.#topics.set(topic, { waiting: undefined, nextMs: nowMs + longerMs, pauseMs: longerMs });
    }
  }

  #write(topic: string, message: KeptMessage | null | undefined): boolean {
    if (message === undefined) return true;
    const bytes = RECORD_BYTES + Buffer.byteLength(topic) + (message?.payload.length ?? 0);
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    this.#storage.write(topic, message);
    return true;
  }

  #refill(): void {
    const nowMs = this.#clock.monotonicMs();
    const grown = ((nowMs - this.#refilledMs) * this.#bytesPerDay) / DAY_MS;
    this.#bytes = Math.min(this.#bytesPerDay / 2, this.#bytes + grown);
    this.#refilledMs = nowMs;
  }
}
