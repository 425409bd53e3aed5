import type { Clock } from "hemgate/sdk";

/** More than an account's devices share; what was fetched longest ago goes first. */
const MAX_KEPT = 200;

interface Fetch {
  readonly answer: Promise<unknown>;
  readonly ended: AbortController;
  joined: number;
}

/** What several ask for is fetched once. */
export class SharedAnswers {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #kept = new Map<string, { readonly atMs: number; readonly value: unknown }>();
  readonly #underWay = new Map<string, Fetch>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /**
   * Answers what a fetch under this key that began at most `freshMs` ago brought, joins the one that is under way, or
   * fetches. A failure is not kept. Who gives up leaves the others their fetch; when all do, it ends.
   */
  async get<T>(
    key: string,
    freshMs: number,
    fetch: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    // A key stands for one type, as the connector promises.
    if (kept !== undefined && this.#clock.monotonicMs() - kept.atMs <= freshMs) return kept.value as T;
    return (await this.#join(key, this.#underWay.get(key) ?? this.#begin(key, fetch), signal)) as T;
  }

  /** When the fetch began that brought what is kept under a key, monotonic ms; null: nothing is kept. */
  atMs(key: string): number | null {
    return this.#kept.get(key)?.atMs ?? null;
  }

  /** Forgets what is kept; what is under way goes to those who joined it, and to nobody else. */
  outdate(key: string): void {
    this.#kept.delete(key);
    this.#underWay.delete(key);
  }

  #begin(key: string, fetch: (signal: AbortSignal) => Promise<unknown>): Fetch {
    const ended = new AbortController();
    const atMs = this.#clock.monotonicMs();
    // Not before the fetch is noted: one that fails at once must find itself there.
    const answer = Promise.resolve().then(() => fetch(ended.signal));
    const own: Fetch = { answer, ended, joined: 0 };
    this.#underWay.set(key, own);
    const isCurrent = (): boolean => this.#underWay.get(key) === own;
    answer.then(
      (value) => {
        if (!isCurrent()) return;
        this.#underWay.delete(key);
        this.#keep(key, { atMs, value });
      },
      () => {
        if (isCurrent()) this.#underWay.delete(key);
      },
    );
    return own;
  }

  async #join(key: string, own: Fetch, signal: AbortSignal): Promise<unknown> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    own.joined += 1;
    try {
      return await Promise.race([own.answer, aborted]);
    } finally {
      signal.removeEventListener("abort", abort);
      own.joined -= 1;
      if (own.joined === 0 && signal.aborted) {
        if (this.#underWay.get(key) === own) this.#underWay.delete(key);
        own.ended.abort(signal.reason);
      }
    }
  }

  #keep(key: string, answer: { readonly atMs: number; readonly value: unknown }): void {
    this.#kept.delete(key);
    this.#kept.set(key, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
