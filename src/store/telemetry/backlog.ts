/**
 * Samples on their way to the disk: open ones of the running minute, and sealed blocks that wait for a write. Both are
 * bounded; when the disk refuses for long the oldest blocks are dropped and the hole is recorded.
 */
import assert from "node:assert/strict";
import { MINUTE_MS } from "../../domain/duration.ts";
import { type Place, seal } from "../envelope.ts";
import type { TelemetrySample } from "../store.ts";
import { encodeBlock } from "./block.ts";
import { blockKey, dayOf, minuteOf } from "./telemetry-keys.ts";

/** A minute of 300 devices at a sample a second. More are sealed before the minute is over. */
const MAX_OPEN_SAMPLES = 18_000;
/** About four days of 20 devices with a dozen points each every 5 s. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface Block {
  readonly key: string;
  readonly deviceId: string;
  /** Its first minute since 1970. */
  readonly minute: number;
  readonly sealed: Uint8Array;
  readonly samples: number;
}

/** Samples that were dropped before they reached the disk. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly samples: number;
}

export interface BacklogOptions {
  /** Minutes that a block covers. */
  readonly blockMinutes: number;
  readonly maxWaitingBytes: number;
  /** Told of blocks that had to go. */
  dropped(gap: Gap): void;
}

export class Backlog {
  #open: TelemetrySample[] = [];
  #blocks: Block[] = [];
  #blockBytes = 0;
  #lastPlace: Place = { epoch: 0, seq: 0 };
  readonly #options: BacklogOptions;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Blocks made from now on carry this epoch in their keys. */
  startEpoch(epoch: number): void {
    this.#lastPlace = { epoch, seq: 0 };
  }

  nextPlace(): Place {
    this.#lastPlace = { epoch: this.#lastPlace.epoch, seq: this.#lastPlace.seq + 1 };
    return this.#lastPlace;
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  add(sample: TelemetrySample): void {
    assert(Number.isFinite(sample.atMs) && !sample.deviceId.includes("!"));
    for (const { point, value } of sample.values) {
      assert(typeof value !== "number" || Number.isFinite(value), `${point} is null when the device cannot tell`);
    }
    this.#open.push(sample);
    if (this.#open.length >= MAX_OPEN_SAMPLES) this.seal(Number.POSITIVE_INFINITY);
  }

  /** Makes blocks of the samples before `beforeMs`. A sample later than `nowMs` belongs to a clock that was set back. */
  seal(beforeMs: number, nowMs = beforeMs): void {
    const groups = new Map<string, TelemetrySample[]>();
    const remaining: TelemetrySample[] = [];
    for (const sample of this.#open) {
      if (sample.atMs >= beforeMs && sample.atMs <= nowMs) {
        remaining.push(sample);
        continue;
      }
      const name = `${sample.deviceId}!${this.#firstMinute(sample.atMs)}`;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [sample]);
      else group.push(sample);
    }
    this.#open = remaining;
    for (const group of groups.values()) this.#addBlock(group);
    this.#dropExcess();
  }

  /** Forgets blocks that are on disk now. */
  written(blocks: readonly Block[]): void {
    const gone = new Set(blocks);
    this.#blocks = this.#blocks.filter((block) => !gone.has(block));
    this.#blockBytes = this.#blocks.reduce((bytes, block) => bytes + sizeOf(block), 0);
  }

  /** Drops what waits of a device. */
  forget(deviceId: string): void {
    this.#open = this.#open.filter((sample) => sample.deviceId !== deviceId);
    this.written(this.#blocks.filter((block) => block.deviceId === deviceId));
  }

  /** The open samples of a device in [fromMs, toMs). */
  openSamples(deviceId: string, fromMs: number, toMs: number): readonly TelemetrySample[] {
    return this.#open.filter((sample) => {
      return sample.deviceId === deviceId && sample.atMs >= fromMs && sample.atMs < toMs;
    });
  }

  #addBlock(samples: readonly TelemetrySample[]): void {
    const [first] = samples;
    assert(first !== undefined);
    const sorted = samples.toSorted((one, other) => one.atMs - other.atMs);
    const minute = this.#firstMinute(first.atMs);
    const place = this.nextPlace();
    const key = blockKey(first.deviceId, minute, place);
    const sealed = seal(key, place, encodeBlock(sorted));
    const block: Block = { key, deviceId: first.deviceId, minute, sealed, samples: samples.length };
    this.#blocks.push(block);
    this.#blockBytes += sizeOf(block);
  }

  #firstMinute(atMs: number): number {
    const { blockMinutes } = this.#options;
    return Math.floor(minuteOf(atMs) / blockMinutes) * blockMinutes;
  }

  #dropExcess(): void {
    const dropped: Block[] = [];
    while (this.#blockBytes > this.#options.maxWaitingBytes) {
      const block = this.#blocks.shift();
      if (block === undefined) break;
      this.#blockBytes -= sizeOf(block);
      dropped.push(block);
    }
    if (dropped.length > 0) this.#options.dropped(gapOf(dropped, this.#options.blockMinutes));
  }
}

function sizeOf(block: Block): number {
  return block.key.length + block.sealed.length;
}

/** What the days take in which blocks lie, with them. */
export function grownSizes(blocks: readonly Block[], known: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const block of blocks) {
    const day = dayOf(block.minute * MINUTE_MS);
    sizes.set(day, (sizes.get(day) ?? known.get(day) ?? 0) + sizeOf(block));
  }
  return sizes;
}

function gapOf(blocks: readonly Block[], blockMinutes: number): Gap {
  const minutes = blocks.map((block) => block.minute);
  return {
    fromMs: Math.min(...minutes) * MINUTE_MS,
    toMs: (Math.max(...minutes) + blockMinutes) * MINUTE_MS,
    samples: blocks.reduce((count, block) => count + block.samples, 0),
  };
}

/** The oldest blocks, as many as fit; always one. */
export function firstBlocks(blocks: readonly Block[], maxBytes: number): readonly Block[] {
  let bytes = 0;
  return blocks.filter((block) => {
    bytes += sizeOf(block);
    return bytes <= maxBytes || bytes === sizeOf(block);
  });
}

/** Drops follow each other while the disk refuses; they are one hole. */
export function joinGaps(gaps: readonly Gap[], next: Gap): Gap[] {
  const last = gaps.at(-1);
  if (last === undefined || next.fromMs > last.toMs) return [...gaps, next];
  const joined: Gap = {
    fromMs: Math.min(last.fromMs, next.fromMs),
    toMs: Math.max(last.toMs, next.toMs),
    samples: last.samples + next.samples,
  };
  return [...gaps.slice(0, -1), joined];
}
