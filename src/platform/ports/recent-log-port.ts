/** A line of the log. */
export interface LogLine {
  /** Wall-clock ms. */
  readonly atMs: number;
  readonly level: "error" | "warn" | "info" | "debug";
  readonly text: string;
  /** Without secrets, and shortened. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The last lines of the log, in memory. It stands with the other ports in `ports.ts`. */
export interface RecentLog {
  /** Returns the lines that are kept, oldest first. */
  lines(): readonly LogLine[];
}
