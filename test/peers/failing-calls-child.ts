/**
 * The process whose system calls fail: with `failing-calls.c` preloaded it takes faults, one JSON a line, runs a start and a
 * quarter of an hour's work of a store with each, starts again without it, and says what came of it. Argument: a folder.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import { startFailure } from "../../src/cli/start-failure.ts";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import type { Store } from "../../src/store/store.ts";
import { type Bench, makeBench, makeClient, makeSample, putClient } from "../store/makers.ts";
import { CALLS, COUNTS_AT, type Fault, FOLDER_AT, faultBytes, type Outcome } from "./failing-calls.ts";

const KEPT = ["c1", "c2", "c3", "c4", "c5", "c6"];
const ROUNDS = 6;
const ROUND_MS = 150_000;
const STEP_MS = 10_000;
/** After the fault is gone a store that runs takes writes again within this. */
const HEALED_MS = 120_000;

const [folder = ""] = process.argv.slice(2);
const control = openSync(process.env["FAILING_CALLS"] ?? "", "r+");

/** Calls are counted from 1 with this. */
function arm(stateFolder: string, fault: Fault): void {
  const bytes = faultBytes(stateFolder, fault);
  writeSync(control, bytes, 0, bytes.length, 0);
}

/** The calls go through from here on; what was counted stays. */
function disarm(): void {
  writeSync(control, Buffer.alloc(4), 0, 4, 4);
}

/** What was acknowledged, and what was refused: that may be there or not be there, as a refusal does not say. */
interface Acknowledged {
  readonly clients: Map<string, string | null>;
  readonly unknown: Set<string>;
}

async function put(bench: Bench, store: Store, known: Acknowledged, id: string, name: string | null): Promise<boolean> {
  const write =
    name === null
      ? ({ table: "client", key: id, remove: true } as const)
      : ({ table: "client", key: id, put: { ...makeClient(id), name } } as const);
  const isKept = await bench.commit(store, [write], [`${id} ${name}`]).then(
    () => true,
    () => false,
  );
  if (isKept) {
    known.clients.set(id, name);
    known.unknown.delete(id);
  } else known.unknown.add(id);
  return isKept;
}

async function work(bench: Bench, store: Store, known: Acknowledged): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await put(bench, store, known, `n${round}`, `new ${round}`);
    await put(bench, store, known, "c1", `renamed ${round}`);
    if (round < 3) await put(bench, store, known, `c${round + 4}`, null);
    store.record(makeSample("meter", bench.clock.nowMs()));
    await pass(bench, ROUND_MS);
  }
}

/** Virtual time passes, and waits for the disk every ten seconds of it. */
async function pass(bench: Bench, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await bench.clock.advance(Math.min(left, STEP_MS));
    await bench.drive(turn());
  }
}

function missing(store: Store, known: Acknowledged): readonly string[] {
  const wrong: string[] = [];
  for (const [id, name] of known.clients) {
    if (known.unknown.has(id)) continue;
    const found = store.get("client", id)?.name ?? null;
    if (found !== name) wrong.push(`client ${id}: ${found} instead of ${name}`);
  }
  return wrong;
}

async function close(bench: Bench, store: Store): Promise<void> {
  await bench.drive(store[Symbol.asyncDispose]());
}

async function run(base: string, stateFolder: string, fault: Fault): Promise<Outcome> {
  await cp(base, stateFolder, { recursive: true });
  const known: Acknowledged = {
    clients: new Map(KEPT.map((id) => [id, makeClient(id).name])),
    unknown: new Set(),
  };
  const bench = makeBench(nodeDisk({ stateFolder }));
  const wrong: string[] = [];
  let refusal: string | null = null;
  arm(stateFolder, fault);
  try {
    const store = await bench.open();
    wrong.push(...missing(store, known).map((text) => `at the start: ${text}`));
    await work(bench, store, known);
    disarm();
    for (let waitedMs = 0; !store.isWritable && waitedMs < HEALED_MS; waitedMs += 1_000) {
      await pass(bench, 1_000);
    }
    if (!(await put(bench, store, known, "healed", "healed"))) wrong.push("does not write after the fault");
    wrong.push(...missing(store, known).map((text) => `while running: ${text}`));
    await close(bench, store);
  } catch (error) {
    disarm();
    const failure = startFailure(error, stateFolder);
    refusal = failure === null ? null : `${failure.exitCode} ${failure.message}`;
    if (failure === null) wrong.push(`no clear refusal: ${String(error)}`);
    else if (!failure.message.includes(stateFolder)) wrong.push(`names no folder: ${failure.message}`);
  }
  const [hits, counts] = counted();
  const again = makeBench(nodeDisk({ stateFolder }));
  try {
    const store = await again.open();
    wrong.push(...missing(store, known).map((text) => `after the fault: ${text}`));
    const outcome: Outcome = { fault, hits, counts, refusal, recovered: store.recovered, wrong };
    await close(again, store);
    return outcome;
  } catch (error) {
    return { fault, hits, counts, refusal, recovered: [], wrong: [...wrong, `does not start again: ${String(error)}`] };
  } finally {
    await rm(stateFolder, { recursive: true, force: true });
  }
}

function counted(): readonly [number, readonly number[]] {
  const bytes = Buffer.alloc(FOLDER_AT);
  const own = openSync(process.env["FAILING_CALLS"] ?? "", "r");
  const read = process.getBuiltinModule("node:fs").readSync(own, bytes, 0, bytes.length, 0);
  closeSync(own);
  if (read !== bytes.length) throw new Error("the control file is too short");
  const counts = CALLS.map((_call, index) => bytes.readInt32LE(COUNTS_AT + index * 4));
  return [bytes.readInt32LE(COUNTS_AT + CALLS.length * 4), counts];
}

async function makeBase(): Promise<string> {
  const base = join(folder, "base");
  await mkdir(folder, { recursive: true });
  const bench = makeBench(nodeDisk({ stateFolder: base }));
  const store = await bench.open();
  await bench.commit(
    store,
    KEPT.map((id) => putClient(id)),
    ["one"],
  );
  store.record(makeSample("meter", bench.clock.nowMs()));
  await close(bench, store);
  // A second start, so that what is read lies in tables and in the log.
  const second = await bench.open();
  await bench.commit(second, [putClient("c6")], ["two"]);
  await close(bench, second);
  return base;
}

const base = await makeBase();
let number = 0;
for await (const line of createInterface({ input: process.stdin })) {
  number += 1;
  const outcome = await run(base, join(folder, `run-${number}`), JSON.parse(line));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
closeSync(control);
