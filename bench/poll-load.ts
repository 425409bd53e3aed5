/**
 * Fifty devices with four blocks each at 1 Hz over loopback: CPU and lateness of the whole gateway, beside Node-RED with
 * node-red-contrib-modbus and collectd's modbus plugin making the same polls of one libmodbus server, one after the other.
 *
 *   node --conditions=source bench/poll-load.ts [SECONDS] [ROUNDS]
 *
 * Needs gcc and libmodbus-dev; collectd-core for its row; npm for Node-RED, which it installs among the temporary files.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { compile } from "../test/peers/peer-process.ts";
import { type Command, collectd, type Load, nodeRed } from "./poll-peers.ts";

const SECONDS = Number(process.argv[2] ?? 30);
const ROUNDS = Number(process.argv[3] ?? 3);
/** How long a program may take until every block was read once, and then until what runs often is compiled. */
const START_MS = 120_000;
const WARM_UP_MS = 10_000;
const PERIOD_MS = 1_000;
const LOAD = { devices: 50, blocks: 4, blockStep: 1_000 } as const;
/** What collectd reads a request, and what devices are read in. */
const [FEW, MANY] = [2, 50];
const TICKS_PER_S = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const server = compile(here("register-server.c"));

interface Subject {
  readonly name: string;
  readonly registers: number;
  command(load: Load): Command | null;
}

interface Measured {
  readonly cpuMsPerS: number;
  readonly pollsPerS: number;
  /** Of each poll against the grid of whole seconds that fits its block best, as the devices see it, ms. */
  readonly lateness: readonly number[];
  /** From due to value, ms; of the gateway, which tells it. */
  readonly dueToValue: readonly number[];
  readonly rssMb: number;
}

interface Poll {
  readonly block: string;
  readonly atMs: number;
}

const ours = ({ port, devices, blocks, registers }: Load): Command => ({
  program: process.execPath,
  parameters: [
    "--conditions=source",
    "--disable-warning=ExperimentalWarning",
    here("poll-gateway.ts"),
    ...[port, devices, blocks, registers].map(String),
  ],
  folder: here("../"),
  isTelling: true,
});

const SUBJECTS: readonly Subject[] = [
  { name: "collectd (C)", registers: FEW, command: collectd },
  { name: "hemgate, the whole gateway", registers: FEW, command: ours },
  { name: "Node-RED, read nodes only", registers: FEW, command: nodeRed },
  { name: "hemgate, the whole gateway", registers: MANY, command: ours },
  { name: "Node-RED, read nodes only", registers: MANY, command: nodeRed },
];

