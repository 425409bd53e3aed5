/** What a command sees of the process it runs in; tests give their own. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's folder; state goes below it when nothing else is said. */
  readonly home: string;
  readonly workingFolder: string;
  readonly pid: number;
  /** Whether people read `out` as it is written. */
  readonly isTerminal: boolean;
  /** Aborts when the user or the system wants the command to end. */
  readonly stop: AbortSignal;
  /** Writes lines to standard output. */
  out(text: string): void;
  /** Writes lines to standard error. */
  err(text: string): void;
}
