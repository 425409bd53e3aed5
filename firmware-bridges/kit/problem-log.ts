import { type Clock, HOUR_MS, type Log } from "hemgate/sdk";

/** The same problem is logged once in this time, ms. */
const REPEAT_MS = HOUR_MS;
/** Different ones that are remembered; further ones are not logged until an old one is forgotten. */
const MAX_PROBLEMS = 50;

/** Logs what is wrong with a device's messages, each problem once an hour. */
export class ProblemLog {
  readonly #log: Log;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #loggedAtMs = new Map<string, number>();

  constructor(log: Log, clock: Pick<Clock, "monotonicMs">) {
    this.#log = log;
    this.#clock = clock;
  }

  tell(topic: string, what: string): void {
    const nowMs = this.#clock.monotonicMs();
    const key = `${topic} ${what}`;
    for (const [old, atMs] of this.#loggedAtMs) if (nowMs - atMs >= REPEAT_MS) this.#loggedAtMs.delete(old);
    if (this.#loggedAtMs.has(key) || this.#loggedAtMs.size >= MAX_PROBLEMS) return;
    this.#loggedAtMs.set(key, nowMs);
    this.#log.warn({ topic, what }, "message not understood");
  }
}
