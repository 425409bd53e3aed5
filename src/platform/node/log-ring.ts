import { codeOf, errorText } from "../error-text.ts";
import type { Clock, Log, LogFields } from "../ports/ports.ts";
import type { LogLine, RecentLog } from "../ports/recent-log-port.ts";
import { REDACTED, redactFields } from "./redact.ts";

const MAX_LINES = 500;
/** Of the text, and of the fields of a line as JSON. */
const MAX_CHARACTERS = 1_000;
const LEVELS = ["error", "warn", "info", "debug"] as const;
type Level = (typeof LEVELS)[number];

/** Keeps the last lines of a log at its level, so that people can read them without the machine. */
export class LogRing implements RecentLog {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #level: number;
  readonly #lines: LogLine[] = [];

  constructor(clock: Pick<Clock, "nowMs">, level: Level) {
    this.#clock = clock;
    this.#level = LEVELS.indexOf(level);
  }

  lines(): readonly LogLine[] {
    return [...this.#lines];
  }

  /** Returns a log that writes to the given one, and keeps its lines here. */
  around(log: Log, own: LogFields = {}): Log {
    const writer =
      (level: Level) =>
      (fields: LogFields, text: string): void => {
        log[level](fields, text);
        if (LEVELS.indexOf(level) <= this.#level) this.#keep(level, { ...own, ...fields }, text);
      };
    return {
      error: writer("error"),
      warn: writer("warn"),
      info: writer("info"),
      debug: writer("debug"),
      child: (fields) => this.around(log.child(fields), { ...own, ...fields }),
    };
  }

  #keep(level: Level, fields: LogFields, text: string): void {
    const line = { atMs: this.#clock.nowMs(), level, text: text.slice(0, MAX_CHARACTERS), fields: kept(fields) };
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

/** Returns the fields as they are shown: an error as its name and sentence, and no code that makes an owner. */
function kept(fields: LogFields): Readonly<Record<string, unknown>> {
  const { err, ...others } = fields;
  const error = err instanceof Error ? { type: err.name, message: errorText(err), code: codeOf(err) } : err;
  const shown = redactFields({ ...others, ...(err === undefined ? {} : { err: error }) });
  if ("setupCode" in shown) shown["setupCode"] = REDACTED;
  const json = JSON.stringify(shown, plain) ?? "{}";
  if (json.length > MAX_CHARACTERS) return { shortened: json.slice(0, MAX_CHARACTERS) };
  return JSON.parse(json) as Record<string, unknown>;
}

/** What JSON cannot say, as text. */
function plain(_name: string, value: unknown): unknown {
  if (value instanceof Error) return errorText(value);
  return typeof value === "bigint" ? String(value) : value;
}
