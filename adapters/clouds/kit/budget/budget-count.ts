import { MINUTE_MS, z } from "hemgate/sdk";
import type { BudgetNews, BudgetRule, Purpose } from "../connector.ts";
import type { Moment } from "./budget-clock.ts";
import { countsUntilMs, longestMs, windowEndMs } from "./budget-window.ts";

/** Units that are spent within this part of a window count as one, as if all of them were spent with the last. */
const SLOTS = 48;
/** Units are marked as spent on disk ahead of their use, as many as an even use needs in this time. */
const AHEAD_MS = 15 * MINUTE_MS;

const Units = z.number().min(0);

const Spent = z.object({
  /** When the last of the units was spent. */
  atMs: z.number(),
  units: Units,
  /** `others`: spent by other clients, as the vendor reports; a newer report replaces an older one. */
  purpose: z.enum(["login", "command", "poll", "others"]),
});
type Spent = z.infer<typeof Spent>;

/** A count as it is on disk. */
export const SavedCount = z.object({
  spent: z.array(Spent),
  /** Units that may have been spent since the write. */
  ahead: Units,
  /** The limit that the vendor reported, and when. */
  learned: z.object({ limit: Units, atMs: z.number() }).nullable(),
});
export type SavedCount = z.infer<typeof SavedCount>;

/** So many units have to last for so long from now, ms; then there are more. */
export interface Stretch {
  readonly forMs: number;
  readonly units: number;
}

interface Ending extends Spent {
  readonly untilMs: number;
}

/** Counts what was spent of one budget by those who share it. Times are budget time, ms. */
export class BudgetCount {
  readonly rule: BudgetRule;
  #spent: readonly Spent[] = [];
  #underWay = 0;
  #learned: SavedCount["learned"] = null;
  /** Units reserved in this run, and up to which number the disk knows of them. */
  #reserved = 0;
  #coveredTo = 0;

  constructor(rule: BudgetRule) {
    this.rule = rule;
  }

  /** True if nothing distinguishes this count from a new one. */
  isEmpty({ atMs }: Moment): boolean {
    return this.#limitLearned(atMs) === null && this.#underWay === 0 && this.#kept(atMs).length === 0;
  }

  /** True if a crash now would lose reserved units. */
  get isUncovered(): boolean {
    return this.#reserved > this.#coveredTo;
  }

  limit(atMs: number): number {
    return this.#limitLearned(atMs) ?? this.rule.limit;
  }

  /** Returns the units that are left for a purpose. */
  left(purpose: Purpose, now: Moment): number {
    return this.#leftAt(now.atMs, purpose, this.#ending(now));
  }

