import { backoffMs, type Clock, HOUR_MS, MINUTE_MS, type Random } from "hemgate/sdk";
import type { BudgetNews, BudgetRule, CloudRequest, Purpose } from "../connector.ts";
import type { BudgetBook } from "./budget-book.ts";
import type { BudgetCount, Stretch } from "./budget-count.ts";
import { longestMs } from "./budget-window.ts";

/** How long a vendor is left alone that says "too many", by its own word or until its longest window is over. */
const REST = { floorMs: MINUTE_MS, reportedMs: 5 * MINUTE_MS, unknownMs: HOUR_MS } as const;
/** When to ask again where nobody can tell: the disk refuses, or the units are with requests under way. */
const LATER_MS = 60_000;

/** Units by budget; 1 of each that is not named. */
type Cost = NonNullable<CloudRequest["cost"]>;

export interface PollBudgetParts {
  readonly rules: readonly BudgetRule[];
  /** Counts of the account. */
  readonly account: BudgetBook;
  /** Counts that all accounts of the owner's registration share; one object for all of them. */
  readonly app: BudgetBook;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: Pick<Random, "next">;
  /** What requests are for that do not say: `command` where a person waits for them. Default `poll`. */
  readonly unsaid?: Purpose;
}

/**
 * Whether a request may be sent. One that may has its units; the caller that took them settles them when it is over. One that may
 * not is useless before `notBeforeMs`, monotonic.
 */
export type Taken =
  | { readonly isTaken: true; settle(wasSent: boolean, isVendorsFault?: boolean): void }
  | { readonly isTaken: false; readonly notBeforeMs: number; readonly because: string };

/** What is known of a request that was one too many. */
interface Limited extends Pick<CloudRequest, "cost"> {
  readonly subject?: string | null;
}

/** How a budget stands, for people. */
export interface BudgetLeft {
  readonly budget: string;
  /** Null: it is not counted by subject. */
  readonly subject: string | null;
  readonly limit: number;
  readonly left: number;
  /** Of these, what polls may use. */
  readonly forPolls: number;
}

/** What an account may ask of its vendor. All times are monotonic ms. */
export class PollBudget {
  readonly #parts: PollBudgetParts;
  #limitedInARow = 0;

  constructor(parts: PollBudgetParts) {
    this.#parts = parts;
  }

  /** Takes a request's units of each budget, or none. Resolved with them: no crash can forget that they are spent. */
  async take({
    cost = {},
    purpose = this.#parts.unsaid ?? "poll",
    subject,
  }: Pick<CloudRequest, "cost" | "purpose" | "subject">): Promise<Taken> {
    const { account, app, clock } = this.#parts;
    const isCounted = ({ count }: Share): boolean => purpose !== "login" || count.rule.isWithoutLogins !== true;
    const shares = this.#shares(cost, subject ?? null).filter(isCounted);
    const { atTickMs, because } = this.#freeAt(shares, purpose);
    if (atTickMs > clock.monotonicMs()) return { isTaken: false, notBeforeMs: atTickMs, because };
    for (const { count, units } of shares) count.reserve(units);
    let isSettled = false;
    const settle = (wasSent: boolean, isVendorsFault = false): void => {
      if (isSettled) return;
      isSettled = true;
      for (const { count, units, book } of shares) {
        const isSpent = wasSent && !(isVendorsFault && count.rule.isWithoutFaults === true);
        count.settle(units, purpose, isSpent, book.now());
      }
    };
    try {
      await Promise.all([account.cover(), app.cover()]);
      return { isTaken: true, settle };
    } catch {
      settle(false);
      return { isTaken: false, notBeforeMs: clock.monotonicMs() + LATER_MS, because: "the disk refuses to keep count" };
    }
  }

  /** Believes what an answer to a request said of the vendor's own count. */
  learn(news: readonly BudgetNews[], subject: string | undefined): void {
    for (const item of news) {
      const rule = this.#parts.rules.find(({ name }) => name === item.budget);
      if (rule === undefined) continue;
      const { count, book } = this.#countOf(rule, subject ?? null);
      if (count.learn(item, book.now())) book.windfall();
      if (count.left("poll", book.now()) <= 0) book.note();
    }
  }

  /** Leaves the vendor alone for a moment, ms. */
  pause(ms: number): void {
    this.#parts.account.pause(ms);
  }

