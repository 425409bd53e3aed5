/**
 * CPU for 1,000 reads of 60 registers over loopback: our client, the whole path, and peers, against one libmodbus
 * server in a process of its own. Clients take turns, so that what else the machine does hits all of them alike.
 * `node --conditions=source bench/modbus.ts [READS] [ROUNDS]`; needs gcc and libmodbus-dev.
 */
import { execFileSync } from "node:child_process";
import { compile, startPeer } from "../test/peers/peer-process.ts";
import { printTable } from "./table.ts";

const here = (file: string): string => new URL(file, import.meta.url).pathname;
const READS = Number(process.argv[2] ?? 20_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const WARM_UP = 5_000;
const REFERENCE = "libmodbus (C), reads only";

interface Measured {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const libmodbus = compile(here("libmodbus-client.c"));
using server = await startPeer(compile(here("../test/peers/libmodbus-server.c")));

function node(which: string): () => Measured {
  const program = here("modbus-client.ts");
  return () => measured(process.execPath, ["--conditions=source", "--no-warnings", program, which]);
}

function measured(program: string, parameters: readonly string[]): Measured {
  const all = [...parameters, String(server.port), String(WARM_UP), String(READS)];
  return JSON.parse(execFileSync(program, all, { encoding: "utf8" }));
}

const CLIENTS: readonly [name: string, run: () => Measured][] = [
  [REFERENCE, () => measured(libmodbus, [])],
  ["Node sockets, bytes only", node("sockets-1")],
  ["Node sockets, bytes only, 4 in flight", node("sockets-4")],
  ["hemgate client", node("ours-1")],
  ["hemgate client, 4 in flight", node("ours-4")],
  ["hemgate to readings (30 values)", node("driver")],
  ["hemgate to the API's asset", node("folded")],
  ["modbus-serial, reads only", node("modbus-serial")],
];

const results = new Map<string, Measured[]>(CLIENTS.map(([name]) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of CLIENTS) results.get(name)?.push(run());
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function cpuOf(name: string): number {
  return median((results.get(name) ?? []).map(({ cpuMs }) => (1_000 * cpuMs) / READS));
}

const reference = cpuOf(REFERENCE);
console.log(`CPU ms for 1,000 reads of 60 registers, median of ${ROUNDS} × ${READS}; Node ${process.version}`);
printTable(
  ["client", "CPU ms", "to libmodbus", "to modbus-serial", "reads/s"],
  CLIENTS.map(([name]) => {
    const wallMs = median((results.get(name) ?? []).map((each) => each.wallMs));
    const cpu = cpuOf(name);
    return [
      name,
      cpu.toFixed(1),
      (cpu / reference).toFixed(2),
      (cpu / cpuOf("modbus-serial, reads only")).toFixed(2),
      ((1_000 * READS) / wallMs).toFixed(0),
    ];
  }),
);
