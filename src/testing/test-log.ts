import type { Log, LogFields } from "../platform/ports/ports.ts";

export type LogLevel = "error" | "warn" | "info" | "debug";

export interface LogLine {
  readonly level: LogLevel;
  readonly text: string;
  readonly fields: LogFields;
}

/** Lines kept; the oldest go first. */
const MAX_LINES = 10_000;

/** Collects what is logged, so that a test can look at it. Children write into the same lines. */
export class TestLog implements Log {
  readonly #lines: LogLine[];
  readonly #fields: LogFields;
  readonly #onLine: ((line: LogLine) => void) | null;

  constructor(onLine: ((line: LogLine) => void) | null = null, parent?: { lines: LogLine[]; fields: LogFields }) {
    this.#onLine = onLine;
    this.#lines = parent?.lines ?? [];
    this.#fields = parent?.fields ?? {};
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** The texts of a level, or of all. */
  texts(level?: LogLevel): readonly string[] {
    return this.#lines.filter((line) => level === undefined || line.level === level).map((line) => line.text);
  }

  error(fields: LogFields, text: string): void {
    this.#add("error", fields, text);
  }

  warn(fields: LogFields, text: string): void {
    this.#add("warn", fields, text);
  }

  info(fields: LogFields, text: string): void {
    this.#add("info", fields, text);
  }

  debug(fields: LogFields, text: string): void {
    this.#add("debug", fields, text);
  }

  child(fields: LogFields): TestLog {
    return new TestLog(this.#onLine, { lines: this.#lines, fields: { ...this.#fields, ...fields } });
  }

  #add(level: LogLevel, fields: LogFields, text: string): void {
    const line = { level, text, fields: { ...this.#fields, ...fields } };
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.splice(0, MAX_LINES / 2);
    this.#onLine?.(line);
  }
}
