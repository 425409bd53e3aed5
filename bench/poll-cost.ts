/**
 * CPU for 1,000 reads of 60 registers at a home's load: fifty devices with four blocks each at 1 Hz over loopback. libmodbus
 * asks one device after the other; bare Node sockets are the floor; then our client with decoding, and the whole gateway.
 * All poll at the same time, each its own libmodbus server, so that what else the machine does hits all of them alike.
 *
 *   node --conditions=source bench/poll-cost.ts [SECONDS] [ROUNDS] [SUBJECT…]
 *
 * Needs gcc and libmodbus-dev.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { compile } from "../test/peers/peer-process.ts";

const [seconds = "20", wantedRounds = "3", ...wanted] = process.argv.slice(2);
const SECONDS = Number(seconds);
const ROUNDS = Number(wantedRounds);
/** Until what runs often is compiled. */
const WARM_UP_MS = 40_000;
const LOAD = { devices: 50, blocks: 4, registers: 60 } as const;
const NS_PER_MS = 1e6;
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const server = compile(here("register-server.c"));
const libmodbus = compile(here("libmodbus-poller.c"));
const NODE = ["--conditions=source", "--disable-warning=ExperimentalWarning"];

interface Running {
  readonly name: string;
  readonly child: ChildProcess;
  readonly devices: ChildProcess;
  polls: number;
}

type Start = (port: number) => ChildProcess;

const node =
  (file: string, before: readonly string[], after: readonly string[]): Start =>
  (port) =>
    run(process.execPath, [...NODE, here(file), ...before, ...numbers(port), ...after]);

const SUBJECTS: readonly [name: string, start: Start][] = [
  ["libmodbus (C), reads only", (port) => run(libmodbus, numbers(port))],
  ["Node sockets, bytes only", node("poll-client.ts", ["sockets", "1"], [])],
  ["Node sockets, bytes only, 4 in flight", node("poll-client.ts", ["sockets", "4"], [])],
  ["hemgate's client with decoding", node("poll-client.ts", ["driver", "1"], [])],
  ["hemgate's client with decoding, 4 in flight", node("poll-client.ts", ["driver", "4"], [])],
  ["hemgate, the whole gateway", node("poll-gateway.ts", [], ["1"])],
  ["hemgate, the whole gateway, 4 in flight", node("poll-gateway.ts", [], ["4"])],
];

function numbers(port: number): string[] {
  return [port, LOAD.devices, LOAD.blocks, LOAD.registers].map(String);
}

function run(program: string, parameters: readonly string[]): ChildProcess {
  return spawn(program, parameters, { stdio: ["ignore", "ignore", "inherit"] });
}

async function start(name: string, begin: Start): Promise<Running> {
  const devices = spawn(server, [String(LOAD.devices)], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve) => {
    devices.stdout?.once("data", (text) => resolve(Number(String(text).trim())));
  });
  const running = { name, child: begin(port), devices, polls: 0 };
  devices.stdout?.on("data", (lines: Buffer) => {
    for (const byte of lines) if (byte === 0x0a) running.polls += 1;
  });
  return running;
}

/** Time on a processor so far, of all threads, ms. */
function cpuMs({ child }: Running): number {
  const folder = `/proc/${child.pid}/task`;
  const each = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return each.reduce((sum, ns) => sum + ns, 0) / NS_PER_MS;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const subjects = SUBJECTS.filter(
  ([name], at) => at === 0 || wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
const running = await Promise.all(subjects.map(([name, begin]) => start(name, begin)));
try {
  await pause(WARM_UP_MS);
  const costs = new Map<string, number[]>(running.map(({ name }) => [name, []]));
  const rates = new Map<string, number[]>(running.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = running.map((each) => ({ cpu: cpuMs(each), polls: each.polls }));
    await pause(SECONDS * 1_000);
    running.forEach((each, at) => {
      if (each.child.exitCode !== null) throw new Error(`${each.name} ended with ${each.child.exitCode}`);
      const polls = each.polls - (before[at]?.polls ?? 0);
      costs.get(each.name)?.push((1_000 * (cpuMs(each) - (before[at]?.cpu ?? 0))) / polls);
      rates.get(each.name)?.push(polls / SECONDS);
    });
  }
  const reference = costs.get(SUBJECTS[0]?.[0] ?? "") ?? [];
  console.log(
    `${LOAD.devices} devices × ${LOAD.blocks} blocks × ${LOAD.registers} registers at 1 Hz, ${ROUNDS} × ${SECONDS} s; Node ${process.version}`,
  );
  console.log("| client | CPU ms for 1,000 reads | to libmodbus | reads/s |\n|---|---|---|---|");
  for (const [name, values] of costs) {
    const ratio = median(values.map((value, at) => value / (reference[at] ?? Number.NaN)));
    console.log(
      `| ${name} | ${median(values).toFixed(1)} | ${ratio.toFixed(2)} | ${median(rates.get(name) ?? []).toFixed(0)} |`,
    );
  }
} finally {
  for (const { child, devices } of running) {
    child.kill("SIGTERM");
    devices.kill("SIGKILL");
  }
}