  /**
   * The vendor said "too many" to a request: leaves it alone, longer each time that it says so in a row, and at least for
   * as long as it wants (ms; null: it did not say). What it counts in minutes is not answered with an hour: states would
   * be old by it.
   */
  limited({ cost = {}, subject = null }: Limited, retryAfterMs: number | null): void {
    const { account, random } = this.#parts;
    const windowMs = Math.max(0, ...this.#shares(cost, subject).map(({ count }) => longestMs(count.rule)));
    const unknownMs = Math.min(REST.unknownMs, Math.max(REST.reportedMs, windowMs));
    const range = { floorMs: REST.floorMs, ceilingMs: retryAfterMs === null ? unknownMs : REST.reportedMs };
    // Others that were under way at the same time get the same answer.
    const isFirst = account.pauseMs === 0;
    if (isFirst) this.#limitedInARow += 1;
    account.pause(Math.max(retryAfterMs ?? 0, isFirst ? backoffMs(this.#limitedInARow, range, random) : 0));
  }

  /** The vendor did what it was asked for. */
  answered(): void {
    this.#limitedInARow = 0;
  }

  /** How often there was more left at once than could be foreseen. */
  get windfalls(): number {
    return this.#parts.account.windfalls + this.#parts.app.windfalls;
  }

  /** How much longer the vendor is to be left alone, ms. */
  get pauseMs(): number {
    return this.#parts.account.pauseMs;
  }

  left(): readonly BudgetLeft[] {
    const { account, rules } = this.#parts;
    const shared = rules
      .filter(({ scope }) => scope !== "subject")
      .map((rule) => ({ ...this.#countOf(rule, null), subject: null }));
    const bySubject = [...account.counts()].flatMap(([key, count]) => {
      const subject = key.slice(count.rule.name.length + 1);
      return count.rule.scope === "subject" ? [{ count, book: account, subject }] : [];
    });
    return [...shared, ...bySubject].map(({ count, book, subject }) => {
      const now = book.now();
      return {
        budget: count.rule.name,
        subject,
        limit: count.limit(now.atMs),
        left: Math.max(0, count.left("login", now)),
        forPolls: Math.max(0, count.left("poll", now)),
      };
    });
  }

  /** When a poll of this cost may be sent; now or before when it may be at once. */
  nextPollAtMs(cost: Cost = {}, subject: string | null = null): number {
    return this.#freeAt(this.#shares(cost, subject), "poll").atTickMs;
  }

  /** True: requests of a subject count there. */
  drawsOn(count: BudgetCount, subject: string | null): boolean {
    return this.#countOf(count.rule, subject).count === count;
  }

  /** The counts that polls of a subject draw on, and what they may spend of each. */
  forPolls(subject: string | null): readonly { readonly count: BudgetCount; readonly stretches: readonly Stretch[] }[] {
    return this.#parts.rules.map((rule) => {
      const { count, book } = this.#countOf(rule, subject);
      return { count, stretches: count.stretches(book.now()) };
    });
  }

  #freeAt(shares: readonly Share[], purpose: Purpose): { readonly atTickMs: number; readonly because: string } {
    const { account, clock } = this.#parts;
    const pause = { inMs: account.pauseMs, because: "the vendor wants a pause" };
    const waits = shares.map(({ count, units, book }) => {
      const inMs = count.freeInMs(units, purpose, book.now());
      return { inMs: Number.isFinite(inMs) ? inMs : LATER_MS, because: `its budget ${count.rule.name} is spent` };
    });
    const { inMs, because } = [pause, ...waits].reduce((longest, other) =>
      other.inMs > longest.inMs ? other : longest,
    );
    return { atTickMs: clock.monotonicMs() + inMs, because };
  }

  #shares(cost: Cost, subject: string | null): readonly Share[] {
    const { rules } = this.#parts;
    const shares = rules.map((rule) => ({ ...this.#countOf(rule, subject), units: cost[rule.name] ?? 1 }));
    return shares.filter(({ units }) => units > 0);
  }

  #countOf(rule: BudgetRule, subject: string | null): { readonly count: BudgetCount; readonly book: BudgetBook } {
    const book = rule.scope === "app" ? this.#parts.app : this.#parts.account;
    return { count: book.count(rule, rule.scope === "subject" ? (subject ?? "") : null), book };
  }
}

interface Share {
  readonly count: BudgetCount;
  readonly book: BudgetBook;
  readonly units: number;
}
