/** A vendor's cloud on the simulated web: it has its troubles, and notes what the gateway asks of it. */

import type { Clock } from "../../src/platform/ports/ports.ts";
import type { SimWebAnswer, SimWebRequest } from "../../src/testing/network/sim-web.ts";
import type { AskedOfTwin, CloudTrouble } from "../twins/clouds/cloud-twin.ts";
import type { Estate } from "./estate.ts";
import { Truth } from "./truth.ts";
import { VendorTally } from "./vendor-tally.ts";

/** What is under way when the vendor asks for a pause, ms. */
const UNDER_WAY_MS = 2_000;
/** A client need not ask more often whether a count is over of which the vendor does not say for how long it goes on. */
const UNTOLD_MS = { least: 5 * 60_000, most: 3_600_000 } as const;
const MAX_ASKED = 5_000;
const LONGEST_PLAN_MS = 12 * 3_600_000;
/** Troubles in which the vendor does what it is asked. */
const DOES_IT: readonly (CloudTrouble | null)[] = [null, "slow", "cut"];

export type Trouble = CloudTrouble | "lost";

interface Told {
  readonly atMs: number;
  readonly what: string;
}

export class Vendor {
  readonly estate: Estate;
  readonly truths: readonly Truth[];
  readonly breaches: string[] = [];
  /** Called with each request, once it was dealt with. */
  onAsked: (asked: AskedOfTwin, isCommand: boolean) => void = () => undefined;
  onTrouble: (trouble: Trouble | null) => void = () => undefined;
  readonly counts = { asked: 0, commands: 0, repeats: 0, limited: 0 };
  /** Monotonic ms at which it last did what was asked; and since when something is wrong with it. */
  answeredAtMs = 0;
  #trouble: Trouble | null = null;
  readonly #clock: Clock;
  readonly #tallies: readonly VendorTally[];
  #restUntilMs = 0;
  /** Until when it may be left alone that said "too many" and not for how long, monotonic ms. */
  untoldUntilMs = 0;
  /** Commands by device, until they were read back. */
  readonly #told = new Map<string, Told>();
  #periods: readonly { readonly atMs: number; readonly periodMs: number }[] = [];
  /** Monotonic ms of the newest wish of a client. */
  wishedAtMs = 0;

  constructor(estate: Estate, clock: Clock) {
    this.estate = estate;
    this.#clock = clock;
    this.truths = estate.facts.map((fact) => new Truth(fact));
    this.#tallies = estate.quotas.map((quota) => new VendorTally(quota));
    this.look();
  }

  get trouble(): Trouble | null {
    return this.#trouble;
  }

  set trouble(trouble: Trouble | null) {
    this.#trouble = trouble;
    this.estate.twin.trouble = trouble === "lost" ? null : trouble;
    this.onTrouble(trouble);
  }

  /** Until when the vendor wants to be left alone, monotonic ms. */
  get restUntilMs(): number {
    return this.#restUntilMs;
  }