const rounds = new Map<Subject, Measured[]>(SUBJECTS.map((subject) => [subject, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const subject of SUBJECTS) {
    const measured = await run(subject);
    if (measured !== null) rounds.get(subject)?.push(measured);
  }
}
print();

/** Null: it is not installed. */
async function run({ registers, command }: Subject): Promise<Measured | null> {
  const polls: Poll[] = [];
  const devices = spawn(server, [String(LOAD.devices)], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await listen(devices, polls);
    const words = command({ ...LOAD, registers, port });
    if (words === null) return null;
    const child = spawn(words.program, words.parameters, { cwd: words.folder, stdio: ["ignore", "pipe", "inherit"] });
    return await measure(child, polls, words.isTelling);
  } finally {
    devices.kill("SIGKILL");
  }
}

/** Takes down every poll of the devices once their port is known. */
function listen(devices: ChildProcess, polls: Poll[]): Promise<number> {
  return new Promise((resolve, reject) => {
    if (devices.stdout === null) throw new Error("the devices print nowhere");
    devices.once("exit", (code) => reject(new Error(`the devices ended with ${code}`)));
    createInterface(devices.stdout).on("line", (line) => {
      const [device, address, atMs] = line.split(" ");
      if (address === undefined) resolve(Number(line));
      else polls.push({ block: `${device} ${address}`, atMs: Number(atMs) });
    });
  });
}

async function measure(child: ChildProcess, polls: Poll[], isTelling: boolean): Promise<Measured> {
  let told = "";
  child.stdout?.on("data", (text) => {
    told += text;
  });
  const gone = new Promise((resolve) => child.once("close", resolve));
  try {
    await begun(child, polls);
    await pause(WARM_UP_MS);
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}: ${told}`);
    if (isTelling) child.kill("SIGUSR2");
    polls.splice(0);
    const [beforeMs, startedMs] = [cpuMs(child), performance.now()];
    await pause(SECONDS * 1_000);
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        `${child.spawnargs[3]} ended with ${child.exitCode ?? child.signalCode} while it polled: ${told}`,
      );
    }
    const [usedMs, elapsedS] = [cpuMs(child) - beforeMs, (performance.now() - startedMs) / 1_000];
    const [seen, rssMb] = [[...polls], residentMb(child)];
    child.kill("SIGTERM");
    await Promise.race([gone, pause(10_000)]);
    const dueToValue = isTelling ? JSON.parse(told.slice(told.indexOf("{"))).lateness : [];
    const pollsPerS = seen.length / elapsedS;
    return { cpuMsPerS: usedMs / elapsedS, pollsPerS, lateness: latenessOf(seen), dueToValue, rssMb };
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
}

/** Resolves when every block was read. */
async function begun(child: ChildProcess, polls: readonly Poll[]): Promise<void> {
  const isAll = (): boolean => new Set(polls.map(({ block }) => block)).size === LOAD.devices * LOAD.blocks;
  for (let waitedMs = 0; !isAll() && child.exitCode === null; waitedMs += PERIOD_MS) {
    if (waitedMs > START_MS) throw new Error(`${child.spawnfile} does not read everything`);
    await pause(PERIOD_MS);
  }
}

function latenessOf(polls: readonly Poll[]): number[] {
  const blocks = Map.groupBy(polls, ({ block }) => block);
  return [...blocks.values()].flatMap((times) => {
    const first = times[0]?.atMs ?? 0;
    const off = times.map(({ atMs }) => atMs - first - PERIOD_MS * Math.round((atMs - first) / PERIOD_MS));
    const best = Math.min(...off);
    return off.map((each) => each - best);
  });
}

/** User and system time of a process so far: fields 14 and 15, counted behind the name, which may hold spaces. */
function cpuMs({ pid }: ChildProcess): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_S;
}

function residentMb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1_024;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

function print(): void {
  const middle = (subject: Subject, figure: (measured: Measured) => number): number =>
    quantile((rounds.get(subject) ?? []).map(figure), 0.5);
  const wanted = LOAD.devices * LOAD.blocks;
  console.log(`${LOAD.devices} devices × ${LOAD.blocks} blocks at 1 Hz; medians of ${ROUNDS} × ${SECONDS} s`);
  console.log("| who | registers a block | CPU % | to collectd | polls/s | late p50 | late p99 | due to value | MB |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  const reference = SUBJECTS[0];
  for (const subject of SUBJECTS) {
    if (rounds.get(subject)?.length === 0) {
      console.log(`| ${subject.name} is not installed |`);
      continue;
    }
    const cpu = middle(subject, ({ cpuMsPerS }) => cpuMsPerS);
    const ratio = reference === undefined ? Number.NaN : cpu / middle(reference, ({ cpuMsPerS }) => cpuMsPerS);
    const late = [0.5, 0.99].map((share) => middle(subject, ({ lateness }) => quantile(lateness, share)).toFixed(1));
    const value = [0.5, 0.99].map((share) => middle(subject, (each) => quantile(each.dueToValue, share)).toFixed(1));
    const cells = [
      subject.name,
      subject.registers,
      (cpu / 10).toFixed(2),
      ratio.toFixed(1),
      `${middle(subject, ({ pollsPerS }) => pollsPerS).toFixed(0)} of ${wanted}`,
      ...late,
      value.includes("NaN") ? "" : `${value.join(" / ")} ms`,
      middle(subject, ({ rssMb }) => rssMb).toFixed(0),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
