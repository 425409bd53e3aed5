/** Counts as the vendor does, by a clock that is right. */

import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import type { AskedOfTwin } from "../twins/clouds/cloud-twin.ts";
import type { Quota } from "./estate.ts";

const DAY_MS = 86_400_000;
/** A gateway whose clock was wrong counts days and months as windows that slide, of the longest length. */
const LONGEST_MS = { day: DAY_MS, month: 31 * DAY_MS } as const;
/** What a gateway that loses power may have asked without a note: as much as so long an even use needs, ms. */
const UNNOTED_MS = 15 * 60_000;
/**
 * It gathers what it asked within this part of a window, and all of that comes back with the last of it: until then it
 * counts what the vendor counts no more.
 */
const GATHERED = 1 / 48;
/** What the gateway rounds up, of a quota: where little is left, a few units make a period. */
const ROUNDED = 1 / 100;
/** How much of a date tells calendar windows apart. */
const DATE_LENGTH = { day: "2026-06-21".length, month: "2026-06".length } as const;

interface Arrival {
  readonly atMs: number;
  readonly units: number;
  readonly isPoll: boolean;
  /** True: the gateway takes it for spent, and the vendor does not. */
  readonly isLost: boolean;
}

export class VendorTally {
  readonly #quota: Quota;
  /** By whom the vendor counts for; oldest first, for as long as the gateway may count them. */
  readonly #arrivals = new Map<string, Arrival[]>();
  /** The most units that any window held. */
  most = 0;

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** Null: within the quota. */
  arrive(asked: AskedOfTwin, answer: SimWebAnswer, isPoll: boolean, atMs: number): string | null {
    const { name, limit, units: price, countsFor } = this.#quota;
    const units = price(asked);
    if (units === 0) return null;
    const subject = countsFor?.(asked) ?? "";
    const arrivals = this.#kept(subject, atMs);
    arrivals.push({ atMs, units, isPoll, isLost: this.#quota.counts?.(answer) === false });
    const counted = arrivals.filter((each) => !each.isLost && this.#counts(each.atMs, atMs));
    const total = counted.reduce((sum, each) => sum + each.units, 0);
    this.most = Math.max(this.most, total);
    const whose = subject === "" ? name : `${name} of ${subject}`;
    return total > limit ? `${whose}: ${total} of ${limit} with ${asked.method} ${asked.url.pathname}` : null;
  }

  /** The gateway lost power. */
  powerCut(atMs: number): void {
    const units = Math.ceil(this.#quota.limit * Math.min(1, UNNOTED_MS / this.#longestMs));
    for (const subject of this.#arrivals.keys()) {
      this.#kept(subject, atMs).push({ atMs, units, isPoll: true, isLost: true });
    }
  }

  /** How far apart readings have to be for what is left to last until units come back, ms. */
  readingPeriodMs(nowMs: number): number {
    const unitsARead = this.#quota.unitsARead ?? 1;
    return unitsARead * Math.max(0, ...[...this.#arrivals.keys()].map((subject) => this.#unitPeriodMs(subject, nowMs)));
  }

  get summary(): string {
    return `${this.#quota.name} ${this.most}/${this.#quota.limit}`;
  }

  #unitPeriodMs(subject: string, nowMs: number): number {
    const arrivals = this.#kept(subject, nowMs);
    const endings = arrivals.map(({ atMs }) => atMs + this.#rememberedMs);
    const even = this.#longestMs / this.#quota.forPolls;
    let left = this.#leftForPolls(arrivals);
    const sliding = arrivals.map(({ units }, index) => {
      const periodMs = ((endings[index] ?? nowMs) - nowMs) / Math.max(1, left);
      left += units;
      return periodMs;
    });
    return Math.max(even, this.#calendarPeriodMs(arrivals, nowMs), ...sliding);
  }

  #calendarPeriodMs(arrivals: readonly Arrival[], nowMs: number): number {
    const { window } = this.#quota;
    if (window === "sliding") return 0;
    const now = new Date(nowMs);
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    const endMs = window === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
    const counted = arrivals.filter(({ atMs }) => this.#counts(atMs, nowMs));
    return (endMs - nowMs) / Math.max(1, this.#leftForPolls(counted));
  }

  /** Commands and logins take of theirs first. */
  #leftForPolls(arrivals: readonly Arrival[]): number {
    const { limit, forPolls } = this.#quota;
    const sumOf = (isPoll: boolean): number =>
      arrivals.reduce((sum, each) => sum + (each.isPoll === isPoll ? each.units : 0), 0);
    const overdrawn = Math.max(0, sumOf(false) - (limit - forPolls));
    return forPolls - sumOf(true) - overdrawn - Math.ceil(limit * ROUNDED);
  }

  #kept(subject: string, nowMs: number): Arrival[] {
    const arrivals = this.#arrivals.get(subject) ?? [];
    const first = arrivals.findIndex(({ atMs }) => nowMs - atMs < this.#rememberedMs);
    arrivals.splice(0, first === -1 ? arrivals.length : first);
    this.#arrivals.set(subject, arrivals);
    return arrivals;
  }

  /** For how long the gateway may take a unit for spent, ms. */
  get #rememberedMs(): number {
    return this.#longestMs * (1 + GATHERED);
  }

  get #longestMs(): number {
    const { window, windowMs } = this.#quota;
    return window === "sliding" ? windowMs : LONGEST_MS[window];
  }

  #counts(earlierMs: number, nowMs: number): boolean {
    const { window, windowMs, countsAnewAtMs } = this.#quota;
    if (countsAnewAtMs !== undefined) return dayOf(earlierMs - countsAnewAtMs) === dayOf(nowMs - countsAnewAtMs);
    if (window === "sliding") return nowMs - earlierMs < windowMs;
    const [earlier, now] = [earlierMs, nowMs].map((ms) => new Date(ms).toISOString().slice(0, DATE_LENGTH[window]));
    return earlier === now;
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}
