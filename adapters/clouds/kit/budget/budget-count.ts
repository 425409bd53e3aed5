import { z } from "hemgate/sdk";
import type { BudgetNews, BudgetRule, Purpose } from "../connector.ts";
import { amount, gathered, restored, SavedParts, type Spent, type SpentFor, saved } from "./budget-spent.ts";
import { countsUntilMs, longestMs, windowEndMs } from "./budget-window.ts";
import type { Moment } from "./steady-wall.ts";

/** What is spent within this part of a window may count as one, as if all of it were spent with the last. */
const SLOTS = 48;
/** Units are marked as spent on disk ahead of their use, as many as an even use needs in this time. */
const AHEAD_MS = 15 * 60_000;

/** A count as it is on disk. Ages are ms before it was written. */
export const SavedCount = z.object({
  spent: SavedParts,
  /** What was spent after the book's date, by runs that never knew what time it was. */
  undated: SavedParts.default([]),
  /** Units that may have been spent since. */
  ahead: amount,
  /** What the vendor said that the limit is, and for how long that is believed, ms. */
  learned: z.object({ limit: amount, forMs: z.number(), isUndated: z.boolean().default(false) }).nullable(),
});
export type SavedCount = z.infer<typeof SavedCount>;

/** What the vendor said that the limit is. */
interface Learned {
  readonly limit: number;
  readonly untilMs: number;
  /** True: `untilMs` supposes that no time passed between two runs. */
  readonly isRestored: boolean;
}

/** How a count is written. */
interface Saving {
  readonly isLast: boolean;
  readonly isBridged: boolean;
}

/** So many units have to last for so long from now, ms; then there are more. */
export interface Stretch {
  readonly forMs: number;
  readonly units: number;
}

interface Ending extends Spent {
  /** When it counts no more. */
  readonly untilMs: number;
}

/** What was spent of one budget by those who share it. Times are monotonic ms. */
export class BudgetCount {
  readonly rule: BudgetRule;
  #spent: readonly Spent[] = [];
  #underWay = 0;
  #learned: Learned | null = null;
  /** Units held in this run, and how far that may go on before the disk has to know more. */
  #reserved = 0;
  #coveredTo = 0;

  constructor(rule: BudgetRule) {
    this.rule = rule;
  }

  /** True: nothing tells this count from a new one. */
  isEmpty({ nowMs }: Moment): boolean {
    const isLimitOurs = this.#learned === null || this.#learned.untilMs <= nowMs;
    return isLimitOurs && this.#underWay === 0 && this.#kept(nowMs).length === 0;
  }

  /** True if a crash now would lose reserved units. */
  get isUncovered(): boolean {
    return this.#reserved > this.#coveredTo;
  }

  limit(nowMs: number): number {
    return this.#learned !== null && nowMs < this.#learned.untilMs ? this.#learned.limit : this.rule.limit;
  }

  /** Units left for a purpose. */
  left(purpose: Purpose, moment: Moment): number {
    return this.#leftAt(moment.nowMs, purpose, this.#ending(moment));
  }

