/**
 * GET /batteries with 50 batteries, against the same server answering bytes that were prepared beforehand, and against
 * checking and serialising all 50 for each request. Run: node --conditions=source bench/api.ts
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fastify } from "fastify";
import { z } from "zod";
import { JSON_TYPE } from "../src/api/answers.ts";
import { createClientSecrets } from "../src/api/clients/client-secrets.ts";
import { createClient } from "../src/api/clients/clients.ts";
import { createApi } from "../src/api/server.ts";
import { configSchema } from "../src/config/config.ts";
import { Battery } from "../src/domain/assets/battery.ts";
import { Pagination } from "../src/domain/page.ts";
import type { CloudLink } from "../src/engine/contracts/cloud-link.ts";
import type { Live } from "../src/engine/contracts/live.ts";
import type { Notifications } from "../src/engine/contracts/notifications.ts";
import type { Webhooks } from "../src/engine/contracts/webhooks.ts";
import { SeededRandom, TestLog, VirtualClock } from "../src/testing/index.ts";
import { getToken } from "../test/api/support/api-house.ts";
import { FakeEngine } from "../test/api/support/fake-engine.ts";
import { FakeStore } from "../test/api/support/fake-store.ts";
import { makeBattery, uuid } from "../test/api/support/makers.ts";
import { NO_SETTINGS } from "../test/api/support/no-settings.ts";
import type { LoadOrder, LoadResult } from "./http-load.ts";
import { printTable } from "./table.ts";

const BATTERIES = 50;
const CONNECTIONS = 10;
const ROUNDS = Number(process.argv[2] ?? 5);
const ROUND_MS = 2_000;
const WARM_UP_MS = 1_000;
/** More requests than a bench makes. */
const PLENTY = 1_000_000;
/** Each of 50 devices changes every 5 s. */
const CHANGE_EVERY_MS = 5_000 / BATTERIES;

interface Case {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly isChanging?: boolean;
}

interface Measured extends LoadResult {
  readonly cpuUs: number;
}

const engine = new FakeEngine();
for (let number = 1; number <= BATTERIES; number += 1) engine.add("battery", makeBattery({ id: uuid(number) }), number);

/** What no case here asks for. */
const unused = (name: string) => (): never => {
  throw new Error(`${name} is not measured here`);
};
const WEBHOOKS: Webhooks = {
  get: unused("webhooks"),
  list: unused("webhooks"),
  create: unused("webhooks"),
  update: unused("webhooks"),
  remove: unused("webhooks"),
  test: unused("webhooks"),
  setFirehose: unused("webhooks"),
  removeFirehose: unused("webhooks"),
  testFirehose: unused("webhooks"),
  progress: unused("webhooks"),
  overview: unused("webhooks"),
};
const NOTIFICATIONS: Notifications = {
  channels: () => [],
  test: unused("notifications"),
  setChannel: unused("notifications"),
  removeChannel: unused("notifications"),
  mailServer: unused("notifications"),
  setMailServer: unused("notifications"),
  removeMailServer: unused("notifications"),
  settings: unused("notifications"),
};
const CLOUD: CloudLink = {
  view: unused("cloud"),
  figures: unused("cloud"),
  streams: unused("cloud"),
  enroll: unused("cloud"),
  cut: unused("cloud"),
};
const LIVE: Live = { open: unused("live"), endStreams: () => undefined };

const parts = { store: new FakeStore(), clock: new VirtualClock(), random: new SeededRandom(1), log: new TestLog() };
const client = await createClient(parts, "bench");
// No limit is met: every case of the bench is one client.
const { limits } = configSchema([]).parse({}).http;
const config = configSchema([]).parse({
  http: {
    limits: Object.fromEntries(
      Object.keys(limits).map((name) => [name, name.startsWith("connections") ? 10_000 : PLENTY]),
    ),
  },
});
const api = await createApi({
  ...parts,
  secrets: createClientSecrets(parts),
  engine,
  webhooks: WEBHOOKS,
  live: LIVE,
  notifications: NOTIFICATIONS,
  cloud: CLOUD,
  backups: null,
  config,
  settings: NO_SETTINGS,
  proxy: null,
  hostName: "hemgate",
});
const Page = z.object({ data: z.array(Battery), pagination: Pagination });
const pageNow = () => ({
  data: engine.entries.battery.map((entry) => entry.asset),
  pagination: { after: null, before: null },
});
const prepared = Buffer.from(JSON.stringify(pageNow()));
api.get("/bench/prepared", { schema: { hide: true } }, (_request, reply) => reply.type(JSON_TYPE).send(prepared));
api.get("/bench/each-time", { schema: { hide: true } }, (_request, reply) =>
  reply.type(JSON_TYPE).send(JSON.stringify(Page.parse(pageNow()))),
);
const bare = fastify({ logger: false });
bare.get("/prepared", (_request, reply) => reply.type(JSON_TYPE).send(prepared));

