/**
 * What grows with the number of assets: CPU at rest, the time of a command's answer, and the longest time for which the
 * built gateway answers nothing. All devices are made up, 25 in a house, and polled every 5 s.
 *
 *   npm run build && node --conditions=source bench/growth.ts [ASSETS …]
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configSchema } from "../src/config/config.ts";
import { type Ask, asker, furnish, tokenOf } from "./furnish.ts";
import { printTable } from "./table.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 100, 1_000];
/** Assets of one house. */
const HOUSE = 25;
const SETTLE_MS = 20_000;
const REST_MS = 30_000;
const COMMANDS = 60;
/** Between two commands: each finds an idle gateway. */
const PAUSE_MS = 200;
const PROBE_EVERY_MS = 20;
const PLENTY = 10_000;
const ROOT = new URL("../", import.meta.url).pathname;
const PROGRAM = ["--max-semi-space-size=4", join(ROOT, "dist/src/cli/hemgate.js")];
const TICKS_PER_S = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

const rows: (readonly string[])[] = [];
for (const assets of SIZES) rows.push(await measure(assets));
printTable(["assets", "CPU % at rest", "POST p50 ms", "POST p99 ms", "longest GET ms", "RSS MB"], rows);

async function measure(assets: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
  const config = join(folder, "gateway.yaml");
  const limits = Object.keys(configSchema([]).parse({}).http.limits).map((limit) => `${limit}: ${PLENTY}`);
  writeFileSync(
    config,
    `http: { host: 127.0.0.1, port: 0, limits: { ${limits.join(", ")} } }\nsandbox: { isEnabled: true }\nlog: { level: error }\n`,
  );
  const { child, address } = await start(config, folder);
  try {
    const create = [...PROGRAM, "client", "create", "--name", "bench", "--json", "--state", folder];
    const client = JSON.parse(execFileSync(process.execPath, create, { encoding: "utf8" }));
    const ask = asker(address, await tokenOf(address, client));
    const { assets: made } = await furnish(ask, {
      devices: assets,
      users: Math.ceil(assets / HOUSE),
      schedules: 0,
      webhooks: 0,
      receiver: null,
    });
    await pause(SETTLE_MS);
    const [beforeMs, startedMs] = [cpuMs(child), performance.now()];
    await pause(REST_MS);
    const cpuPercent = ((cpuMs(child) - beforeMs) / (performance.now() - startedMs)) * 100;
    const probed = new AbortController();
    const stalls = probe(ask, probed.signal);
    const commands: number[] = [];
    for (let at = 0; at < COMMANDS; at += 1) commands.push(await command(ask, made.battery, at));
    probed.abort();
    return [
      String(assets),
      cpuPercent.toFixed(2),
      quantile(commands, 0.5).toFixed(0),
      quantile(commands, 0.99).toFixed(0),
      Math.max(...(await stalls)).toFixed(0),
      residentMb(child).toFixed(0),
    ];
  } finally {
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true });
  }
}

async function start(config: string, state: string): Promise<{ child: ChildProcess; address: string }> {
  const words = [...PROGRAM, "start", "--config", config, "--state", state, "--json"];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return { child, address: JSON.parse(text).address };
}

/** From the request to its answer, ms. */
async function command(ask: Ask, batteries: readonly string[], at: number): Promise<number> {
  await pause(PAUSE_MS);
  const id = batteries[at % batteries.length];
  const startedMs = performance.now();
  await ask("POST", `/batteries/${id}/operation-mode`, {
    operationMode: at % 2 === 0 ? "SELF_RELIANCE" : "IMPORT_FOCUS",
  });
  return performance.now() - startedMs;
}

/** How long each small GET took until the signal aborted, ms. */
async function probe(ask: Ask, signal: AbortSignal): Promise<readonly number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const startedMs = performance.now();
    await ask("GET", "/local/vendors/health").catch(() => null);
    times.push(performance.now() - startedMs);
    await pause(PROBE_EVERY_MS);
  }
  return times;
}

function cpuMs(child: ChildProcess): number {
  const [, rest = ""] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_S) * 1_000;
}

function residentMb(child: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
