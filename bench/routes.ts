/**
 * Every group of routes of the whole gateway, on a real disk with made-up devices that are polled meanwhile, against bare
 * Fastify that answers the same bytes and does nothing else. Run: node --conditions=source bench/routes.ts [GROUP…]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FastifyInstance, fastify } from "fastify";
import { ADAPTERS } from "../src/cli/adapters.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway } from "../src/gateway.ts";
import { nodePlatform } from "../src/platform/node/node-platform.ts";
import { asker, type Furnished, furnish, tokenOf } from "./furnish.ts";
import type { LoadOrder, LoadRequest, LoadResult } from "./http-load.ts";

const CONNECTIONS = 10;
const ROUNDS = 3;
const ROUND_MS = 1_000;
const WARM_UP_MS = 300;
const PLENTY = 10_000;

interface Case {
  readonly group: string;
  readonly name: string;
  readonly requests: readonly LoadRequest[];
}

interface Measured extends LoadResult {
  readonly cpuUs: number;
}

interface Row {
  readonly one: Case;
  readonly bytes: number;
  readonly gateway: readonly Measured[];
  readonly bare: readonly Measured[];
}

const folder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
const limits = {
  requestsPerMinute: PLENTY,
  requestBurst: PLENTY,
  commandsPerMinute: PLENTY,
  commandsPerDevicePerMinute: PLENTY,
};
const config = configSchema(ADAPTERS).parse({
  http: { host: "127.0.0.1", port: 0, limits },
  sandbox: { isEnabled: true },
  webhooks: { maxWebhooks: 200 },
});
const platform = nodePlatform({ stateFolder: folder, logLevel: "error", isPretty: false });
const gateway = await createGateway({ platform, config, adapters: ADAPTERS });
const address = gateway.address ?? "";
const token = await tokenOf(address, await gateway.createClient("bench"));
const ask = asker(address, token);
const house = await furnish(ask, { devices: 120, users: 4, schedules: 30, webhooks: 20, receiver: null });
await slowDown();

const asked = process.argv.slice(2);
const cases = casesOf(house, await actionIdOf(house), await hemIdOf()).filter(
  ({ group }) => asked.length === 0 || asked.includes(group),
);
const rows: Row[] = [];
for (const one of cases) rows.push(await compare(one));
await gateway[Symbol.asyncDispose]();
rmSync(folder, { recursive: true });
print(rows);
process.exit(0);

async function actionIdOf({ assets }: Furnished): Promise<string> {
  const body = { operationMode: "SELF_RELIANCE" };
  return (await ask<{ id: string }>("POST", `/batteries/${assets.battery[0]}/operation-mode`, body)).id;
}

async function hemIdOf(): Promise<string> {
  const { data } = await ask<{ data: readonly { id: string }[] }>("GET", "/hem-systems");
  return data[0]?.id ?? "";
}

/** Vehicles take their time, so that a command stays pending: one that is done already is refused. */
async function slowDown(): Promise<void> {
  const { data } = await ask<{ data: readonly { id: string }[] }>("GET", "/local/simulated/vehicle");
  const faults = [{ kind: "slow", delaySeconds: 3_600 }];
  for (const { id } of data) await ask("PATCH", `/local/simulated/vehicle/${id}`, { faults });
}

