/**
 * Deliveries to a receiver on this machine: from the journal on disk to the acknowledgement, against posting the same
 * bytes with `fetch`, and with Node's own client. Run: node --conditions=source bench/webhooks.ts
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMapEvent } from "../src/api/versions/map-event.ts";
import { NEWEST_VERSION } from "../src/api/versions/served-versions.ts";
import { nodeDisk } from "../src/platform/node/files/node-disk.ts";
import { nodeHttp } from "../src/platform/node/http/node-http.ts";
import { nodeClock } from "../src/platform/node/node-clock.ts";
import { nodeRandom } from "../src/platform/node/node-random.ts";
import type { Http } from "../src/platform/ports/ports.ts";
import { openStore } from "../src/store/open-store.ts";
import { WebhookService } from "../src/sync/webhooks/webhook-service.ts";
import { TestLog } from "../src/testing/index.ts";
import { makeBattery } from "../test/api/support/makers.ts";
import { printTable } from "./table.ts";

const EVENTS = 8_000;
const BATCH = 100;
const COMMIT = 500;
const CLIENT = "bench";
/** A name that stands for this machine: webhooks themselves may not be here. */
const HOST = "receiver.house.example";

interface Row {
  readonly name: string;
  readonly deliveries: number;
  readonly ms: number;
  readonly cpuMs: number;
}

const receiver = fork(new URL("./webhook-receiver.ts", import.meta.url));
const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
const url = `http://127.0.0.1:${port}/`;
const rows: Row[] = [];
const sample = Buffer.from(`[${Array.from({ length: BATCH }, (_unused, n) => JSON.stringify(eventOf(n))).join(",")}]`);

await plain("fetch, the same bytes", 20, fetchOnce);
rows.length = 0;
await plain("fetch, the same bytes", EVENTS / BATCH, fetchOnce);
await plain("Node's client, kept alive, the same bytes", EVENTS / BATCH, nodeOnce(new Agent({ keepAlive: true })));
for (const [webhooks, apiVersion] of [
  [1, null],
  [20, null],
  [1, "2024-01-01"],
] as const) {
  await deliver(webhooks, apiVersion);
}
receiver.send("end");
print();
process.exit(0);

function eventOf(n: number): object {
  const battery = makeBattery();
  const payload = { user: { id: "home" }, battery, updatedFields: ["chargeState.chargeRate"] };
  const envelope = { createdAt: battery.lastSeen, version: "2024-10-01", event: "user:battery:updated" };
  return { ...envelope, ...payload, n };
}

async function measure(name: string, deliveries: number, work: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  const startMs = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  rows.push({ name, deliveries, ms: performance.now() - startMs, cpuMs: (user + system) / 1_000 });
}

async function plain(name: string, times: number, post: () => Promise<void>): Promise<void> {
  await measure(name, times, async () => {
    for (let sent = 0; sent < times; sent += 1) await post();
  });
}

async function fetchOnce(): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: sample });
  await answer.arrayBuffer();
}

function nodeOnce(agent: Agent): () => Promise<void> {
  return async () => {
    const sent = request(url, { method: "POST", agent, headers: { "content-length": sample.length } });
    const answered = once(sent, "response");
    sent.end(sample);
    const [answer] = await answered;
    answer.resume();
    await once(answer, "end");
  };
}

/** Fills a journal on disk, then lets webhooks follow it, each from its beginning. */
async function deliver(webhooks: number, apiVersion: "2024-01-01" | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
  const clock = nodeClock(() => "synced");
  const log = new TestLog();
  const store = await openStore({ disk: nodeDisk({ stateFolder: folder }), clock, random: nodeRandom, log });
  const http: Http = { open: () => nodeHttp({ resolve: async () => ["127.0.0.1"] }).open({ refuse: () => null }) };
  const open = () =>
    new WebhookService({
      store,
      clock,
      random: nodeRandom,
      log,
      http,
      rules: { allowInsecureLan: true, allowLoopback: false, maxWebhooks: 50, namePrefix: "Service" },
      mapped: createMapEvent(),
      newestVersion: NEWEST_VERSION.date,
      isDeauthorized: () => false,
    });
  const each = EVENTS / webhooks;
  const maker = open();
  for (let at = 0; at < webhooks; at += 1) {
    const input = { secret: "example-secret", events: ["*"], apiVersion, authentication: null };
    await maker.create(CLIENT, { ...input, url: `http://${HOST}:${port}/${at}` });
  }
  await maker[Symbol.asyncDispose]();
  for (let told = 0; told < each; told += COMMIT) {
    const entries = Array.from({ length: Math.min(COMMIT, each - told) }, () => {
      const payload = { user: { id: "home" }, battery: makeBattery(), updatedFields: ["chargeState.chargeRate"] };
      return { event: "user:battery:updated", payload };
    });
    await store.commit([], entries);
  }
  const target = (await count()) + Math.ceil(each / BATCH) * webhooks;
  const name = `${webhooks} webhook${webhooks === 1 ? "" : "s"}${apiVersion === null ? "" : `, in ${apiVersion}`}`;
  const running = new AsyncDisposableStack();
  await measure(`hemgate, ${name}`, EVENTS / BATCH, async () => {
    running.use(open());
    while ((await count()) < target) await new Promise((resolve) => setTimeout(resolve, 2));
  });
  await running.disposeAsync();
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
}

async function count(): Promise<number> {
  const answered = once(receiver, "message");
  receiver.send("count");
  const [{ requests }] = (await answered) as [{ requests: number }];
  return requests;
}

function print(): void {
  const [base] = rows;
  console.log(`${BATCH} events a delivery, ${sample.length} bytes; hemgate reads them from its journal and signs them`);
  printTable(
    ["case", "deliveries/s", "to the first", "events/s", "CPU ms/delivery", "to the first, CPU"],
    rows.map(({ name, deliveries, ms, cpuMs }) => {
      const perSecond = (deliveries * 1_000) / ms;
      const rate = ((base?.deliveries ?? 0) * 1_000) / (base?.ms ?? 1) / perSecond;
      const cpu = cpuMs / deliveries;
      const cpuRatio = cpu / ((base?.cpuMs ?? 1) / (base?.deliveries ?? 1));
      return [
        name,
        perSecond.toFixed(0),
        rate.toFixed(2),
        (perSecond * BATCH).toFixed(0),
        cpu.toFixed(2),
        cpuRatio.toFixed(2),
      ];
    }),
  );
}
