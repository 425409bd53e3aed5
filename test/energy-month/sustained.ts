import type { Clock } from "../../src/platform/ports/ports.ts";

/** Conditions that may be for a while and not for long. */
export class Sustained {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #sinceMs = new Map<string, number>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Returns the text once the condition has been broken for longer than allowed without a pause. */
  check(
    key: string,
    { isBroken, allowedMs, text }: { readonly isBroken: boolean; readonly allowedMs: number; readonly text: string },
  ): readonly string[] {
    if (!isBroken) {
      this.#sinceMs.delete(key);
      return [];
    }
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = this.#sinceMs.get(key) ?? nowMs;
    this.#sinceMs.set(key, sinceMs);
    if (nowMs - sinceMs <= allowedMs) return [];
    // Reported once, until the condition is over.
    this.#sinceMs.set(key, Number.POSITIVE_INFINITY);
    return [`${text} (allowed for ${allowedMs / 1_000} s)`];
  }

  /** Begins again; only for the keys that begin so, if any are given. */
  clear(...prefixes: readonly string[]): void {
    for (const key of [...this.#sinceMs.keys()]) {
      if (prefixes.length === 0 || prefixes.some((prefix) => key.startsWith(prefix))) this.#sinceMs.delete(key);
    }
  }
}
