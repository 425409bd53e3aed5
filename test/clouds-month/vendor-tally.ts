/** Counts as the vendor does, by a clock that is right. */
import type { AskedOfTwin } from "../../src/testing/clouds/cloud-twin.ts";
import type { Quota } from "./estate.ts";

/** How much of a date tells calendar windows apart. */
const DATE_LENGTH = { day: "2026-06-21".length, month: "2026-06".length } as const;

/** Shorter windows open again before anybody notices. */
const LONG_MS = 3_600_000;
const SCARCE_PART = 0.6;

export class VendorTally {
  readonly #quota: Quota;
  #arrivals: { readonly atMs: number; readonly units: number }[] = [];
  #total = 0;
  /** The most units that any window held. */
  most = 0;

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** Null: within the quota. */
  arrive(asked: AskedOfTwin, atMs: number): string | null {
    const units = this.#quota.units(asked);
    if (units === 0) return null;
    this.#forget(atMs);
    this.#arrivals.push({ atMs, units });
    this.#total += units;
    this.most = Math.max(this.most, this.#total);
    const { name, limit } = this.#quota;
    return this.#total > limit
      ? `${name}: ${this.#total} of ${limit} with ${asked.method} ${asked.url.pathname}`
      : null;
  }

  /** True: so little of a long window is left for polls that it has to be eked out. */
  isScarce(nowMs: number): boolean {
    const { windowMs, forPolls } = this.#quota;
    if (windowMs < LONG_MS) return false;
    this.#forget(nowMs);
    return this.#total > forPolls * SCARCE_PART;
  }

  get summary(): string {
    return `${this.#quota.name} ${this.most}/${this.#quota.limit}`;
  }

  #forget(nowMs: number): void {
    const gone = this.#arrivals.findIndex(({ atMs }) => this.#counts(atMs, nowMs));
    const old = this.#arrivals.splice(0, gone === -1 ? this.#arrivals.length : gone);
    this.#total -= old.reduce((sum, { units }) => sum + units, 0);
  }

  #counts(earlierMs: number, nowMs: number): boolean {
    const { window, windowMs } = this.#quota;
    if (window === "sliding") return nowMs - earlierMs < windowMs;
    const [earlier, now] = [earlierMs, nowMs].map((ms) => new Date(ms).toISOString().slice(0, DATE_LENGTH[window]));
    return earlier === now;
  }
}
