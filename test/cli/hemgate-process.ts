import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = new URL("../../", import.meta.url).pathname;
/** The sources; with `HEMGATE_BUILT=1` what `npm run build` made of them last, which starts in two thirds of the time. */
const PROGRAM =
  process.env["HEMGATE_BUILT"] === "1"
    ? [join(ROOT, "dist/src/cli/hemgate.js")]
    : ["--disable-warning=ExperimentalWarning", "--conditions=source", join(ROOT, "src/cli/hemgate.ts")];
/** Node keeps what it made of the sources here: a start takes half of the time. */
const COMPILED = join(ROOT, "node_modules/.cache/hemgate-tests");

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface HemgateOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

/** The real command line in a process of its own, with nothing of the test's environment but the path. */
export class Hemgate implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #finished: Promise<Finished>;
  readonly #waiting = new Set<() => void>();
  #out = "";
  #err = "";

  constructor(words: readonly string[], { environment = {} }: HemgateOptions = {}) {
    this.#child = spawn(process.execPath, [...PROGRAM, ...words], {
      cwd: tmpdir(),
      env: { PATH: process.env["PATH"], HOME: tmpdir(), NODE_COMPILE_CACHE: COMPILED, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (part: Buffer) => this.#heard(() => (this.#out += part.toString("utf8"))));
    this.#child.stderr?.on("data", (part: Buffer) => this.#heard(() => (this.#err += part.toString("utf8"))));
    this.#finished = new Promise((resolve) => {
      this.#child.on("close", (code, signal) => {
        this.#heard(() => undefined);
        resolve({ code, signal, out: this.#out, err: this.#err });
      });
    });
  }

  /** Resolves with what standard output matches, as soon as it does. Rejects when the process ends without it. */
  output(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#match(pattern, () => this.#out);
  }

  /** The same for standard error, where the log goes. */
  logged(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#match(pattern, () => this.#err);
  }

  async #match(pattern: RegExp, text: () => string): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(text());
      if (match !== null) return match;
      if (this.#child.exitCode !== null) throw new Error(`ended without ${pattern}:\n${this.#out}\n${this.#err}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  finished(): Promise<Finished> {
    return this.#finished;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
    await this.#finished;
  }

  #heard(change: () => void): void {
    change();
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Runs one command to its end. */
export async function hemgate(words: readonly string[], options: HemgateOptions = {}): Promise<Finished> {
  await using command = new Hemgate(words, options);
  return await command.finished();
}

export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "hemgate-"));
  const remove = (): void => {
    // The key of a state folder is beside it.
    for (const made of [path, `${path}.key`]) rmSync(made, { recursive: true, force: true });
  };
  return { path, [Symbol.dispose]: remove };
}
