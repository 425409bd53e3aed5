import { execFile } from "node:child_process";

/** Of what a program prints; more ends it. */
const MAX_OUTPUT_BYTES = 16_000_000;
/** Lines of its last words. */
const LAST_LINES = 16;

export interface ProgramOptions {
  /** Beside the variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly stop?: AbortSignal;
}

/** A program that ended with a failure; the message has what it said last. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  /** Standard output and standard error. */
  readonly output: string;

  constructor(message: string, output: string, options?: ErrorOptions) {
    super(message, options);
    this.output = output;
  }
}

/** Runs a program in the C locale; resolves with its standard output. Rejects with a `ProgramError` if it fails. */
export function runProgram(
  file: string,
  words: readonly string[],
  { environment = {}, folder, stop }: ProgramOptions = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = {
    env: { ...process.env, ...environment, LC_ALL: "C" },
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(folder !== undefined && { cwd: folder }),
    ...(stop !== undefined && { signal: stop }),
  };
  execFile(file, [...words], options, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout);
    const output = `${stdout}${stderr}`;
    const said = (stderr.trim() || stdout.trim()).split("\n").slice(-LAST_LINES).join("\n");
    const why = said === "" ? error.message : said;
    reject(new ProgramError(`${file} failed: ${why}`, output, { cause: error }));
  });
  return promise;
}

/** Makes everything last that was written to the file system of a folder. */
export async function syncFileSystem(folder: string): Promise<void> {
  await runProgram("sync", ["--file-system", folder]);
}
