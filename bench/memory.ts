/**
 * Resident memory of the built gateway: with a full house (200 devices, 50 schedules, 20 webhooks that are told
 * everything), with none, and of an empty Fastify, all three at the same time. The devices are made up, polled every 5 s
 * in the gateway's own process, so what simulates them is counted too.
 *
 *   npm run build && node --conditions=source bench/memory.ts [MINUTES]
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { configSchema } from "../src/config/config.ts";
import { asker, furnish, tokenOf } from "./furnish.ts";

const MINUTES = Number(process.argv[2] ?? 5);
const SAMPLE_MS = 30_000;
const PLENTY = 10_000;
const HOUSE = { devices: 200, users: 8, schedules: 50, webhooks: 20 };
const ROOT = new URL("../", import.meta.url).pathname;
const PROGRAM = join(ROOT, "dist/src/cli/hemgate.js");
const FASTIFY = `import { fastify } from "fastify"; const a = fastify(); a.get("/health/ready", async () => ({}));
process.stdout.write(JSON.stringify({ address: await a.listen({ host: "127.0.0.1", port: 0 }) }) + "\\n");`;

interface Subject {
  readonly name: string;
  readonly child: ChildProcess;
  readonly address: string;
  readonly rssMb: number[];
}

const folder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
const deliveries = { requests: 0 };
const receiver = await startReceiver();
const full = await startGateway("hemgate, the full house");
const empty = await startGateway("hemgate, no device");
const fastify = await startProcess("empty Fastify", ["--input-type=module", "-e", FASTIFY]);
const subjects = [full, empty, fastify];

const token = await tokenOf(full.address, createClient(full));
const startedMs = performance.now();
await furnish(asker(full.address, token), { ...HOUSE, receiver: receiver.url });
console.log(`the house was furnished in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
for (let elapsedMs = 0; elapsedMs < MINUTES * 60_000; elapsedMs += SAMPLE_MS) {
  await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  for (const { child, rssMb } of subjects) rssMb.push(residentMb(child));
}
for (const { child } of subjects) await end(child);
receiver.server?.close();
receiver.server?.closeAllConnections();
rmSync(folder, { recursive: true });
print();

/** Listens on a private address of this machine: webhooks may be in the house, never on the gateway's own loopback. */
async function startReceiver(): Promise<{ readonly server: Server | null; readonly url: string | null }> {
  const addresses = Object.values(networkInterfaces()).flatMap((own) => own ?? []);
  const found = addresses.find(({ address }) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|fd)/.test(address));
  if (found === undefined) return { server: null, url: null };
  const server = createServer((request, response) => {
    deliveries.requests += 1;
    request.resume().once("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, found.address, resolve));
  const listening = server.address();
  const port = typeof listening === "object" && listening !== null ? listening.port : 0;
  return { server, url: `http://${found.family === "IPv6" ? `[${found.address}]` : found.address}:${port}` };
}

async function startGateway(name: string): Promise<Subject> {
  const state = join(folder, name.replaceAll(/\W+/g, "-"));
  const config = `${state}.yaml`;
  const perMinute = Object.keys(configSchema([]).parse({}).http.limits).map((limit) => `${limit}: ${PLENTY}`);
  writeFileSync(
    config,
    [
      `http: { host: 127.0.0.1, port: 0, limits: { ${perMinute.join(", ")} } }`,
      "sandbox: { isEnabled: true }",
      "webhooks: { allowInsecureLan: true }",
      "log: { level: error }",
    ].join("\n"),
  );
  return await startProcess(name, [PROGRAM, "start", "--config", config, "--state", state, "--json"]);
}

/** Starts a program of Node's that prints where it listens. */
async function startProcess(name: string, words: readonly string[]): Promise<Subject> {
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  const { address } = JSON.parse(text) as { address: string };
  return { name, child, address, rssMb: [] };
}

function createClient({ name }: Subject): { id: string; secret: string } {
  const state = join(folder, name.replaceAll(/\W+/g, "-"));
  const words = [PROGRAM, "client", "create", "--name", "bench", "--json", "--state", state];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }));
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.on("close", resolve));
  child.kill("SIGTERM");
  await gone;
}

function residentMb(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

function print(): void {
  const { devices, schedules, webhooks } = HOUSE;
  console.log(`${devices} devices, ${schedules} schedules, ${webhooks} webhooks; ${deliveries.requests} deliveries`);
  console.log("| process | MB after 1 min | MB at the end | most MB | to empty Fastify |");
  console.log("|---|---|---|---|---|");
  for (const { name, rssMb } of subjects) {
    const last = rssMb.at(-1) ?? Number.NaN;
    const ratio = last / (fastify.rssMb.at(-1) ?? Number.NaN);
    const figures = [rssMb[1] ?? Number.NaN, last, Math.max(...rssMb)].map((mb) => mb.toFixed(0));
    console.log(`| ${[name, ...figures, ratio.toFixed(1)].join(" | ")} |`);
  }
}