function casesOf({ users, assets, schedules, locations, webhooks }: Furnished, actionId: string, hemId: string) {
  const [user] = users;
  const sinceMonth = "startDate=2026-01-01T00:00:00Z";
  const get = (group: string, name: string, path: string, headers?: Record<string, string>): Case => ({
    group,
    name,
    requests: [{ path, ...(headers !== undefined && { headers }) }],
  });
  const old = { "Service-Version": "2023-08-01" };
  // Half of the vehicles have a schedule, which is in charge of them.
  const free = assets.vehicle.slice(10);
  const charging = (id: string | undefined, action: string): LoadRequest => ({
    method: "POST",
    path: `/vehicles/${id}/charging`,
    body: { action },
  });
  return [
    get("assets", "GET /batteries (20)", "/batteries"),
    get("assets", "GET /batteries/{id}", `/batteries/${assets.battery[0]}`),
    get("assets", "GET /vehicles (20)", "/vehicles"),
    get("assets", "GET /users/{id}/chargers (5)", `/users/${user}/chargers`),
    get("actions", "GET /batteries/actions/{id}", `/batteries/actions/${actionId}`),
    { group: "commands", name: "POST …/charging, the same again", requests: [charging(free[0], "STOP")] },
    {
      group: "commands",
      name: "POST …/charging, a new one each",
      requests: ["STOP", "START"].flatMap((action) => free.slice(1).map((id) => charging(id, action))),
    },
    get("schedules", "GET /users/{id}/schedules", `/users/${user}/schedules`),
    get("schedules", "GET /schedules/{id}", `/schedules/${schedules[0]}`),
    get("schedules", "GET /schedules/{id}/status", `/schedules/${schedules[0]}/status`),
    get("smart", "GET …/smart-charging-policy", `/vehicles/${assets.vehicle[19]}/smart-charging-policy`),
    get("smart", "GET …/smart-charging-status", `/chargers/${assets.charger[19]}/smart-charging-status`),
    get("places", "GET /locations (4)", "/locations"),
    get("places", "GET /locations/{id}", `/locations/${locations[0]}`),
    get("places", "GET /tariffs/{id}", `/tariffs/tariff-of-${user}`),
    get("places", "GET /locations/{id}/tariff", `/locations/${locations[0]}/tariff`),
    get("statistics", "GET …/statistics/charging", `/users/${user}/statistics/charging?type=charger&${sinceMonth}`),
    get(
      "statistics",
      "GET …/charging/sessions",
      `/users/${user}/statistics/charging/sessions?type=vehicle&${sinceMonth}`,
    ),
    get("statistics", "GET …/statistics/production", `/users/${user}/statistics/production?${sinceMonth}`),
    get("users", "GET /users (5)", "/users"),
    get("users", "GET /users/{id}", `/users/${user}`),
    get("webhooks", "GET /webhooks (20)", "/webhooks"),
    get("webhooks", "GET /webhooks/{id}", `/webhooks/${webhooks[0]}`),
    get("health", "GET /health/chargers", "/health/chargers"),
    get("health", "GET /integrations", "/integrations"),
    get("interventions", "GET /interventions", "/interventions?vendor=TESLA&vendorType=vehicle"),
    get("hem-systems", "GET /hem-systems (4)", "/hem-systems"),
    get("hem-systems", "GET /hem-systems/{id}", `/hem-systems/${hemId}`),
    get("openapi", "GET /openapi.json", "/openapi.json"),
    get("openapi", "GET /openapi.json?version=2023-08-01", "/openapi.json?version=2023-08-01"),
    get("simulated", "GET /local/simulated/battery", "/local/simulated/battery"),
    get("older", "GET /batteries in 2024-01-01", "/batteries", { "Service-Version": "2024-01-01" }),
    get("older", "GET /vehicles in 2023-08-01", "/vehicles", old),
    get("older", "GET /chargers in 2023-08-01", "/chargers", old),
  ];
}

/** The gateway and bare Fastify in turns. */
async function compare(one: Case): Promise<Row> {
  const [first] = one.requests;
  if (first === undefined) throw new Error("a case asks for something");
  const answer = await fetch(`${address}${first.path}`, {
    method: first.method ?? "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...first.headers },
    ...(first.body !== undefined && { body: JSON.stringify(first.body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${one.name}: ${answer.status} ${bytes}`);
  const bare = await bareServer(one, bytes, answer.headers.get("content-type") ?? "");
  const gatewayPort = Number(new URL(address).port);
  const measured = { gateway: [] as Measured[], bare: [] as Measured[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const durationMs = round < 0 ? WARM_UP_MS : ROUND_MS;
    const byGateway = await measure(one, gatewayPort, durationMs);
    const byBare = await measure(one, bare.port, durationMs);
    if (round < 0) continue;
    measured.gateway.push(byGateway);
    measured.bare.push(byBare);
  }
  await bare.server.close();
  return { one, bytes: bytes.length, ...measured };
}

async function bareServer({ requests }: Case, bytes: Buffer, type: string) {
  const server: FastifyInstance = fastify({ logger: false });
  const [first] = requests;
  server.route({
    method: first?.method ?? "GET",
    url: "*",
    handler: (_request, reply) => reply.type(type).send(bytes),
  });
  const listening = await server.listen({ host: "127.0.0.1", port: 0 });
  return { server, port: Number(new URL(listening).port) };
}

async function measure({ requests }: Case, port: number, durationMs: number): Promise<Measured> {
  const load = fork(new URL("./http-load.ts", import.meta.url));
  const order: LoadOrder = { port, requests, token, durationMs, connections: CONNECTIONS };
  await once(load, "message");
  const before = process.cpuUsage();
  load.send(order);
  const [result] = (await once(load, "message")) as [LoadResult];
  const { user, system } = process.cpuUsage(before);
  await once(load, "exit");
  return { ...result, cpuUs: (user + system) / result.requests };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(all: readonly Row[]): void {
  console.log(`${CONNECTIONS} connections, 120 devices polled meanwhile, median of ${ROUNDS} rounds of ${ROUND_MS} ms`);
  console.log(
    "| route | bytes | requests/s | bare Fastify | to bare Fastify | p99 ms | bare | CPU us | bare | to bare Fastify, CPU |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const { one, bytes, gateway: ours, bare } of all) {
    const of = (measured: readonly Measured[], key: "perSecond" | "p99Ms" | "cpuUs"): number =>
      median(measured.map((round) => round[key]));
    const ratio = of(bare, "perSecond") / of(ours, "perSecond");
    const cells = [
      one.name,
      String(bytes),
      of(ours, "perSecond").toFixed(0),
      of(bare, "perSecond").toFixed(0),
      ratio.toFixed(1),
      of(ours, "p99Ms").toFixed(1),
      of(bare, "p99Ms").toFixed(1),
      of(ours, "cpuUs").toFixed(0),
      of(bare, "cpuUs").toFixed(0),
      (of(ours, "cpuUs") / of(bare, "cpuUs")).toFixed(1),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
