import { createHash } from "node:crypto";
import type { Clock } from "../platform/ports/ports.ts";

/** Lines kept to find out what led to a breach. */
const MAX_RECENT_LINES = 200;
/** Lines are hashed in lumps of about this many characters. */
const LUMP_CHARACTERS = 64 * 1024;

/** What happened in a simulated world, line by line, as a running SHA-256: the same seed gives the same hash. */
export class EventLog {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #hash = createHash("sha256");
  #lump = "";
  #count = 0;
  readonly #recent: string[] = [];

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  /** The last lines, oldest first. */
  get recent(): readonly string[] {
    return this.#recent.slice(-MAX_RECENT_LINES);
  }

  add(kind: string, fields: unknown): void {
    const line = `${this.#clock.monotonicMs()} ${kind} ${JSON.stringify(fields, plainError)}`;
    this.#count += 1;
    this.#lump += `${line}\n`;
    this.#recent.push(line);
    if (this.#recent.length > 2 * MAX_RECENT_LINES) this.#recent.splice(0, MAX_RECENT_LINES);
    if (this.#lump.length >= LUMP_CHARACTERS) this.#flush();
  }

  /** SHA-256 over all lines so far, hex. */
  digest(): string {
    this.#flush();
    return this.#hash.copy().digest("hex");
  }

  #flush(): void {
    this.#hash.update(this.#lump);
    this.#lump = "";
  }
}

/** An error without its stack, which names places on this machine. */
function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? `${value.name}: ${value.message}` : value;
}
