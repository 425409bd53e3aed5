/** Token buckets: a burst at once, then a steady rate; one bucket a key. */
import { MINUTE_MS } from "../domain/duration.ts";
import type { Clock } from "./ports/ports.ts";

export interface BucketRule {
  /** Tokens of a full bucket. */
  readonly capacity: number;
  readonly perMinute: number;
  /** Buckets remembered; the ones that were used longest ago are forgotten, which makes them full. */
  readonly maxKeys: number;
}

/** How a bucket stands after it was asked. */
export interface BucketState {
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Ms until it is full again. */
  readonly fullInMs: number;
  /** Ms until there is a token; 0 when there is one. */
  readonly waitMs: number;
}

interface Bucket {
  readonly tokens: number;
  /** Monotonic ms. */
  readonly atMs: number;
}

export class TokenBuckets {
  readonly #rule: BucketRule;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rule: BucketRule, clock: Pick<Clock, "monotonicMs">) {
    this.#rule = rule;
    this.#clock = clock;
  }

  /** How the bucket stands; nothing is taken. */
  look(key: string): BucketState {
    return this.#state(this.#tokens(key));
  }

  /** Takes a token when there is one. `waitMs` is above 0 when there was none. */
  take(key: string): BucketState {
    const tokens = this.#tokens(key);
    if (tokens < 1) return this.#state(tokens);
    // Deleted first, so that the map stays ordered by the last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens - 1, atMs: this.#clock.monotonicMs() });
    if (this.#buckets.size > this.#rule.maxKeys) this.#forgetOldest();
    return { ...this.#state(tokens - 1), waitMs: 0 };
  }

  /** Buckets that are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  #forgetOldest(): void {
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#rule.maxKeys) break;
      this.#buckets.delete(oldest);
    }
  }

  #tokens(key: string): number {
    const { capacity, perMinute } = this.#rule;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return capacity;
    const grownBy = ((this.#clock.monotonicMs() - bucket.atMs) * perMinute) / MINUTE_MS;
    return Math.min(capacity, bucket.tokens + grownBy);
  }

  #state(tokens: number): BucketState {
    const { capacity, perMinute } = this.#rule;
    const msFor = (missing: number): number => Math.ceil((Math.max(0, missing) * MINUTE_MS) / perMinute);
    return {
      limit: capacity,
      remaining: Math.floor(tokens),
      fullInMs: msFor(capacity - tokens),
      waitMs: msFor(1 - tokens),
    };
  }
}