  /**
   * How far apart readings had to be for the quotas to last, at some moment since a time, ms: the interface promises less
   * where they do not. What was planned when there was little left is not planned anew when there is more.
   */
  readingPeriodMs(sinceMs: number): number {
    return Math.max(0, ...this.#periods.filter(({ atMs }) => atMs >= sinceMs).map(({ periodMs }) => periodMs));
  }

  /** The gateway lost power, and what it had not noted yet. */
  powerCut(): void {
    if (this.#clock.monotonicMs() <= this.#restSinceMs + UNDER_WAY_MS) this.#restUntilMs = 0;
    for (const tally of this.#tallies) tally.powerCut(this.#clock.nowMs());
  }

  /** To be called every few minutes. */
  planReadings(): void {
    const nowMs = this.#clock.nowMs();
    const periodMs = Math.max(0, ...this.#tallies.map((tally) => tally.readingPeriodMs(nowMs)));
    this.#periods = [...this.#periods.filter(({ atMs }) => nowMs - atMs < LONGEST_PLAN_MS), { atMs: nowMs, periodMs }];
  }

  /** True: clients may wish something of it, and it never did any. */
  get isUntold(): boolean {
    return this.estate.wish !== undefined && this.counts.commands === 0;
  }

  get summary(): string {
    const { asked, commands, repeats, limited } = this.counts;
    const quotas = this.#tallies.map(({ summary }) => summary).join(", ");
    return `${this.estate.id}: asked ${asked}, commands ${commands} (${repeats} again), limited ${limited}; ${quotas}`;
  }

  look(): void {
    for (const truth of this.truths) truth.look(this.#clock.nowMs());
  }

  serve(request: SimWebRequest): SimWebAnswer {
    const { twin, isLogin } = this.estate;
    if (twin.asked.length > MAX_ASKED) twin.asked.splice(0, MAX_ASKED);
    const answer = twin.serve(request);
    const asked = twin.asked.at(-1);
    if (asked === undefined) throw new Error(`${this.estate.id} did not note what it was asked`);
    this.counts.asked += 1;
    this.look();
    const what = this.estate.commandIn(asked);
    this.#count(asked, answer, what === null && !isLogin(asked));
    if (!isLogin(asked)) this.#judgeRest(asked, answer);
    const isDone = DOES_IT.includes(twin.trouble) && answer.fault === undefined && (answer.status ?? 200) < 400;
    if (isDone && what !== null) this.#commanded(what);
    if (isDone && what === null && !isLogin(asked)) this.#looked(answer);
    this.onAsked(asked, what !== null);
    return this.#trouble === "lost" ? { fault: "break" } : answer;
  }

  #count(asked: AskedOfTwin, answer: SimWebAnswer, isPoll: boolean): void {
    for (const tally of this.#tallies) {
      const breach = tally.arrive(asked, answer, isPoll, this.#clock.nowMs());
      if (breach !== null) this.breaches.push(`${this.estate.id} counts more than its quota: ${breach}`);
    }
  }

  #judgeRest(asked: AskedOfTwin, answer: SimWebAnswer): void {
    const nowMs = this.#clock.monotonicMs();
    const leftMs = this.#restUntilMs - nowMs;
    if (leftMs > UNDER_WAY_MS && nowMs > this.#restSinceMs + UNDER_WAY_MS) {
      this.breaches.push(
        `${this.estate.id} wants to be left alone for ${Math.round(leftMs / 1_000)} s and is asked ${asked.method} ${asked.url.pathname}`,
      );
    }
    const reportedMs = answer.status === 429 ? pauseIn(answer) : null;
    if (answer.status === 429) this.counts.limited += 1;
    if (answer.status === 429 && reportedMs === null) this.untoldUntilMs = nowMs + this.#unknownMs;
    if (reportedMs === null) return;
    if (nowMs + reportedMs > this.#restUntilMs) [this.#restSinceMs, this.#restUntilMs] = [nowMs, nowMs + reportedMs];
  }

  #restSinceMs = 0;

  get #unknownMs(): number {
    const windows = this.estate.quotas.map(({ windowMs }) => windowMs);
    return Math.min(UNTOLD_MS.most, Math.max(UNTOLD_MS.least, ...windows));
  }

  #commanded(what: string): void {
    const nowMs = this.#clock.monotonicMs();
    const [device = ""] = what.split(" ", 1);
    const before = this.#told.get(device);
    this.counts.commands += 1;
    if (before?.what === what && before.atMs >= this.wishedAtMs) {
      this.breaches.push(`${this.estate.id} was told "${what}" again after ${nowMs - before.atMs} ms without a look`);
    }
    this.#told.set(device, { atMs: nowMs, what });
  }

  /** Whoever looked may tell it again; of a vendor that is slow, once the answer may have come, what was told before. */
  #looked({ delayMs = 0 }: SimWebAnswer): void {
    const askedAtMs = this.#clock.monotonicMs();
    if (this.#trouble === null) this.#read(askedAtMs);
    if (this.#trouble === "slow") this.#clock.timer(delayMs, () => this.#read(askedAtMs));
  }

  #read(askedAtMs: number): void {
    this.answeredAtMs = this.#clock.monotonicMs();
    for (const [device, { atMs }] of this.#told) if (atMs <= askedAtMs) this.#told.delete(device);
  }
}

/**
 * `Retry-After` in s, or what is left until a quota is full again: draft-ietf-httpapi-ratelimit-headers, or the time that
 * Solar.web names.
 */
function pauseIn({ headers = {} }: SimWebAnswer): number | null {
  const seconds = headers["retry-after"] ?? /;t=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  const resetMs = Date.parse(headers["x-rate-limit-reset"] ?? "") - Date.parse(headers["date"] ?? "");
  return Number.isNaN(resetMs) ? null : resetMs;
}
