import {
  type BackoffRange,
  backoffMs,
  DeviceError,
  type DeviceIdentity,
  errorText,
  HOUR_MS,
  type Log,
  type PointName,
  TimeoutError,
  within,
} from "hemgate/sdk";
import type { LineWorld } from "./line-place.ts";
import type { LineSource } from "./line-source.ts";
import { type MeterPoints, meterPoints } from "./meter-points.ts";
import type { ReadOutcome, Telegram } from "./telegram.ts";

const BACKOFF: BackoffRange = { floorMs: 1_000, ceilingMs: 30_000 };
/** So many telegrams may be missing, */
const LATE_FACTOR = 3;
/** but a silence shorter than this says nothing. */
const LEAST_LIMIT_MS = 10_000;
/** Pauses between telegrams that the usual one is learned from; the longest of them counts as an outage. */
const LEARNED_FROM = 6;
/** An interval so many times as long as expected is no interval. */
const MAX_LEARNED_FACTOR = 4;
/** Damaged telegrams are logged at most once in this time, ms. */
const TELL_EVERY_MS = HOUR_MS;

/** A telegram as it was taken. */
export interface Taken {
  readonly identity: DeviceIdentity;
  readonly points: MeterPoints;
  /** Monotonic ms. */
  readonly atMs: number;
  /** Of the telegrams of this line, from 1. */
  readonly number: number;
}

export interface MeterLineParts {
  readonly world: LineWorld;
  readonly log: Log;
  /** What people call the line. */
  readonly name: string;
  readonly source: LineSource;
  /** How often a telegram is expected, ms; until it is learned, where it may be. */
  readonly intervalMs: number;
  /** True: the interval is what the telegrams show, within limits. */
  readonly learnsInterval: boolean;
}

/** Listens on a line, finds back to it when it fails, and keeps the last telegram. */
export class MeterLine implements Disposable {
  readonly #parts: MeterLineParts;
  readonly #stop = new AbortController();
  readonly #gapsMs: number[] = [];
  readonly #points = new Set<PointName>();
  #latest: Taken | null = null;
  #failure: string | null = null;
  #bytes = 0;
  #dropped = 0;
  #lastDropped = "";
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #hasLoggedOthers = false;
  #news = Promise.withResolvers<void>();

  /** The caller disposes it. */
  static start(parts: MeterLineParts): MeterLine {
    const line = new MeterLine(parts);
    void line.#run();
    return line;
  }

  private constructor(parts: MeterLineParts) {
    this.#parts = parts;
  }

  get latest(): Taken | null {
    return this.#latest;
  }

  /** All points that any telegram contained so far. */
  get points(): readonly PointName[] {
    return [...this.#points];
  }

  /** Telegrams that were not whole or not right. */
  get dropped(): number {
    return this.#dropped;
  }

  /** True: the line is open and something comes, if not a telegram yet. */
  get isTalking(): boolean {
    return this.#failure === null && this.#bytes > 0;
  }

  /** Why there is nothing to read now; null when there is. */
  absence(): string | null {
    const { name, world } = this.#parts;
    const ageMs = this.#latest === null ? null : world.clock.monotonicMs() - this.#latest.atMs;
    if (ageMs !== null && ageMs <= this.#limitMs()) return null;
    if (this.#failure !== null) return this.#failure;
    const since = ageMs === null ? "no telegram came yet" : `no telegram for ${Math.round(ageMs / 1_000)} s`;
    if (this.#dropped > 0) {
      return `${name}: ${since}; ${this.#dropped} were not right, the last because: ${this.#lastDropped}`;
    }
    if (ageMs !== null) return `${name}: ${since}`;
    if (this.#bytes === 0) return `${name}: nothing comes from the meter`;
    return `${name}: ${this.#bytes} bytes came, but no telegram; is the line set as the meter is, and the protocol right?`;
  }

  /** Resolves when there is a telegram, or when none came in time; the latter rejects with a `DeviceError`. */
  async untilTelegram(limitMs: number, signal: AbortSignal): Promise<void> {
    try {
      await within(this.#parts.world.clock, limitMs, signal, async () => {
        while (this.absence() !== null) await this.#news.promise;
      });
    } catch (error) {
      if (!(error instanceof TimeoutError) || signal.aborted) throw error;
      throw new DeviceError("unreachable", this.absence() ?? "no telegram came", { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort(new DeviceError("unreachable", `${this.#parts.name}: closed`));
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { world, log, name, source } = this.#parts;
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      const before = this.#latest;
      try {
        await source({ received: (count) => this.#receive(count), outcome: (outcome) => this.#hear(outcome) }, signal);
      } catch (error) {
        if (signal.aborted) return;
        failures = this.#latest === before ? failures + 1 : 1;
        this.#failure = error instanceof DeviceError ? error.message : `${name}: ${errorText(error)}`;
        if (error instanceof DeviceError) log.debug({ reason: this.#failure }, "line to a meter failed");
        else log.error({ err: error }, "line to a meter failed");
      }
      await world.clock.sleep(backoffMs(failures, BACKOFF, world.random), signal).catch(() => undefined);
    }
  }

  #receive(count: number): void {
    this.#failure = null;
    this.#bytes += count;
  }

  #hear(outcome: ReadOutcome): void {
    if (outcome.kind === "dropped") this.#drop(outcome.why);
    else this.#take(outcome.telegram);
  }

  #take({ identity, registers, otherMedia }: Telegram): void {
    const points = meterPoints(registers);
    if (points.size === 0) {
      this.#drop("it carries nothing about electricity");
      return;
    }
    const atMs = this.#parts.world.clock.monotonicMs();
    if (this.#latest !== null) {
      this.#gapsMs.push(atMs - this.#latest.atMs);
      if (this.#gapsMs.length > LEARNED_FROM) this.#gapsMs.shift();
    }
    for (const point of points.keys()) this.#points.add(point);
    this.#latest = { identity, points, atMs, number: (this.#latest?.number ?? 0) + 1 };
    if (otherMedia.length > 0 && !this.#hasLoggedOthers) {
      this.#hasLoggedOthers = true;
      this.#parts.log.debug({ otherMedia }, "other meters in the telegram are not read");
    }
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }

  #drop(why: string): void {
    const { log, world } = this.#parts;
    this.#dropped += 1;
    this.#lastDropped = why;
    const nowMs = world.clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < TELL_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    log.warn({ why, dropped: this.#dropped }, "telegram of a meter dropped");
  }

  #limitMs(): number {
    const { intervalMs, learnsInterval } = this.#parts;
    const hasLearned = learnsInterval && this.#gapsMs.length === LEARNED_FROM;
    const sorted = this.#gapsMs.toSorted((a, b) => b - a);
    const longestMs = Math.min((hasLearned ? sorted[1] : sorted[0]) ?? 0, intervalMs * MAX_LEARNED_FACTOR);
    const usualMs = hasLearned ? longestMs : Math.max(intervalMs, learnsInterval ? longestMs : 0);
    return Math.max(LEAST_LIMIT_MS, usualMs * LATE_FACTOR);
  }
}
