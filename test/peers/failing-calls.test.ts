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
import { EXIT } from "../../src/cli/exit-code.ts";
import { hemgate } from "../cli/hemgate-process.ts";
import { CALLS, ERRORS, type Fault, FOLDER_AT, FOLDER_BYTES, faultBytes, type Outcome } from "./failing-calls.ts";

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

/** What a process has in its environment so that its calls fail as the file `control` says. */
function preload(control: string): Readonly<Record<string, string>> {
  const library = join(folder, "failing-calls.so");
  const source = join(import.meta.dirname, "failing-calls.c");
  execFileSync("gcc", ["-shared", "-fPIC", "-O1", "-Wall", "-o", library, source, "-ldl"], { stdio: "pipe" });
  return { LD_PRELOAD: library, FAILING_CALLS: control, UV_USE_IO_URING: "0" };
}

/** Starts the process, and answers what runs a fault in it. */
function startChild(): (fault: Fault) => Promise<Outcome> {
  const control = join(folder, "control");
  writeFileSync(control, Buffer.alloc(FOLDER_AT + FOLDER_BYTES));
  const script = join(import.meta.dirname, "failing-calls-child.ts");
  const own = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--conditions=source", script, join(folder, "state")],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...preload(control) },
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

test.each([
  ["open", "EACCES"],
  ["read", "EIO"],
  ["write", "ENOSPC"],
  ["sync", "EIO"],
] as const)(
  "a gateway whose every %s of its state folder fails with %s ends with 75 and names the folder, and has its clients again afterwards",
  async (call, error) => {
    const state = join(folder, `gateway-${call}`);
    const made = await hemgate(["client", "create", "--name", "app", "--state", state, "--json"]);
    const { id } = JSON.parse(made.out);
    const control = join(folder, `control-${call}`);
    writeFileSync(control, faultBytes(state, { call, errno: ERRORS[error], at: 1, isForever: true }));
    const config = join(folder, "gateway.yaml");
    writeFileSync(config, "http: { host: 127.0.0.1, port: 0 }\n");
    const words = ["start", "--config", config, "--state", state, "--json"];
    const refused = await hemgate(words, { environment: preload(control) });
    expect(refused.code).toBe(EXIT.unavailable);
    expect(refused.out).toBe("");
    expect(refused.err.trim().split("\n").at(-1)).toMatch(new RegExp(`^hemgate: the state folder ${state} .*`));
    const pinned = await hemgate(["client", "pin", id, "--version", "2024-01-01", "--state", state]);
    expect([pinned.code, pinned.err]).toEqual([EXIT.ok, ""]);
  },
);
