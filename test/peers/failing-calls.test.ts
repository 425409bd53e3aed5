/**
 * Each system call on the state folder fails once, or from there on for good. `FAILING_CALLS_ALL=400` tries each of the
 * first 400 of every kind with every error; without it, a sample.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { CALLS, ERRORS, type Fault, FOLDER_AT, FOLDER_BYTES, type Outcome } from "./failing-calls.ts";

const ALL = Number(process.env["FAILING_CALLS_ALL"] ?? 0);
/** Of the sample: the first of each kind, and some of the later ones. */
const FIRST = 6;
const SAMPLE_STEP = 23;

const folder = mkdtempSync(join(tmpdir(), "hemgate-failing-"));
let child: ChildProcess | null = null;

afterAll(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Starts the process, and answers what runs a fault in it. */
function startChild(): (fault: Fault) => Promise<Outcome> {
  const library = join(folder, "failing-calls.so");
  const source = join(import.meta.dirname, "failing-calls.c");
  execFileSync("gcc", ["-shared", "-fPIC", "-O1", "-Wall", "-o", library, source, "-ldl"], { stdio: "pipe" });
  const control = join(folder, "control");
  writeFileSync(control, Buffer.alloc(FOLDER_AT + FOLDER_BYTES));
  const script = join(import.meta.dirname, "failing-calls-child.ts");
  const own = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--conditions=source", script, join(folder, "state")],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, LD_PRELOAD: library, FAILING_CALLS: control, UV_USE_IO_URING: "0" },
    },
  );
  child = own;
  const lines = createInterface({ input: own.stdout })[Symbol.asyncIterator]();
  return async (fault) => {
    own.stdin.write(`${JSON.stringify(fault)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`the process ended at ${JSON.stringify(fault)}`);
    return JSON.parse(value);
  };
}

/** Of the calls that there are without a fault. */
function faultsOf(counts: readonly number[]): readonly Fault[] {
  return CALLS.flatMap((call, index) => {
    const last = Math.min(counts[index] ?? 0, ALL || Number.POSITIVE_INFINITY);
    const numbers = Array.from({ length: last }, (_, at) => at + 1);
    const chosen = ALL > 0 ? numbers : numbers.filter((at) => at <= FIRST || at % SAMPLE_STEP === index);
    return chosen.flatMap((at) => {
      const errors = ALL > 0 ? Object.values(ERRORS) : [Object.values(ERRORS)[at % 3] ?? ERRORS.EIO];
      return errors.flatMap((errno) => [false, true].map((isForever) => ({ call, errno, at, isForever })));
    });
  });
}

test("whichever system call on the state folder fails, a start has everything or is refused, and nothing acknowledged is lost", async () => {
  const run = startChild();
  const whole = await run({ call: "open", errno: 0, at: 0, isForever: false });
  expect(whole).toMatchObject({ hits: 0, refusal: null, recovered: [], wrong: [] });
  const outcomes: Outcome[] = [];
  for (const fault of faultsOf(whole.counts)) outcomes.push(await run(fault));
  const wrong = outcomes.filter((outcome) => outcome.wrong.length > 0);
  const figures = {
    calls: Object.fromEntries(CALLS.map((call, index) => [call, whole.counts[index]])),
    faults: outcomes.length,
    struck: outcomes.filter(({ hits }) => hits > 0).length,
    refused: outcomes.filter(({ refusal }) => refusal !== null).length,
    recovered: outcomes.filter(({ recovered }) => recovered.length > 0).length,
    wrong: wrong.length,
  };
  console.log(JSON.stringify(figures));
  expect(wrong).toEqual([]);
  expect(figures.struck).toBeGreaterThan(figures.faults * 0.8);
  expect(figures.refused).toBeGreaterThan(0);
}, 7_200_000);
