import { type Clock, HOUR_MS, type Log, MINUTE_MS, z } from "hemgate/sdk";
import type { BudgetRule } from "../connector.ts";
import type { KeyValueStore } from "../session/key-value-store.ts";
import { BudgetClock, type Moment } from "./budget-clock.ts";
import { BudgetCount, SavedCount } from "./budget-count.ts";

const NAME = "budget";
/** How often a book that has no date on disk is written by itself: once it can be dated, and while it cannot, ms. */
const REWRITE_MS = { dated: MINUTE_MS, undated: HOUR_MS } as const;
/** A shorter pause is not worth a write. */
const KEPT_PAUSE_MS = MINUTE_MS;

/** As on disk. Times are budget time, ms. */
const SavedBook = z.object({
  /** When it was written. `wallMs` is null if the wall clock was not trusted. */
  atMs: z.number(),
  wallMs: z.number().nullable(),
  /** Until when the wall clock is not trusted because it stepped. */
  distrustedUntilMs: z.number(),
  /** When the vendor was last to be left alone, and for how long, ms. */
  pause: z.object({ atMs: z.number(), forMs: z.number() }),
  /** When the counts could not be read; null: never. */
  unreadableAtMs: z.number().nullable(),
  /** By the rule's name, or name, blank and subject. */
  counts: z.record(z.string(), SavedCount),
});
type SavedBook = z.infer<typeof SavedBook>;

const NEW_BOOK: SavedBook = {
  atMs: 0,
  wallMs: null,
  distrustedUntilMs: 0,
  pause: { atMs: 0, forMs: 0 },
  unreadableAtMs: null,
  counts: {},
};

export interface BudgetBookParts {
  readonly rules: readonly BudgetRule[];
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly store: KeyValueStore;
  readonly log: Log;
}

/**
 * The counts that are kept in one store: those of an account, or those that all accounts of a registration share. The disk
 * knows of each unit before it is spent. Where it is unknown when units were spent, they count as if they were spent as
 * late as they could be, so no restart refills a budget (docs/decisions/023-quotas-in-running-time.md).
 */
export class BudgetBook {
  readonly #store: KeyValueStore;
  readonly #log: Log;
  readonly #time: BudgetClock;
  readonly #counts = new Map<string, BudgetCount>();
  #windfalls = 0;
  /** False while days and months count like sliding windows, for want of a wall clock. */
  #isDated = true;
  #onDisk: SavedBook;
  /** When it was last written or tried to. */
  #triedMs: number;
  #isClosed = false;
  #pause: SavedBook["pause"];
  #unreadableAtMs: number | null;
  #saving: Promise<void> | null = null;