const port = portOf(await api.listen({ host: "127.0.0.1", port: 0 }));
const barePort = portOf(await bare.listen({ host: "127.0.0.1", port: 0 }));
const token = await getToken(api, client);

const CASES: readonly Case[] = [
  { name: "this server, prepared bytes", port, path: "/bench/prepared" },
  { name: "hemgate, GET /batteries, nothing changes", port, path: "/batteries" },
  { name: "hemgate, GET /batteries, 10 changes a second", port, path: "/batteries", isChanging: true },
  { name: "checked and serialised each time", port, path: "/bench/each-time" },
  { name: "bare Fastify, prepared bytes", port: barePort, path: "/prepared" },
];

const results = new Map<Case, Measured[]>(CASES.map((one) => [one, []]));
for (const one of CASES) await measure(one, WARM_UP_MS);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const one of CASES) results.get(one)?.push(await measure(one, ROUND_MS));
}
await Promise.all([api.close(), bare.close()]);
print();

async function measure(one: Case, durationMs: number): Promise<Measured> {
  const changes = one.isChanging === true ? setInterval(changeOne, CHANGE_EVERY_MS) : null;
  const load = fork(new URL("./http-load.ts", import.meta.url));
  const requests = [{ path: one.path }];
  const order: LoadOrder = { port: one.port, requests, token, durationMs, connections: CONNECTIONS };
  await once(load, "message");
  const before = process.cpuUsage();
  load.send(order);
  const ended = once(load, "exit").then(([code]) => {
    throw new Error(`the load of "${one.name}" ended early with ${code}`);
  });
  const [result] = (await Promise.race([once(load, "message"), ended])) as [LoadResult];
  ended.catch(() => undefined);
  const { user, system } = process.cpuUsage(before);
  await once(load, "exit");
  if (changes !== null) clearInterval(changes);
  return { ...result, cpuUs: (user + system) / result.requests };
}

function changeOne(): void {
  const index = Math.floor(Math.random() * BATTERIES);
  const entry = engine.entries.battery[index];
  if (entry === undefined) return;
  engine.entries.battery[index] = { ...entry, asset: { ...entry.asset } };
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(): void {
  const rows = CASES.map((one) => {
    const rounds = results.get(one) ?? [];
    return {
      name: one.name,
      perSecond: median(rounds.map((round) => round.perSecond)),
      p99Ms: median(rounds.map((round) => round.p99Ms)),
      cpuUs: median(rounds.map((round) => round.cpuUs)),
    };
  });
  const [base] = rows;
  const bareRow = rows.at(-1);
  console.log(
    `${BATTERIES} batteries, ${prepared.length} bytes, ${CONNECTIONS} connections, median of ${ROUNDS} rounds`,
  );
  printTable(
    ["case", "requests/s", "to prepared", "p99 ms", "CPU µs", "CPU to prepared", "to bare Fastify"],
    rows.map(({ name, perSecond, p99Ms, cpuUs }) => [
      name,
      perSecond.toFixed(0),
      ((base?.perSecond ?? Number.NaN) / perSecond).toFixed(2),
      p99Ms.toFixed(2),
      cpuUs.toFixed(1),
      (cpuUs / (base?.cpuUs ?? Number.NaN)).toFixed(2),
      (cpuUs / (bareRow?.cpuUs ?? Number.NaN)).toFixed(2),
    ]),
  );
}
