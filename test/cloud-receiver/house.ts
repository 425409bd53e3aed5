/** A gateway's process, from outside. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reply, Request } from "./house-talk.ts";
import { stopped } from "./servers.ts";

const PROCESS = join(import.meta.dirname, "house-process.ts");
/** Of what a process said, for whoever looks into a failure. */
const TOLD_CHARACTERS = 4_000;

interface HouseOptions {
  readonly brokerUrl: string;
  readonly name: string;
  readonly keepaliveSeconds?: number;
  /** Words before the command, such as those that enter a namespace. */
  readonly enter?: readonly string[];
}

/** A gateway whose process comes and goes, and whose disk stays. */
export class House implements AsyncDisposable {
  readonly name: string;
  readonly #options: HouseOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "hemgate-house-"));
  #child: ChildProcess | null = null;
  #told = "";

  constructor(options: HouseOptions) {
    this.name = options.name;
    this.#options = options;
  }

  start(): void {
    const { brokerUrl, name, keepaliveSeconds = 60, enter = [] } = this.#options;
    const flags = ["--disable-warning=ExperimentalWarning", "--conditions=source"];
    const parameters = [join(this.#folder, "state"), brokerUrl, name, this.#effectsFile, String(keepaliveSeconds)];
    const [program = "", ...words] = [...enter, process.execPath, ...flags, PROCESS, ...parameters];
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part: unknown) => {
        this.#told = `${this.#told}${part}`.slice(-TOLD_CHARACTERS);
      });
    }
    this.#child = child;
  }

  /** As a power cut ends it, though what it wrote is not lost. */
  async kill(): Promise<void> {
    if (this.#child === null) return;
    const { exitCode } = this.#child;
    if (exitCode !== null) throw new Error(`the gateway ended by itself with ${exitCode}: ${this.#told}`);
    await stopped(this.#child, "SIGKILL");
  }

  /** It commits nothing more by itself. */
  async rest(): Promise<void> {
    await this.#ask("rest");
  }

  async isConnected(): Promise<boolean> {
    return (await this.#ask("state")).isConnected;
  }

  async report(): Promise<Extract<Reply, { readonly request: "report" }>> {
    return await this.#ask("report");
  }

  /** The commands that had their effect, as often as they had it. */
  get effects(): readonly string[] {
    return existsSync(this.#effectsFile) ? readFileSync(this.#effectsFile, "utf8").split("\n").slice(0, -1) : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child !== null) await stopped(this.#child, "SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #effectsFile(): string {
    return join(this.#folder, "effects");
  }

  async #ask<Asked extends Request>(request: Asked): Promise<Extract<Reply, { readonly request: Asked }>> {
    const child = this.#child;
    if (child === null) throw new Error("the gateway was not started");
    return await new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error(`the gateway ended: ${this.#told}`));
      const hear = (reply: Reply): void => {
        if (reply.request !== request) return;
        child.off("message", hear);
        child.off("exit", gone);
        resolve(reply as Extract<Reply, { readonly request: Asked }>);
      };
      child.on("message", hear);
      child.once("exit", gone);
      child.send(request, (error) => {
        if (error !== null) reject(error);
      });
    });
  }
}
