import { type Clock, type Log, z } from "hemgate/sdk";
import { CloudError, type CloudErrorKind } from "./cloud-error.ts";
import type { KeyValueStore } from "./key-value-store.ts";

const NAME = "answers";
/** Less than a stored text may have. */
const MAX_CHARS = 15_000;
/** It cannot be asked for now: what is kept stands. */
const PASSING: readonly CloudErrorKind[] = ["no-budget", "rate-limited", "timeout", "unavailable"];

const Saved = z.record(z.string(), z.object({ wallMs: z.number().nullable(), value: z.unknown() }));

export interface SeldomParts {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly store: KeyValueStore;
  readonly log: Log;
}

export interface SeldomQuestion<Schema extends z.ZodType> {
  readonly key: string;
  /** For how long an answer is as good as a new one, ms. */
  readonly freshMs: number;
  /** What of an answer is kept, and how it is read again from disk. */
  readonly schema: Schema;
  readonly ask: (signal: AbortSignal) => Promise<z.infer<Schema>>;
  /** The failures in which what is kept stands, however old. Absent: those in which the vendor cannot be asked for now. */
  readonly standsIn?: readonly CloudErrorKind[];
}

interface Kept {
  /** When it was asked for; `null` if the clock was not synchronized. */
  readonly wallMs: number | null;
  /** Monotonic ms of that; null: it is from an earlier run, and was not looked at yet. */
  readonly atMs: number | null;
  readonly value: unknown;
}

/**
 * What changes seldom, such as an account's devices and what they can do. It is on disk, so that a restart spends nothing
 * of a small quota, and a device is there after one although nothing of the quota is left.
 */
export class SeldomAnswers {
  readonly #parts: SeldomParts;
  /** What was asked for longest ago is first. */
  readonly #kept: Map<string, Kept>;

  constructor(parts: SeldomParts) {
    this.#parts = parts;
    this.#kept = new Map(saved(parts.store).map(([key, kept]) => [key, { ...kept, atMs: null }]));
  }

  /** Rejects as `ask` does when nothing is kept, or what failed says that it is not so any more. */
  async get<Schema extends z.ZodType>(
    { key, freshMs, schema, ask, standsIn = PASSING }: SeldomQuestion<Schema>,
    signal: AbortSignal,
  ): Promise<z.infer<Schema>> {
    const known = schema.safeParse(this.#kept.get(key)?.value);
    if (known.success && this.#isFresh(key, freshMs)) return known.data;
    try {
      const value = await ask(signal);
      const worthKeeping = schema.safeParse(value);
      if (worthKeeping.success) this.#keep(key, worthKeeping.data);
      return value;
    } catch (error) {
      if (known.success && error instanceof CloudError && standsIn.includes(error.kind)) return known.data;
      throw error;
    }
  }

  /** Drops the kept answer, so that the next `get` asks again. */
  outdate(key: string): void {
    this.#kept.delete(key);
  }

  /** Somebody signed in: the account may have other devices now. What is on disk is `forgetAnswers`' business. */
  forget(): void {
    this.#kept.clear();
  }

  #isFresh(key: string, freshMs: number): boolean {
    const { clock } = this.#parts;
    const kept = this.#kept.get(key);
    if (kept === undefined) return false;
    const nowMs = clock.monotonicMs();
    if (kept.atMs !== null) return nowMs - kept.atMs <= freshMs;
    // While nobody can tell how old it is, it is taken for new, once.
    const isClockSynced = clock.quality() === "synced";
    const ageMs = isClockSynced ? clock.nowMs() - (kept.wallMs ?? Number.NEGATIVE_INFINITY) : 0;
    if (!(ageMs >= 0 && ageMs <= freshMs)) return false;
    this.#kept.set(key, { ...kept, atMs: nowMs - ageMs });
    return true;
  }

  #keep(key: string, value: unknown): void {
    const { clock } = this.#parts;
    const wallMs = clock.quality() === "synced" ? clock.nowMs() : null;
    this.#kept.delete(key);
    this.#kept.set(key, { wallMs, atMs: clock.monotonicMs(), value });
    this.#save();
  }

  #save(): void {
    const { store, log } = this.#parts;
    for (const key of this.#kept.keys()) {
      if (this.#text().length <= MAX_CHARS) break;
      this.#kept.delete(key);
    }
    store
      .put(NAME, this.#text())
      .catch((err: unknown) =>
        log.warn({ err }, "cannot save cloud answers; they will be fetched again after a restart"),
      );
  }

  #text(): string {
    const entries = [...this.#kept].map(([key, { wallMs, value }]) => [key, { wallMs, value }]);
    return JSON.stringify(Object.fromEntries(entries));
  }
}

/** Resolved: the disk knows nothing any more. */
export async function forgetAnswers(store: KeyValueStore): Promise<void> {
  if (store.get(NAME) !== null) await store.put(NAME, "{}");
}

function saved(store: Pick<KeyValueStore, "get">): readonly (readonly [string, Pick<Kept, "wallMs" | "value">])[] {
  const text = store.get(NAME);
  if (text === null) return [];
  try {
    return Object.entries(Saved.parse(JSON.parse(text)));
  } catch {
    return [];
  }
}