  /** When so many units are left for a purpose; infinite when that cannot be foreseen. */
  freeAtMs(units: number, purpose: Purpose, moment: Moment): number {
    const ending = this.#ending(moment);
    const times = [moment.nowMs, ...this.#changes(ending, moment)];
    return times.find((atMs) => this.#leftAt(atMs, purpose, ending) >= units) ?? Number.POSITIVE_INFINITY;
  }

  /** What polls may spend, by the times at which units come back. */
  stretches(moment: Moment): readonly Stretch[] {
    const { nowMs } = moment;
    const ending = this.#ending(moment);
    const leftAt = (atMs: number): number => this.#leftAt(atMs, "poll", ending);
    const endMs = windowEndMs(this.rule, moment);
    if (endMs !== null) return [{ forMs: endMs - nowMs, units: leftAt(nowMs) }];
    const { reserved } = this.rule;
    const all = this.limit(nowMs) - reserved.command - reserved.login;
    const times = this.#changes(ending, moment);
    // Until each moment at which units come back, what is left before it has to last.
    const untilTimes = times.map((atMs, index) => ({ forMs: atMs - nowMs, units: leftAt(times[index - 1] ?? nowMs) }));
    return [{ forMs: longestMs(this.rule), units: all }, ...untilTimes];
  }

  /** Units for a request that is about to be sent. */
  hold(units: number): void {
    this.#underWay += units;
    this.#reserved += units;
  }

  /** The request is over; `isSpent` is false when it was never sent, or was answered in a way that does not count. */
  settle(units: number, purpose: Purpose, isSpent: boolean, { nowMs }: Moment): void {
    this.#underWay = Math.max(0, this.#underWay - units);
    if (isSpent) this.#spend(nowMs, units, purpose, nowMs);
  }

  /**
   * Believes the vendor where it counts more than we did, or names another limit; that less was spent only where what it
   * tells is the count itself. True: there is more left than anybody could foresee.
   */
  learn({ limit, left, resetsInMs, isItsCount = false }: BudgetNews, moment: Moment): boolean {
    const { nowMs } = moment;
    const lengthMs = longestMs(this.rule);
    const before = this.limit(nowMs);
    if (limit !== undefined && limit >= 0 && Number.isFinite(limit)) {
      if (limit > this.#highestLimit) this.#coveredTo = this.#reserved;
      this.#learned = { limit, untilMs: nowMs + lengthMs, isRestored: false };
    }
    const isRaised = this.limit(nowMs) > before;
    if (left === undefined || !Number.isFinite(left)) return isRaised;
    const used = this.limit(nowMs) - Math.max(0, left);
    const excess = isItsCount ? this.#spent.reduce((total, { units }) => total + units, 0) - used : 0;
    if (excess > 0) this.#forget(excess);
    const isTimed = this.rule.window === "sliding" && resetsInMs !== undefined && resetsInMs >= 0;
    if (isTimed) this.#learnUntil(nowMs + Math.min(lengthMs, resetsInMs), used, nowMs);
    else this.#recordReported(used - (this.limit(nowMs) - this.left("login", moment)), nowMs, nowMs);
    return isRaised || excess > 0;
  }

  /** So much is used until a reset: what was spent here and ends to count before that does not lower it. */
  #learnUntil(resetAtMs: number, used: number, nowMs: number): void {
    const lengthMs = longestMs(this.rule);
    this.#spent = this.#spent.filter(({ purpose }) => purpose !== "told");
    const lasting = this.#spent.filter(({ atMs }) => atMs + lengthMs > resetAtMs);
    const known = lasting.reduce((total, { units }) => total + units, this.#underWay);
    this.#recordReported(used - known, resetAtMs - lengthMs, nowMs);
  }

  /**
   * What was spent first is what the vendor counts no more. What is under way is left out of the calculation, as if the
   * vendor had counted none of it yet.
   */
  #forget(units: number): void {
    let excess = units;
    this.#spent = this.#spent
      .toSorted((a, b) => a.atMs - b.atMs)
      .flatMap((part) => {
        const forgotten = Math.min(excess, part.units);
        excess -= forgotten;
        return forgotten === part.units ? [] : { ...part, units: part.units - forgotten };
      });
  }

  #recordReported(units: number, atMs: number, nowMs: number): void {
    if (units > 0) this.#spend(atMs, units, "told", nowMs);
  }

  /**
   * What to write; `covered` is to be called once it is on disk. `isLast`: nothing is marked ahead of its use. `isBridged`
   * is false while nobody knows how long it was between this run and what it took up.
   */
  save(moment: Moment, { isLast, isBridged }: Saving): { readonly saved: SavedCount; readonly covered: () => void } {
    const { nowMs } = moment;
    const ahead = isLast ? 0 : this.#ahead(moment);
    const coveredTo = this.#reserved + (ahead >= this.#highestLimit ? Number.POSITIVE_INFINITY : ahead);
    const kept = this.#kept(nowMs);
    const isOfDate = ({ isRestored }: Spent): boolean => isBridged || isRestored;
    return {
      saved: {
        spent: saved(kept.filter(isOfDate), nowMs),
        undated: saved(
          kept.filter((part) => !isOfDate(part)),
          nowMs,
        ),
        ahead: this.#underWay + ahead,
        learned: this.#learned === null ? null : savedLimit(this.#learned, nowMs, isBridged),
      },
      covered: () => {
        this.#coveredTo = coveredTo;
      },
    };
  }

  /** Takes up what an earlier run left, as if it had ended just now. */
  restore({ spent, undated, ahead, learned }: SavedCount, { nowMs }: Moment): void {
    this.#spent = [...restored(spent, nowMs, true), ...restored(undated, nowMs, false)];
    if (learned !== null) {
      const { limit, forMs, isUndated } = learned;
      this.#learned = { limit, untilMs: nowMs + forMs, isRestored: !isUndated };
    }
    if (ahead > 0) this.#spend(nowMs, ahead, "poll", nowMs);
  }

  /** Nobody knows what was spent: all that polls may. */
  assumeSpent({ nowMs }: Moment): void {
    const { limit, reserved } = this.rule;
    const units = Math.max(0, limit - reserved.command - reserved.login);
    this.#spent = [{ atMs: nowMs, sinceMs: nowMs, units, purpose: "poll", isRestored: false }];
  }

  /** So much time passed between the runs after all. */
  age(ms: number): void {
    const learned = this.#learned;
    if (learned?.isRestored === true) {
      this.#learned = { ...learned, untilMs: learned.untilMs - ms, isRestored: false };
    }
    this.#spent = this.#spent.map((part) => {
      const { isRestored, atMs, sinceMs } = part;
      return isRestored ? { ...part, atMs: atMs - ms, sinceMs: sinceMs - ms, isRestored: false } : part;
    });
  }

  /** A window that is no longer than what is marked ahead is marked as a whole, once. */
  #ahead(moment: Moment): number {
    const lengthMs = longestMs(this.rule);
    if (lengthMs <= AHEAD_MS) return this.#highestLimit;
    const needed = Math.max(1, Math.ceil((this.limit(moment.nowMs) * AHEAD_MS) / lengthMs));
    return Math.max(0, Math.min(needed, this.left("login", moment)));
  }

  get #highestLimit(): number {
    return Math.max(this.rule.limit, this.#learned?.limit ?? 0);
  }

  #spend(atMs: number, units: number, purpose: SpentFor, nowMs: number): void {
    const part: Spent = { atMs, sinceMs: atMs, units, purpose, isRestored: false };
    this.#spent = gathered([...this.#kept(nowMs), part], longestMs(this.rule) / SLOTS);
  }

  /** A unit that counts no more may count again after the wall clock stepped: it is kept for the longest time. */
  #kept(nowMs: number): readonly Spent[] {
    return this.#spent.filter(({ atMs }) => atMs + longestMs(this.rule) > nowMs);
  }

  #leftAt(atMs: number, purpose: Purpose, ending: readonly Ending[]): number {
    const spent = { login: 0, command: 0, poll: 0, told: 0 };
    for (const part of ending) if (part.untilMs > atMs) spent[part.purpose] += part.units;
    const { reserved } = this.rule;
    const forLogins = purpose === "login" ? 0 : Math.max(0, reserved.login - spent.login);
    const forCommands = purpose === "poll" ? Math.max(0, reserved.command - spent.command) : 0;
    const total = spent.login + spent.command + spent.poll + spent.told + this.#underWay;
    return this.limit(atMs) - total - forLogins - forCommands;
  }

  #ending(moment: Moment): readonly Ending[] {
    return this.#spent.map((part) => ({ ...part, untilMs: countsUntilMs(this.rule, part.atMs, moment) }));
  }

  #changes(ending: readonly Ending[], { nowMs }: Moment): readonly number[] {
    const ends = ending.map(({ untilMs }) => untilMs);
    const times = this.#learned === null ? ends : [...ends, this.#learned.untilMs];
    return [...new Set(times)].filter((atMs) => atMs > nowMs).toSorted((a, b) => a - b);
  }
}

function savedLimit({ limit, untilMs, isRestored }: Learned, nowMs: number, isBridged: boolean): SavedCount["learned"] {
  return { limit, forMs: untilMs - nowMs, isUndated: !isBridged && !isRestored };
}
