/**
 * Samples that are not on disk yet: open ones of the current minutes, and sealed blocks that wait for a write. Both are
 * limited; if the disk refuses for long, the oldest blocks are dropped and the gap is recorded.
 */
import assert from "node:assert/strict";
import { MINUTE_MS } from "../../domain/duration.ts";
import { type Place, seal } from "../envelope.ts";
import type { TelemetrySample } from "../store.ts";
import { encodeBlock } from "./block.ts";
import { blockKey, dayOf, minuteOf } from "./telemetry-keys.ts";

/** A minute of 300 devices with one sample per second. With more, the device that waits longest is sealed early. */
const MAX_OPEN_SAMPLES = 18_000;
/** Samples that are sealed in one go, a few ms on a small box. */
const SAMPLES_AT_ONCE = 300;
/** About four days of 20 devices with a dozen points every 5 s. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface Block {
  readonly key: string;
  readonly deviceId: string;
  /** The first minute, minutes since 1970. */
  readonly minute: number;
  readonly sealed: Uint8Array;
  readonly samples: number;
}

/** Samples that were dropped before they were on disk. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly samples: number;
}

export interface BacklogOptions {
  /** Minutes per block. */
  readonly blockMinutes: number;
  readonly maxWaitingBytes: number;
  /** Called with dropped blocks. */
  dropped(gap: Gap): void;
}

export class Backlog {
  /** Open samples by device. */
  readonly #open = new Map<string, TelemetrySample[]>();
  #openCount = 0;
  #blocks: Block[] = [];
  /** The blocks by device; `null` until it is needed. */
  #blocksByDevice: ReadonlyMap<string, readonly Block[]> | null = null;
  #blockBytes = 0;
  #lastPlace: Place = { epoch: 0, seq: 0 };
  readonly #options: BacklogOptions;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Sets the epoch in the keys of further blocks. */
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

  /** Returns the blocks of a device, in the order of their creation. */
  blocksOf(deviceId: string): readonly Block[] {
    this.#blocksByDevice ??= Map.groupBy(this.#blocks, (block) => block.deviceId);
    return this.#blocksByDevice.get(deviceId) ?? [];
  }

  add(sample: TelemetrySample): void {
    assert(Number.isFinite(sample.atMs) && !sample.deviceId.includes("!"));
    for (const { point, value } of sample.values) {
      assert(typeof value !== "number" || Number.isFinite(value), `${point} is null when the device cannot tell`);
    }
    this.#addOpen(sample);
    const [longest] = this.#open.keys();
    if (this.#openCount < MAX_OPEN_SAMPLES || longest === undefined) return;
    this.#sealDevice(longest, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    this.#dropExcess();
  }

  /**
   * Seals the samples before `beforeMs` into blocks, some devices at a time: others may run whenever it yields. A sample
   * later than `nowMs` is from before the clock was set back, and is sealed too.
   */
  *seal(beforeMs: number, nowMs: number): Generator<void> {
    let sealed = 0;
    for (const deviceId of [...this.#open.keys()]) {
      if (sealed >= SAMPLES_AT_ONCE) {
        yield;
        sealed = 0;
      }
      sealed += this.#sealDevice(deviceId, beforeMs, nowMs);
    }
    this.#dropExcess();
  }

  /** Removes blocks that are on disk. */
  written(blocks: readonly Block[]): void {
    const gone = new Set(blocks);
    this.#blocks = this.#blocks.filter((block) => !gone.has(block));
    this.#blocksByDevice = null;
    this.#blockBytes = this.#blocks.reduce((bytes, block) => bytes + sizeOf(block), 0);
  }

  /** Removes all samples of a device. */
  forget(deviceId: string): void {
    this.#openCount -= this.#open.get(deviceId)?.length ?? 0;
    this.#open.delete(deviceId);
    this.written(this.blocksOf(deviceId));
  }

  /** Returns the open samples of a device in [fromMs, toMs). */
  openSamples(deviceId: string, fromMs: number, toMs: number): readonly TelemetrySample[] {
    return (this.#open.get(deviceId) ?? []).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  }

  /** Returns how many samples there were. */
  #sealDevice(deviceId: string, beforeMs: number, nowMs: number): number {
    const samples = this.#open.get(deviceId) ?? [];
    this.#open.delete(deviceId);
    this.#openCount -= samples.length;
    const isLeftOpen = ({ atMs }: TelemetrySample): boolean => atMs >= beforeMs && atMs <= nowMs;
    for (const sample of samples) if (isLeftOpen(sample)) this.#addOpen(sample);
    const done = samples.filter((sample) => !isLeftOpen(sample));
    for (const group of Map.groupBy(done, ({ atMs }) => this.#firstMinute(atMs)).values()) this.#addBlock(group);
    return samples.length;
  }

  #addOpen(sample: TelemetrySample): void {
    const samples = this.#open.get(sample.deviceId);
    if (samples === undefined) this.#open.set(sample.deviceId, [sample]);
    else samples.push(sample);
    this.#openCount += 1;
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
    this.#blocksByDevice = null;
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
      this.#blocksByDevice = null;
      this.#blockBytes -= sizeOf(block);
      dropped.push(block);
    }
    if (dropped.length > 0) this.#options.dropped(gapOf(dropped, this.#options.blockMinutes));
  }
}

function sizeOf(block: Block): number {
  return block.key.length + block.sealed.length;
}

/** Returns the sizes of the days of these blocks, including the blocks. */
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

/** Returns the oldest blocks, as many as fit, at least one. */
export function firstBlocks(blocks: readonly Block[], maxBytes: number): readonly Block[] {
  let bytes = 0;
  return blocks.filter((block) => {
    bytes += sizeOf(block);
    return bytes <= maxBytes || bytes === sizeOf(block);
  });
}

/** Joins consecutive gaps into one, because drops follow each other while the disk refuses. */
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
