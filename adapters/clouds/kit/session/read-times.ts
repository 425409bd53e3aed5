import { type Clock, MINUTE_MS } from "hemgate/sdk";

/** Looks after a command, ms: most clouds show it within seconds, slow ones within half a minute. */
const LOOKS_MS = [3_000, 10_000, 30_000] as const;
/** Where readings are so far apart, requests are scarce: one look after a command has to do. */
const SCARCE_MS = 5 * MINUTE_MS;
const LEAST_PERIOD_MS = 1_000;
/** A full reading that nobody's command asks for is no reason for another request sooner than that. */
const LEAST_MS = 30_000;
/** After each reading that failed the next is worth its request this often as late, up to half an hour: quotas are small. */
const LATER = 2;
const MOST_LATER = 6;

export interface ReadPlan {
  /** How long until the next reading, as the budget and what the device does want it, ms; asked after each. */
  nextMs(): number;
  /** How often the budget had more left at once than could be foreseen. */
  windfalls(): number;
}

/** Decides when a device behind a cloud is read. It is kept across connections, so that a new one is no way around the budget. */
export class ReadTimes {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #plan: ReadPlan = { nextMs: () => SCARCE_MS, windfalls: () => 0 };
  #windfalls = 0;
  #periodMs = SCARCE_MS;
  /** Monotonic ms. */
  #readAtMs = Number.NEGATIVE_INFINITY;
  #wroteAtMs = Number.NEGATIVE_INFINITY;
  #isOften = false;
  #isRushed = false;
  /** Readings in a row that brought nothing. */
  #failures = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** `isOften`: calls come much more often than readings, for what a stream sent or another device read meanwhile. */
  follow(plan: ReadPlan, isOften = false): void {
    this.#plan = plan;
    this.#isOften = isOften;
    this.#replan();
  }

  /** True: it is looked more often than it is read, as something may bring the next reading forward. */
  get isFarOff(): boolean {
    return this.#periodMs > SCARCE_MS;
  }

  /** How far apart readings are now, ms. */
  get periodMs(): number {
    return this.#periodMs;
  }

  /** How long ago the last reading began, ms; infinite before the first. */
  get ageMs(): number {
    return this.#clock.monotonicMs() - this.#readAtMs;
  }

  /** `all`: somebody waits for what a command did, or the connection is new. `isWanted`: the device has a reason. */
  isDue(scope: "due" | "all", isRequested = false): boolean {
    if (this.#plan.windfalls() !== this.#windfalls) this.#replan();
    const nowMs = this.#clock.monotonicMs();
    const periodMs = this.#periodMs;
    if (this.#isRushed || this.#isLookDue(nowMs, periodMs)) return true;
    const sinceMs = nowMs - this.#readAtMs;
    if (isRequested && sinceMs >= LEAST_MS * LATER ** Math.min(this.#failures, MOST_LATER)) return true;
    // Each failure may end the connection, and a new one is no reason to ask more often.
    const isFresh = scope === "all" && this.#failures === 0;
    if (isFresh) return sinceMs >= Math.min(periodMs, Math.max(LEAST_MS, periodMs / 2));
    // Calls come at multiples of the period, so the first after an early reading comes sooner than a period later.
    if (this.#isOften || this.isFarOff) return sinceMs >= periodMs;
    return sinceMs >= periodMs || (sinceMs >= periodMs / 2 && this.#tick(nowMs) !== this.#tick(this.#readAtMs));
  }

  began(): void {
    this.#readAtMs = this.#clock.monotonicMs();
    this.#isRushed = false;
  }

  /** The stream of the device is lost: the device is read at the next call. */
  rush(): void {
    this.#isRushed = true;
  }

  /** The reading that began is over. */
  ended(hasAnswered: boolean): void {
    this.#failures = hasAnswered ? 0 : this.#failures + 1;
    this.#replan();
  }

  /** A command was sent: what it did is worth a look, and the device may do more now. */
  wrote(): void {
    this.#wroteAtMs = this.#clock.monotonicMs();
    this.#replan();
  }

  #replan(): void {
    this.#windfalls = this.#plan.windfalls();
    this.#periodMs = Math.max(LEAST_PERIOD_MS, this.#plan.nextMs());
  }

  #isLookDue(nowMs: number, periodMs: number): boolean {
    const looks = periodMs > SCARCE_MS ? LOOKS_MS.slice(1, 2) : LOOKS_MS;
    return looks.some((afterMs) => {
      const atMs = this.#wroteAtMs + afterMs;
      return nowMs >= atMs && this.#readAtMs < atMs;
    });
  }

  #tick(atMs: number): number {
    return Math.floor(atMs / this.#periodMs);
  }
}
