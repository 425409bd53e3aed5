import { type Clock, type Log, z } from "hemgate/sdk";
import type { BudgetRule } from "../connector.ts";
import type { KeyValueStore } from "../session/key-value-store.ts";
import { BudgetCount, SavedCount } from "./budget-count.ts";
import { longestMs } from "./budget-window.ts";
import { type Moment, SteadyWall } from "./steady-wall.ts";

const NAME = "budget";
/** What two wall clocks that were right may have been apart. */
const CLOCKS_DIFFER_MS = 60_000;
/** A time source finds a clock that somebody turned within this time. */
const SET_RIGHT_WITHIN_MS = 24 * 60 * 60_000;
/** How often it is tried to write a book that has no date: where there is one, and while there is none. */
const DATED_MS = 60_000;
const UNDATED_MS = 60 * 60_000;
/** A shorter rest is not worth a write. */
const KEPT_REST_MS = 60_000;

const SavedBook = z.object({
  /**
   * The book's date: when it was written by the last wall clock that was right, and as if no time had passed between the
   * runs since. Null: no time source confirmed one, or it stepped and may have been wrong.
   */
  wallMs: z.number().nullable(),
  /** How long ago the wall clock was last seen to step, ms; null: never. */
  steppedAgoMs: z.number().nullable(),
  /** How long the vendor wants to be left alone, ms. */
  restMs: z.number(),
  /** The same, wanted after the book's date by a run that never knew what time it was. */
  undatedRestMs: z.number().default(0),
  /** By the rule's name, or name, blank and subject. */
  counts: z.record(z.string(), SavedCount),
});
type SavedBook = z.infer<typeof SavedBook>;

export interface BudgetBookParts {
  readonly rules: readonly BudgetRule[];
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly store: KeyValueStore;
  readonly log: Log;
}

/** Two runs, before it is known how long it was between them. */
interface Gap {
  readonly fromWallMs: number;
  readonly toMs: number;
  /** The rest as the book of that date has it; null: a later run added its own. */
  readonly restUntilMs: number | null;
}

/**
 * The counts that are kept in one store: those of an account, or those that all accounts of a registration share. What
 * is on disk is never less than what was spent, so no restart refills a budget. A restart counts as if no time had
 * passed, until a wall clock that was right before and is right now tells how much did.
 */
export class BudgetBook {
  readonly #store: KeyValueStore;
  readonly #log: Log;
  readonly #wall: SteadyWall;
  readonly #counts = new Map<string, BudgetCount>();
  readonly #isUnreadable: boolean;
  /** How long the wall clock is not believed after a step, ms. */
  readonly #doubtMs: number;
  #gap: Gap | null = null;
  #windfalls = 0;
  /** False: without a wall clock that is right, days and months count like windows that slide. */
  #isDated = true;
  /** True: what is on disk grows no older while the gateway is off. */
  #isDiskUndated = false;
  /** When it was last tried to write it, monotonic ms. */
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #saving: Promise<void> | null = null;
  /** The last step of the wall clock that the disk knows of, monotonic ms. */
  #savedStepMs = Number.NEGATIVE_INFINITY;

