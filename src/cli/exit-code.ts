/** What the command leaves with, so that scripts and systemd can tell what happened. `hemgate --help` lists them. */
export const EXIT = {
  ok: 0,
  /** What was asked about is not right: a file with mistakes, a device that is not there. */
  failed: 1,
  /** The command line itself cannot be understood. */
  usage: 2,
  /** No gateway runs on this state folder. */
  notRunning: 69,
  /** A bug of ours; the log has it. */
  crashed: 70,
  /** A port, a folder or its lock is not to be had now. */
  unavailable: 75,
  /** The configuration cannot be used. */
  config: 78,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The failure of a command; the message is for the user that typed it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