  /** Returns in how many ms so many units are left for a purpose; infinity if that cannot be foreseen. */
  freeInMs(units: number, purpose: Purpose, now: Moment): number {
    const ending = this.#ending(now);
    const times = [now.atMs, ...this.#changes(ending, now)];
    const freeMs = times.find((atMs) => this.#leftAt(atMs, purpose, ending) >= units) ?? Number.POSITIVE_INFINITY;
    return freeMs - now.atMs;
  }

  /** Returns what polls may spend, by the times at which units come back. */
  stretches(now: Moment): readonly Stretch[] {
    const nowMs = now.atMs;
    const ending = this.#ending(now);
    const leftAt = (atMs: number): number => this.#leftAt(atMs, "poll", ending);
    const endMs = windowEndMs(this.rule, now);
    if (endMs !== null) return [{ forMs: endMs - nowMs, units: leftAt(nowMs) }];
    const { reserved } = this.rule;
    const all = this.limit(nowMs) - reserved.command - reserved.login;
    const times = this.#changes(ending, now);
    // Until each moment at which units come back, what is left before it has to last.
    const untilTimes = times.map((atMs, index) => ({ forMs: atMs - nowMs, units: leftAt(times[index - 1] ?? nowMs) }));
    return [{ forMs: longestMs(this.rule), units: all }, ...untilTimes];
  }

  /** Reserves units for a request that is about to be sent. */
  reserve(units: number): void {
    this.#underWay += units;
    this.#reserved += units;
  }

  /** Ends a request; `isSpent` is false if it was never sent, or was answered in a way that does not count. */
  settle(units: number, purpose: Purpose, isSpent: boolean, { atMs }: Moment): void {
    this.#underWay = Math.max(0, this.#underWay - units);
    if (isSpent) this.#spend({ atMs, units, purpose }, atMs);
  }

  /**
   * Applies what the vendor reported where it counts more than we did, or names another limit; where it counts less, only
   * if it reported the count itself. Returns true if more is left than could be foreseen.
   */
  learn({ limit, left, resetsInMs, isItsCount = false }: BudgetNews, now: Moment): boolean {
    const { atMs } = now;
    const before = this.limit(atMs);
    if (limit !== undefined && limit >= 0 && Number.isFinite(limit)) {
      if (limit > this.#highestLimit) this.#coveredTo = this.#reserved;
      this.#learned = { limit, atMs };
    }
    const isRaised = this.limit(atMs) > before;
    if (left === undefined || !Number.isFinite(left)) return isRaised;
    const used = this.limit(atMs) - Math.max(0, left);
    const excess = isItsCount ? unitsOf(this.#spent) - used : 0;
    if (excess > 0) this.#forget(excess);
    if (this.rule.window === "sliding" && resetsInMs !== undefined && resetsInMs >= 0) {
      this.#learnUntil(atMs + Math.min(longestMs(this.rule), resetsInMs), used, atMs);
    } else {
      const known = this.limit(atMs) - this.left("login", now);
      this.#spend({ atMs, units: used - known, purpose: "others" }, atMs);
    }
    return isRaised || excess > 0;
  }

  /** So much is used until a reset: units that were spent here and stop counting before that do not lower it. */
  #learnUntil(resetMs: number, used: number, nowMs: number): void {
    const fromMs = resetMs - longestMs(this.rule);
    this.#spent = this.#spent.filter(({ purpose }) => purpose !== "others");
    const known = unitsOf(this.#spent.filter(({ atMs }) => atMs > fromMs)) + this.#underWay;
    this.#spend({ atMs: fromMs, units: used - known, purpose: "others" }, nowMs);
  }

  /**
   * Forgets the units that were spent first: those are what the vendor no longer counts. Requests under way are left out,
   * as if the vendor had counted none of them yet.
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

  /** Returns what to write, and a function to call once it is on disk. `isLast`: nothing is marked ahead of its use. */
  save(now: Moment, isLast: boolean): { readonly saved: SavedCount; readonly covered: () => void } {
    const ahead = isLast ? 0 : this.#ahead(now);
    const coveredTo = this.#reserved + (ahead >= this.#highestLimit ? Number.POSITIVE_INFINITY : ahead);
    return {
      saved: { spent: [...this.#kept(now.atMs)], ahead: this.#underWay + ahead, learned: this.#learned },
      covered: () => {
        this.#coveredTo = coveredTo;
      },
    };
  }

  /** Takes over what the last run wrote; units that it marked ahead count as spent now. */
  restore({ spent, ahead, learned }: SavedCount, nowMs: number): void {
    this.#spent = ahead > 0 ? [...spent, { atMs: nowMs, units: ahead, purpose: "poll" }] : spent;
    this.#learned = learned;
  }

  /** Counts all units that polls may spend as spent at `atMs`: nobody knows how many were. */
  assumeSpent(atMs: number): void {
    const { limit, reserved } = this.rule;
    this.#spend({ atMs, units: limit - reserved.command - reserved.login, purpose: "poll" }, atMs);
  }

  /** Moves what happened at `fromMs` or later on by `ms`. */
  shift(fromMs: number, ms: number): void {
    const shifted = <T extends { readonly atMs: number }>(part: T): T =>
      part.atMs < fromMs ? part : { ...part, atMs: part.atMs + ms };
    this.#spent = this.#spent.map(shifted);
    this.#learned = this.#learned === null ? null : shifted(this.#learned);
  }

  /** A window that is no longer than what is marked ahead is marked as a whole, once. */
  #ahead(now: Moment): number {
    const lengthMs = longestMs(this.rule);
    if (lengthMs <= AHEAD_MS) return this.#highestLimit;
    const needed = Math.max(1, Math.ceil((this.limit(now.atMs) * AHEAD_MS) / lengthMs));
    return Math.max(0, Math.min(needed, this.left("login", now)));
  }

  get #highestLimit(): number {
    return Math.max(this.rule.limit, this.#learned?.limit ?? 0);
  }

  /** Returns the limit that the vendor reported within the last window, or `null`. */
  #limitLearned(atMs: number): number | null {
    return this.#learned !== null && atMs < this.#learned.atMs + longestMs(this.rule) ? this.#learned.limit : null;
  }

  #spend(part: Spent, nowMs: number): void {
    if (part.units <= 0) return;
    const slotMs = longestMs(this.rule) / SLOTS;
    const slots = Map.groupBy(
      [...this.#kept(nowMs), part],
      (each) => `${each.purpose} ${Math.floor(each.atMs / slotMs)}`,
    );
    this.#spent = [...slots.values()].map((parts) => {
      return {
        ...part,
        purpose: parts[0]?.purpose ?? part.purpose,
        atMs: Math.max(...parts.map(({ atMs }) => atMs)),
        units: unitsOf(parts),
      };
    });
  }

  /** A unit that stopped counting may count again after the wall clock stepped: it is kept for the longest time. */
  #kept(nowMs: number): readonly Spent[] {
    return this.#spent.filter(({ atMs }) => atMs + longestMs(this.rule) > nowMs);
  }

  #leftAt(atMs: number, purpose: Purpose, ending: readonly Ending[]): number {
    const counting = ending.filter(({ untilMs }) => untilMs > atMs);
    const spentFor = (other: Purpose): number => unitsOf(counting.filter((part) => part.purpose === other));
    const { reserved } = this.rule;
    const forLogins = purpose === "login" ? 0 : Math.max(0, reserved.login - spentFor("login"));
    const forCommands = purpose === "poll" ? Math.max(0, reserved.command - spentFor("command")) : 0;
    return this.limit(atMs) - unitsOf(counting) - this.#underWay - forLogins - forCommands;
  }

  #ending(now: Moment): readonly Ending[] {
    return this.#spent.map((part) => ({ ...part, untilMs: countsUntilMs(this.rule, part.atMs, now) }));
  }

  #changes(ending: readonly Ending[], { atMs: nowMs }: Moment): readonly number[] {
    const ends = ending.map(({ untilMs }) => untilMs);
    const times = this.#learned === null ? ends : [...ends, this.#learned.atMs + longestMs(this.rule)];
    return [...new Set(times)].filter((atMs) => atMs > nowMs).toSorted((a, b) => a - b);
  }
}

function unitsOf(parts: readonly Spent[]): number {
  return parts.reduce((total, { units }) => total + units, 0);
}