  constructor({ rules, clock, store, log }: BudgetBookParts) {
    this.#store = store;
    this.#log = log;
    const text = store.get(NAME);
    const saved = text === null ? NEW_BOOK : parsed(text);
    this.#onDisk = saved ?? NEW_BOOK;
    this.#time = new BudgetClock(clock, this.#onDisk);
    this.#triedMs = this.#onDisk.atMs;
    this.#pause = this.#onDisk.pause;
    this.#unreadableAtMs = saved === null ? this.#time.startMs : saved.unreadableAtMs;
    for (const [key, count] of Object.entries(this.#onDisk.counts)) {
      const rule = rules.find(({ name }) => name === key.split(" ", 1)[0]);
      if (rule !== undefined) this.#add(key, rule).restore(count, this.#time.startMs);
    }
    // The first look at the wall clock: from here on a step is seen.
    this.now();
    if (saved !== null) return;
    log.warn({}, "cannot read the quota counts; assuming that polls used up their quotas");
    this.note();
  }

  /** How often there was more left at once than the counts let foresee: earlier plans may be revised. */
  get windfalls(): number {
    this.now();
    return this.#windfalls;
  }

  /** The vendor counts less than we did. */
  windfall(): void {
    this.#windfalls += 1;
  }

  now(): Moment {
    const offMs = this.#time.catchUp();
    if (offMs > 0) this.#shift(offMs);
    const now = this.#time.now();
    const isDated = now.wallMs !== null;
    if (isDated && !this.#isDated) this.windfall();
    this.#isDated = isDated;
    this.#rewrite(now);
    return now;
  }

  /** How much longer the vendor is to be left alone, ms. */
  get pauseMs(): number {
    const { atMs } = this.now();
    return Math.max(0, this.#pause.atMs + this.#pause.forMs - atMs);
  }

  /** Returns the count of a rule for a subject; `null`: for all of the book. */
  count(rule: BudgetRule, subject: string | null): BudgetCount {
    const key = subject === null ? rule.name : `${rule.name} ${subject}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = this.#add(key, rule);
    if (this.#unreadableAtMs !== null) count.assumeSpent(this.#unreadableAtMs);
    return count;
  }

  /** Returns the counts that have anything, by the rule's name, or name, blank and subject. */
  counts(): Iterable<readonly [key: string, count: BudgetCount]> {
    return this.#counts;
  }

  /** Leaves the vendor alone for so long, ms, or longer if that was required before. */
  pause(ms: number): void {
    if (ms > this.pauseMs) this.#pause = { atMs: this.now().atMs, forMs: ms };
    if (ms >= KEPT_PAUSE_MS) this.note();
  }

  /** Writes what the vendor reported, so that a restart knows it. */
  note(): void {
    if (this.#isClosed) return;
    const saving = this.#saving?.catch(() => undefined).then(() => this.#keep()) ?? this.#keep();
    saving.catch((err: unknown) => this.#log.warn({ err }, "cannot write the quota counts; trying again later"));
  }

  /** Resolves when all reserved units are on disk; rejects if the disk refuses. */
  async cover(): Promise<void> {
    while (this.#saving !== null || this.#isUncovered()) await (this.#saving ?? this.#keep());
  }

  /** Writes what was spent and nothing ahead of it, so that an orderly restart loses no units. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#saving?.catch(() => undefined);
    await this.#write(true);
  }

  #add(key: string, rule: BudgetRule): BudgetCount {
    const count = new BudgetCount(rule);
    this.#counts.set(key, count);
    return count;
  }

  /** The clock is on by so much: what happened in this run did so that much later. */
  #shift(ms: number): void {
    const { startMs } = this.#time;
    for (const count of this.#counts.values()) count.shift(startMs, ms);
    if (this.#pause.atMs >= startMs) this.#pause = { ...this.#pause, atMs: this.#pause.atMs + ms };
  }

  #isUncovered(): boolean {
    if (this.#time.distrustedUntilMs > this.#onDisk.distrustedUntilMs) return true;
    return this.#counts.values().some((count) => count.isUncovered);
  }

  #keep(): Promise<void> {
    this.#saving ??= this.#write(false).finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #write(isLast: boolean): Promise<void> {
    this.#triedMs = this.#time.now().atMs;
    const now = this.now();
    for (const [key, count] of this.#counts) if (count.isEmpty(now)) this.#counts.delete(key);
    const counts = [...this.#counts].map(([key, count]) => ({ key, ...count.save(now, isLast) }));
    const book: SavedBook = {
      ...now,
      distrustedUntilMs: this.#time.distrustedUntilMs,
      pause: this.#pause,
      unreadableAtMs: this.#unreadableAtMs,
      counts: Object.fromEntries(counts.map(({ key, saved }) => [key, saved])),
    };
    await this.#store.put(NAME, JSON.stringify(book));
    this.#onDisk = book;
    for (const { covered } of counts) covered();
  }

  /**
   * Writes a book without a date once it can be dated, and now and then while it cannot: nothing else would write it while
   * no units are left, and each restart would begin where the last one did.
   */
  #rewrite({ atMs, wallMs }: Moment): void {
    const { counts, unreadableAtMs } = this.#onDisk;
    const isEmpty = unreadableAtMs === null && Object.keys(counts).length === 0;
    if (isEmpty || (wallMs !== null && this.#onDisk.wallMs !== null)) return;
    if (atMs - this.#triedMs < (wallMs === null ? REWRITE_MS.undated : REWRITE_MS.dated)) return;
    this.#triedMs = atMs;
    // The caller may be about to count.
    queueMicrotask(() => this.note());
  }
}

function parsed(text: string): SavedBook | null {
  try {
    return SavedBook.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
