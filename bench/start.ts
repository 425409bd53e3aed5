/**
 * From the start of the process to the first answer with every device dead, and resident memory, of the built gateway,
 * beside bare Node and an empty Fastify in the same run. Run: npm run build && node bench/start.ts
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/free-ports.ts";
import { printTable } from "./table.ts";

const ROUNDS = 5;
const DEVICES = 20;
const SETTLE_MS = 20_000;
const ROOT = new URL("../", import.meta.url).pathname;
const FASTIFY = `import { fastify } from "fastify"; const a = fastify(); a.get("/health/ready", async () => ({}));
await a.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });`;

interface Started {
  /** To the first answer, whatever it says. */
  readonly ms: number;
  /** To the first answer of the API itself. */
  readonly apiMs: number;
  readonly rssMb: number;
}

function residentMb(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

const GIVE_UP_MS = 60_000;

/** Asks until something answers as `isEnough` wants it. */
async function answer(port: number, isEnough: (text: string) => boolean): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < GIVE_UP_MS) {
    const text = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (response) => response.text(),
      () => null,
    );
    if (text !== null && isEnough(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`nothing answered at port ${port} within ${GIVE_UP_MS} ms`);
}

async function start(words: readonly string[], environment: Record<string, string>, port: number, settleMs: number) {
  const began = performance.now();
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: "ignore",
  });
  await answer(port, () => true);
  const ms = performance.now() - began;
  await answer(port, (text) => !text.includes("is starting"));
  const apiMs = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const rssMb = residentMb(child);
  const gone = new Promise((resolve) => child.on("close", resolve));
  child.kill("SIGTERM");
  await gone;
  return { ms, apiMs, rssMb } satisfies Started;
}

async function gateway(settleMs: number): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
  const [port, dead] = [await freePort(), await freePort()];
  const devices = Array.from(
    { length: DEVICES },
    (_, index) => `  - { id: d${index}, adapter: modbus, host: 127.0.0.${index + 2}, port: ${dead}, profile: sunspec }`,
  );
  const config = join(folder, "gateway.yaml");
  writeFileSync(config, `http: { host: 127.0.0.1, port: ${port} }\ndevices:\n${devices.join("\n")}\n`);
  try {
    // As the service runs it.
    const words = [
      "--max-semi-space-size=4",
      "dist/src/cli/hemgate.js",
      "start",
      "--config",
      config,
      "--state",
      folder,
    ];
    return await start(words, { MALLOC_ARENA_MAX: "2" }, port, settleMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function emptyFastify(): Promise<Started> {
  const port = await freePort();
  return await start(["--input-type=module", "-e", FASTIFY], { PORT: String(port) }, port, 500);
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await new Promise((resolve) => child.on("close", resolve));
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const node: number[] = [];
const empty: Started[] = [];
const ours: Started[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  node.push(await bareNode());
  empty.push(await emptyFastify());
  ours.push(await gateway(round === ROUNDS - 1 ? SETTLE_MS : 500));
}
const base = median(empty.map(({ ms }) => ms));
const baseMb = median(empty.map(({ rssMb }) => rssMb));
const row = (what: string, ms: number, rssMb: number | null, apiMs = ms): readonly string[] => [
  what,
  ms.toFixed(0),
  (ms / base).toFixed(2),
  apiMs.toFixed(0),
  (apiMs / base).toFixed(2),
  rssMb === null ? "" : rssMb.toFixed(0),
  rssMb === null ? "" : (rssMb / baseMb).toFixed(2),
];
printTable(
  [
    "what",
    "ms to the first answer",
    "to empty Fastify",
    "ms to the API",
    "to empty Fastify, API",
    "RSS MB",
    "to empty Fastify, RSS",
  ],
  [
    row("node -e 0 (until it ends)", median(node), null),
    row("empty Fastify", base, baseMb),
    row(
      `hemgate, ${DEVICES} dead devices, RSS after 20 s`,
      median(ours.map(({ ms }) => ms)),
      ours.at(-1)?.rssMb ?? null,
      median(ours.map(({ apiMs }) => apiMs)),
    ),
  ],
);
