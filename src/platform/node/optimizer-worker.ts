/** The thread in which HiGHS solves: one model at a time, each answered by its number. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { HighsSession } from "../optimizer/highs-session.ts";
import { shortText } from "../optimizer/short-text.ts";
import type { LinearModel, LinearSolution, SolveOptions } from "../ports/optimizer-port.ts";

export interface SolveRequest {
  readonly id: number;
  readonly model: LinearModel;
  readonly options: SolveOptions;
}

export interface SolveReply {
  readonly id: number;
  readonly solution: LinearSolution;
  /** Of the solver's WebAssembly memory, which never shrinks. */
  readonly memoryBytes: number;
}

const PAGE_BYTES = 65_536;

/**
 * Refuses memory above the bound: the solver then ends with an error instead of taking the machine's memory. Returns a
 * reader of the size now.
 */
function boundMemory(limitBytes: number): () => number {
  let bytes = 0;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages: number): number {
    const next = this.buffer.byteLength + pages * PAGE_BYTES;
    if (next > limitBytes) throw new RangeError("the solver's memory is at its bound");
    const before = grow.call(this, pages);
    bytes = this.buffer.byteLength;
    return before;
  };
  return () => bytes;
}

/**
 * Compiles the solver, which keeps a copy of its file: the loader of its package would keep two more. The Debian package has it
 * compressed, which is 2 MB less; other installations have it as it is.
 */
function compile(): WebAssembly.Module {
  const path = fileURLToPath(new URL("highs.wasm", import.meta.resolve("highs")));
  const packed = `${path}.gz`;
  return new WebAssembly.Module(
    existsSync(packed) ? new Uint8Array(gunzipSync(readFileSync(packed))) : readFileSync(path),
  );
}

function failed(error: unknown): LinearSolution {
  return { status: "failed", detail: shortText(error) };
}

async function open(): Promise<HighsSession | LinearSolution> {
  try {
    return await HighsSession.open(compile());
  } catch (error) {
    return failed(error);
  }
}

const { memoryBytes: limitBytes } = workerData as { readonly memoryBytes: number };
const readMemory = boundMemory(limitBytes);
const opening = open();

parentPort?.on("message", ({ id, model, options }: SolveRequest) => {
  void opening.then((session) => {
    const solution = session instanceof HighsSession ? session.solve(model, options) : session;
    const reply: SolveReply = { id, solution, memoryBytes: readMemory() };
    parentPort?.postMessage(reply);
  });
});
