/** Counters of a session since its start. */
import { z } from "zod";
import { SECOND_MS } from "../../domain/duration.ts";
import type { CloudCounts, CloudRefusal } from "../../engine/contracts/cloud-link.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { GAP_EVENT } from "../../store/outbox/outbox.ts";
import type { Batch, Gap } from "../protocol/batch.ts";
import { Rate } from "./progress.ts";

/** The reason for numbers of an earlier epoch that the disk or the cloud service lost. */
const LOST = "lost";

const LostNumbers = z.looseObject({
  gaps: z.array(z.looseObject({ epoch: z.string(), stream: z.string(), from: z.int(), through: z.int() })),
});

type Gone = CloudCounts["gone"][number];

/** The effect of one acknowledgement. */
export interface Acked {
  /** Newly acknowledged numbers. */
  readonly count: number;
  /** For each batch that is completely acknowledged and was sent once: the time from sending to acknowledgement, ms. */
  readonly waitedMs: readonly number[];
}

/** Counts acknowledged, lost and refused records. */
export class SyncCounters {
  readonly #clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly #rate: Rate;
  readonly #rates = new Map<string, Rate>();
  readonly #gone = new Map<string, Gone>();
  /** The last number of each stream whose gaps are counted, because gaps are sent again with a replay. */
  readonly #counted = new Map<string, { readonly epoch: string; readonly through: number }>();
  /** Counted numbers of earlier epochs; more of an epoch may turn out to be lost later. */
  readonly #lost = new Map<string, number>();
  #batches = 0;
  #ackMs = 0;
  #lastAckMs: number | null = null;
  #refusal: CloudRefusal | null = null;

  constructor(clock: Pick<Clock, "monotonicMs" | "nowMs">) {
    this.#clock = clock;
    this.#rate = new Rate(clock);
  }

  /** Acknowledged records per second, of all streams; `null` if there were none recently. */
  get ratePerS(): number | null {
    return this.#rate.perS;
  }

  /** Returns the acknowledged records per second of a stream; `null` if there were none recently. */
  rateOf(stream: string): number | null {
    return this.#rates.get(stream)?.perS ?? null;
  }

  /** All counters except the replays, which each connection counts. */
  get counts(): Omit<CloudCounts, "replays"> {
    const acks = { batches: this.#batches, ms: this.#ackMs, lastMs: this.#lastAckMs };
    return { gone: [...this.#gone.values()], acks };
  }

  /** Counts the gaps and losses in a sent batch; one that is sent again counts once. */
  sent({ stream, epoch, gaps, records }: Batch): void {
    for (const gap of gaps) this.#addGap(stream, epoch, gap);
    for (const { event, payload } of records) if (event === GAP_EVENT) this.#addLost(payload);
  }

  /** Counts an acknowledgement. */
  acked(stream: string, { count, waitedMs }: Acked): void {
    const rate = this.#rates.get(stream) ?? new Rate(this.#clock);
    this.#rates.set(stream, rate);
    rate.add(count);
    this.#rate.add(count);
    this.#batches += waitedMs.length;
    for (const ms of waitedMs) this.#ackMs += ms;
    this.#lastAckMs = waitedMs.at(-1) ?? this.#lastAckMs;
  }

  /** The last refusal, with the count of all; `null` if there was none. */
  get refusal(): CloudRefusal | null {
    return this.#refusal;
  }

  /** Counts refused records, or a refused message. */
  refused({ stream, from, through, reason }: Pick<CloudRefusal, "stream" | "from" | "through" | "reason">): void {
    const count = (this.#refusal?.count ?? 0) + Math.max(1, through - from + 1);
    this.#refusal = { count, stream, from, through, reason, atMs: this.#clock.nowMs() };
  }

  #addGap(stream: string, epoch: string, { from, through, reason, fromMs, throughMs }: Gap): void {
    const counted = this.#counted.get(stream);
    const before = counted?.epoch === epoch ? counted.through : 0;
    const numbers = through - Math.max(from - 1, before);
    if (numbers <= 0) return;
    this.#counted.set(stream, { epoch, through });
    const ms = fromMs === undefined || throughMs === undefined ? 0 : throughMs - fromMs;
    const seconds = (ms / SECOND_MS) * (numbers / (through - from + 1));
    this.#add({ stream, reason, numbers, seconds });
  }

  #addLost(payload: unknown): void {
    const lost = LostNumbers.safeParse(payload);
    for (const { epoch, stream, from, through } of lost.data?.gaps ?? []) {
      const key = `${stream}/${epoch}`;
      const numbers = through - from + 1 - (this.#lost.get(key) ?? 0);
      if (numbers <= 0) continue;
      this.#lost.set(key, through - from + 1);
      this.#add({ stream, reason: LOST, numbers, seconds: 0 });
    }
  }

  #add(more: Gone): void {
    const key = `${more.stream}/${more.reason}`;
    const known = this.#gone.get(key);
    const numbers = (known?.numbers ?? 0) + more.numbers;
    this.#gone.set(key, { ...more, numbers, seconds: (known?.seconds ?? 0) + more.seconds });
  }
}