  constructor({ rules, clock, store, log }: BudgetBookParts) {
    this.#store = store;
    this.#log = log;
    this.#wall = new SteadyWall(clock);
    this.#doubtMs = Math.max(SET_RIGHT_WITHIN_MS, ...rules.map(longestMs));
    const text = store.get(NAME);
    const saved = text === null ? null : parsed(text);
    this.#isUnreadable = text !== null && saved === null;
    if (this.#isUnreadable) log.warn({}, "cloud budget not readable: all that polls may spend counts as spent");
    if (saved !== null) this.#restore(saved, rules, this.#wall.moment());
    // Looked at from the start, so that no step goes unseen.
    this.moment();
  }

  /** How often there was more left at once than the counts let foresee: earlier plans may be revised. */
  get windfalls(): number {
    this.moment();
    return this.#windfalls;
  }

  /** The vendor counts less than we did. */
  windfall(): void {
    this.#windfalls += 1;
  }

  moment(): Moment {
    const moment = this.#wall.moment();
    if (moment.wallOffsetMs !== null && !this.#isDated) this.windfall();
    this.#isDated = moment.wallOffsetMs !== null;
    if (this.#gap !== null && moment.wallOffsetMs !== null) this.#bridge(this.#gap, moment.wallOffsetMs);
    if (this.#isDiskUndated) this.#date(moment);
    return moment;
  }

  /** Until when the vendor wants to be left alone, monotonic ms. */
  get restUntilMs(): number {
    return this.#restUntilMs;
  }

  /** The count of a rule for those who share it; null: for all of the book. */
  count(rule: BudgetRule, subject: string | null): BudgetCount {
    const key = subject === null ? rule.name : `${rule.name} ${subject}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = new BudgetCount(rule);
    if (this.#isUnreadable) count.assumeSpent(this.moment());
    this.#counts.set(key, count);
    return count;
  }

  /** The counts that hold anything, by the rule's name, or name, blank and subject. */
  counts(): Iterable<readonly [key: string, count: BudgetCount]> {
    return this.#counts;
  }

  /** Leaves the vendor alone for so long, ms, or longer where that was wanted before. */
  rest(ms: number): void {
    this.#restUntilMs = Math.max(this.#restUntilMs, this.moment().nowMs + ms);
    if (ms >= KEPT_REST_MS) this.note();
  }

  /** Writes what the vendor said, so that a restart knows it. */
  note(): void {
    if (this.#isClosed) return;
    const saving = this.#saving?.catch(() => undefined).then(() => this.#keep()) ?? this.#keep();
    saving.catch((err: unknown) => this.#log.warn({ err }, "cloud budget not kept yet"));
  }

  /** Resolved: what is held is on disk. Rejects when the disk refuses. */
  async cover(): Promise<void> {
    while (this.#saving !== null || this.#isUncovered()) await (this.#saving ?? this.#keep());
  }

  /** Writes what was spent and nothing ahead of it, so that an orderly restart loses none. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#saving?.catch(() => undefined);
    await this.#write(true);
  }

  #isUncovered(): boolean {
    if (this.moment().steppedAtMs > this.#savedStepMs) return true;
    return this.#counts.values().some((count) => count.isUncovered);
  }

  #keep(): Promise<void> {
    this.#saving ??= this.#write(false).finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #write(isLast: boolean): Promise<void> {
    const moment = this.moment();
    const { nowMs, steppedAtMs } = moment;
    const wallMs = this.#dateOf(moment);
    const isBridged = this.#gap === null;
    const isRestOfDate = isBridged || this.#restUntilMs === this.#gap?.restUntilMs;
    const restMs = Math.max(0, this.#restUntilMs - nowMs);
    this.#triedAtMs = nowMs;
    for (const [key, count] of this.#counts) if (count.isEmpty(moment)) this.#counts.delete(key);
    const counts = [...this.#counts].map(([key, count]) => ({ key, ...count.save(moment, { isLast, isBridged }) }));
    const book: SavedBook = {
      wallMs,
      steppedAgoMs: steppedAtMs === Number.NEGATIVE_INFINITY ? null : nowMs - steppedAtMs,
      restMs: isRestOfDate ? restMs : 0,
      undatedRestMs: isRestOfDate ? 0 : restMs,
      counts: Object.fromEntries(counts.map(({ key, saved }) => [key, saved])),
    };
    await this.#store.put(NAME, JSON.stringify(book));
    this.#savedStepMs = steppedAtMs;
    this.#isDiskUndated = !isBridged || wallMs === null;
    for (const { covered } of counts) covered();
  }

  #restore(saved: SavedBook, rules: readonly BudgetRule[], moment: Moment): void {
    const { nowMs } = moment;
    for (const [key, count] of Object.entries(saved.counts)) {
      const rule = rules.find(({ name }) => name === key.split(" ", 1)[0]);
      if (rule === undefined) continue;
      const restored = new BudgetCount(rule);
      restored.restore(count, moment);
      this.#counts.set(key, restored);
    }
    this.#restUntilMs = nowMs + Math.max(saved.restMs, saved.undatedRestMs);
    if (saved.steppedAgoMs !== null) this.#wall.remember(nowMs - saved.steppedAgoMs);
    if (saved.wallMs !== null) {
      const restUntilMs = saved.undatedRestMs > 0 ? null : this.#restUntilMs;
      this.#gap = { fromWallMs: saved.wallMs, toMs: nowMs, restUntilMs };
    }
    const isSomeUndated = Object.values(saved.counts).some(({ undated }) => undated.length > 0);
    this.#isDiskUndated = saved.wallMs === null || saved.undatedRestMs > 0 || isSomeUndated;
  }

  /** The date of a book that is written now; null: nobody knows one. */
  #dateOf({ nowMs, wallOffsetMs, steppedAtMs }: Moment): number | null {
    if (this.#gap !== null) return this.#gap.fromWallMs + nowMs - this.#gap.toMs;
    return wallOffsetMs === null || nowMs - steppedAtMs < this.#doubtMs ? null : nowMs + wallOffsetMs;
  }

  /**
   * Writes a book whose date nobody knew once somebody does, and now and then until then. Where nothing is left, nothing
   * else writes it, and each restart would begin with what was spent as if it had just been.
   */
  #date(moment: Moment): void {
    const isDatable = this.#gap === null && this.#dateOf(moment) !== null;
    const everyMs = isDatable ? DATED_MS : UNDATED_MS;
    if (moment.nowMs - this.#triedAtMs < everyMs) return;
    this.#triedAtMs = moment.nowMs;
    // The caller may be about to count.
    queueMicrotask(() => this.note());
  }

  #bridge({ fromWallMs, toMs, restUntilMs }: Gap, wallOffsetMs: number): void {
    this.#gap = null;
    const awayMs = Math.max(0, toMs + wallOffsetMs - fromWallMs - CLOCKS_DIFFER_MS);
    for (const count of this.#counts.values()) count.age(awayMs);
    if (this.#restUntilMs === restUntilMs) this.#restUntilMs -= awayMs;
  }
}

function parsed(text: string): SavedBook | null {
  try {
    return SavedBook.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
