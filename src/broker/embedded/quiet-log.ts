import type { Clock, Log, LogFields } from "../../platform/ports/ports.ts";

/** What clients can make the broker write into the log. */
const MAX_LINES = 20;
const WINDOW_MS = 60_000;

/** Warnings about clients, so many a minute: no stranger fills the log. */
export class QuietLog {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #log: Pick<Log, "warn">;
  #sinceMs: number;
  #lines = 0;

  constructor(clock: Pick<Clock, "monotonicMs">, log: Pick<Log, "warn">) {
    this.#clock = clock;
    this.#log = log;
    this.#sinceMs = clock.monotonicMs();
  }

  warn(fields: LogFields, text: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sinceMs >= WINDOW_MS) {
      if (this.#lines > MAX_LINES) this.#log.warn({ lines: this.#lines - MAX_LINES }, "MQTT warnings left out");
      this.#sinceMs = nowMs;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= MAX_LINES) this.#log.warn(fields, text);
  }
}
