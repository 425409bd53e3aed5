import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { shortText } from "../optimizer/short-text.ts";
import type { LinearModel, LinearSolution, Optimizer, SolveOptions } from "../ports/optimizer-port.ts";
import type { Clock } from "../ports/ports.ts";
import type { SolveReply, SolveRequest } from "./optimizer-worker.ts";
import { packageFacts } from "./package-root.ts";

export interface NodeOptimizerOptions {
  readonly clock: Pick<Clock, "timer">;
  /** Highest memory of the solver, bytes. */
  readonly memoryBytes?: number;
  /** After so long without a model the thread ends and gives its memory back, ms. */
  readonly idleMs?: number;
  /** The worker's file; tests replace it. */
  readonly workerPath?: string;
}

const DEFAULT_MEMORY_BYTES = 192 * 2 ** 20;
/** Above this share of its bound a worker is replaced after its answer: its memory never shrinks. */
const RECYCLE_SHARE = 0.5;
/** Time for loading and for the answer's way beyond the deadline of the solver itself, ms. */
const GRACE_MS = 5_000;
/** Plans are half a minute apart at least, so only those of one simulation share a thread. */
const DEFAULT_IDLE_MS = 5_000;
const NAME = "src/platform/node/optimizer-worker";
const JS_LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 2, stackSizeMb: 2 };

/** HiGHS in a worker thread that starts with the first model. */
export function nodeOptimizer(options: NodeOptimizerOptions): Optimizer {
  return new NodeOptimizer(options);
}

class NodeOptimizer implements Optimizer {
  readonly #clock: Pick<Clock, "timer">;
  readonly #memoryBytes: number;
  readonly #idleMs: number;
  readonly #workerPath: string | undefined;
  #idle: NodeJS.Timeout | undefined;
  #worker: Worker | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #lastId = 0;

  constructor({
    clock,
    memoryBytes = DEFAULT_MEMORY_BYTES,
    idleMs = DEFAULT_IDLE_MS,
    workerPath,
  }: NodeOptimizerOptions) {
    this.#clock = clock;
    this.#memoryBytes = memoryBytes;
    this.#idleMs = idleMs;
    this.#workerPath = workerPath;
  }

  solve(model: LinearModel, options: SolveOptions): Promise<LinearSolution> {
    const solution = this.#queue.then(() => this.#solveNow(model, options));
    this.#queue = solution;
    return solution;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  async #solveNow(model: LinearModel, options: SolveOptions): Promise<LinearSolution> {
    clearTimeout(this.#idle);
    try {
      const reply = await this.#ask({ id: ++this.#lastId, model, options });
      const isMixed = model.integrality.some((kind) => kind !== 0);
      if (isMixed || reply.memoryBytes > this.#memoryBytes * RECYCLE_SHARE) await this.#stop();
      else this.#idle = setTimeout(() => void this.#stop(), this.#idleMs).unref();
      return reply.solution;
    } catch (error) {
      await this.#stop();
      return error instanceof OutOfTime
        ? { status: "time-limit", detail: "the solver did not answer in time" }
        : { status: "failed", detail: shortText(error) };
    }
  }

  async #ask(request: SolveRequest): Promise<SolveReply> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<SolveReply>();
    const onExit = () => reject(new Error("the solver's thread ended"));
    worker.on("message", resolve).on("error", reject).on("messageerror", reject).on("exit", onExit);
    using _limit = this.#clock.timer(request.options.deadlineMs + GRACE_MS, () => reject(new OutOfTime()));
    try {
      worker.postMessage(request);
      return await promise;
    } finally {
      worker.off("message", resolve).off("error", reject).off("messageerror", reject).off("exit", onExit);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#workerPath ?? workerPath(), {
      name: "optimizer",
      workerData: { memoryBytes: this.#memoryBytes },
      resourceLimits: JS_LIMITS,
      // What it writes could be the solver's whole source in one line.
      stdout: true,
      stderr: true,
    });
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget).on("exit", forget);
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    return worker;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

function workerPath(): string {
  const { root } = packageFacts();
  return import.meta.url.endsWith(".ts") ? join(root, `${NAME}.ts`) : join(root, "dist", `${NAME}.js`);
}
