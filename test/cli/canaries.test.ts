/** 40 secrets go in at every door, the gateway lives through failures and kills, and they are looked for afterwards. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeDisk } from "../../src/platform/node/node-disk.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Write } from "../../src/store/records.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { formsOf, found, makeCanary } from "./canary.ts";
import { freePorts, Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";

const PLACE = { epoch: 0, seq: 0 };
const REDIRECT = "app://done?state=";

class Canaries extends Map<string, string> {
  plant(name: string): string {
    const canary = makeCanary(name);
    this.set(name, canary);
    return canary;
  }
}

/** What an older version left in clear: 22 secrets. */
function legacyWrites(canaries: Canaries, port: number): readonly Write[] {
  const device = (id: string, adapter: string, options: object): Write => ({
    table: "device",
    key: id,
    put: {
      id,
      adapter,
      options: { ...options },
      source: "linked",
      userId: "home",
      name: null,
      scopes: null,
      createdAtMs: 1,
    },
  });
  const http = (profile: string, options: object) => ({ host: "127.0.0.1", port, profile, ...options });
  const webhooks = [1, 2].map((count): Write => {
    const id = `0000000${count}-0000-4000-8000-000000000000`;
    const authentication = { headerName: "x-api-key", headerValue: canaries.plant(`webhook-header-${count}`) };
    const secret = canaries.plant(`webhook-secret-${count}`);
    const state = { lastSuccessMs: 1, position: PLACE, failures: 0, retryAtMs: null, batch: null, droppedEvents: 0 };
    const what = { id, clientId: "c", url: `https://127.0.0.1:${port}/`, events: ["*"], apiVersion: null };
    const put = { ...what, ...state, secret, authentication, isFirehose: false, createdAtMs: 1, isActive: true };
    return { table: "webhook", key: id, put };
  });
  const notes = [1, 2, 3, 4].map((count): Write => {
    const put = {
      adapter: "http-json",
      deviceId: "linked-1",
      name: `n${count}`,
      text: canaries.plant(`note-${count}`),
    };
    return { table: "note", key: `linked-1/n${count}`, put };
  });
  const accounts = [1, 2, 3, 4].map((count): Write => {
    const put = { adapter: "clouds", account: "a", name: `n${count}`, text: canaries.plant(`account-note-${count}`) };
    return { table: "account-note", key: `a/n${count}`, put };
  });
  const links = [1, 2].map((count): Write => {
    const hash = String(count).repeat(64);
    const redirectUri = `${REDIRECT}${canaries.plant(`link-redirect-${count}`)}`;
    const asked = { hash, userId: "home", appName: null, vendor: null, vendorTypes: [], scopes: [], language: "en-US" };
    const life = { createdAtMs: Date.now(), expiresAtMs: Date.now() + 3_600_000, isUsed: false, relinkDeviceId: null };
    return { table: "link", key: hash, put: { ...asked, ...life, redirectUri, colorScheme: "light" } };
  });
  return [
    device("linked-1", "http-json", http("tasmota-http", { password: canaries.plant("linked-password-1") })),
    device("linked-2", "http-json", http("homewizard-v1", { token: canaries.plant("linked-token-1") })),
    device("linked-3", "http-json", http("no-such", { password: canaries.plant("linked-password-2") })),
    device("linked-4", "mqtt", {
      broker: { url: "mqtt://127.0.0.1:1", password: canaries.plant("linked-password-3") },
    }),
    device("linked-5", "gone", {
      apiKey: canaries.plant("linked-key-1"),
      deep: { pin: canaries.plant("linked-pin-1") },
    }),
    device("linked-6", "simulated", { account: [canaries.plant("linked-list-1"), canaries.plant("linked-list-2")] }),
    ...webhooks,
    ...notes,
    ...accounts,
    ...links,
  ];
}

/** The owner's file: 8 secrets. */
function configText(canaries: Canaries, ports: { http: number; mqtt: number; device: number }): string {
  const user = (name: string) => ({ username: name, password: canaries.plant(`mqtt-${name}`) });
  const device = (id: string, options: object) => ({
    id,
    adapter: "http-json",
    host: "127.0.0.1",
    port: ports.device,
    ...options,
  });
  const broker = { url: "mqtt://127.0.0.1:1", username: "u", password: canaries.plant("configured-broker") };
  return JSON.stringify({
    http: { host: "127.0.0.1", port: ports.http, isAnnounced: false },
    mqtt: { port: ports.mqtt, users: [user("one"), user("two")] },
    discovery: { isListening: false, followsAddresses: false },
    devices: [
      device("c-1", { profile: "tasmota-http", password: canaries.plant("configured-password-1") }),
      device("c-2", { profile: "shelly-gen2-switch", password: canaries.plant("configured-password-2") }),
      device("c-3", { profile: "sonnen-v2", token: canaries.plant("configured-token-1") }),
      device("c-4", { profile: "kostal-plenticore", password: canaries.plant("configured-password-3") }),
      { id: "c-5", adapter: "mqtt", bridge: "tasmota", topic: "plug", broker },
    ],
  });
}

async function plantLegacy(folder: string, canaries: Canaries, port: number): Promise<void> {
  const clock = nodeClock(() => "synced");
  const options = { disk: nodeDisk({ stateFolder: folder }), clock, random: nodeRandom, log: new TestLog() };
  await using store = await openStore(options);
  await store.commit(legacyWrites(canaries, port), []);
}

/** A device that fails in the worst way: its answer repeats what it was asked, credentials included. */
async function openEcho(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    response.writeHead(500, { "content-type": "text/plain" }).end(`${request.url} ${JSON.stringify(request.headers)}`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 };
}

/** What clients send, right and wrong: 10 secrets. Answers with all that the gateway said but the secrets it made. */
async function visit(base: string, canaries: Canaries, client: { id: string; secret: string }): Promise<string> {
  canaries.set("client-secret", client.secret);
  const said: string[] = [];
  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`${base}${path}`, init);
    return `${[...answer.headers].join()} ${await answer.text()}`;
  };
  const basic = (secret: string) => `Basic ${Buffer.from(`${client.id}:${secret}`).toString("base64")}`;
  const sign = (secret: string) => ({
    method: "POST",
    headers: { authorization: basic(secret), "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=client_credentials",
  });
  const answer = await fetch(`${base}/oauth2/token`, sign(client.secret));
  const { access_token: token } = (await answer.json()) as { access_token: string };
  canaries.set("access-token", token);
  const bearer = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = (path: string, body: string) => ask(path, { method: "POST", headers: bearer, body });
  const linked = await fetch(`${base}/users/home/link`, {
    method: "POST",
    headers: bearer,
    body: JSON.stringify({ scopes: ["charger:read:data"], language: "en-US", redirectUri: "app://done" }),
  });
  const { linkToken } = (await linked.json()) as { linkToken: string };
  canaries.set("link-token", linkToken);
  await ask(`/link/${linkToken}`);
  said.push(
    await ask("/oauth2/token", sign(canaries.plant("wrong-client-secret"))),
    await ask("/batteries", { headers: { authorization: `Bearer ${canaries.plant("wrong-bearer")}` } }),
    await ask(`/batteries?access_token=${encodeURIComponent(canaries.plant("token-in-query"))}`, { headers: bearer }),
    await post(
      "/webhooks",
      JSON.stringify({
        url: "https://webhooks.invalid/",
        events: ["*"],
        secret: canaries.plant("api-webhook-secret"),
        authentication: { headerName: "x-key", headerValue: canaries.plant("api-webhook-header") },
      }),
    ),
    await post("/users/home/schedules", `{"broken": "${canaries.plant("broken-json")}`),
    await post("/users/home/schedules", JSON.stringify({ password: canaries.plant("unknown-key") })),
  );
  for (const path of ["/batteries", "/webhooks", "/metrics", "/health/ready", "/local/checks", "/users/home"]) {
    said.push(await ask(path, { headers: bearer }));
  }
  return said.join("\n");
}

function filesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

/** LevelDB's tables are compressed, and a part of a secret may stand for another: each value as it is read. */
async function valuesIn(folder: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const name of ["critical", "telemetry"] as const) {
    const database = await nodeDisk({ stateFolder: folder }).open(name);
    const encoding = { keyEncoding: "utf8", valueEncoding: "view" } as const;
    for await (const [key, value] of database.iterator<string, Uint8Array>(encoding)) {
      parts.push(Buffer.from(key), Buffer.from(value));
    }
    await database.close();
  }
  return Buffer.concat(parts);
}

/** A snapshot of the running gateway's heap; V8 collects garbage before it. */
async function heapOf(gateway: Hemgate, folder: string): Promise<Buffer> {
  gateway.send("SIGUSR2");
  for (;;) {
    const [name] = readdirSync(folder).filter((file) => file.endsWith(".heapsnapshot"));
    const bytes = name === undefined ? Buffer.alloc(0) : readFileSync(join(folder, name));
    // It is written from the front; whole, it ends with its list of strings.
    if (bytes.subarray(-8).toString().trim().endsWith("]}")) return bytes;
    await pause(200);
  }
}

describe("the search", () => {
  test("finds a secret in every form, wherever it stands", () => {
    const secret = makeCanary("x");
    const canaries = new Map([["x", secret]]);
    const text = `user:${secret}!`;
    const forms = [text, encodeURIComponent(text), JSON.stringify({ a: text })];
    for (const encoding of ["base64", "base64url", "hex"] as const) {
      for (const before of ["", "a", "ab"]) forms.push(Buffer.from(before + text).toString(encoding));
    }
    for (const form of forms) expect(found(canaries, Buffer.from(form)), form).toEqual(["x"]);
    expect(found(canaries, Buffer.from(makeCanary("x")))).toEqual([]);
    expect(formsOf(secret).every((form) => form.length >= 16)).toBe(true);
  });
});

test("40 secrets are on no disk, in no log, in no answer and in no backup", { timeout: 480_000 }, async () => {
  using folder = temporaryFolder();
  const state = join(folder.path, "state");
  const [http = 0, mqtt = 0] = await freePorts(2);
  const { server, port } = await openEcho();
  using _echo = { [Symbol.dispose]: () => void server.close() };
  const canaries = new Canaries();
  await plantLegacy(state, canaries, port);
  expect(found(canaries, await valuesIn(state))).toHaveLength(22);
  const config = join(folder.path, "gateway.yaml");
  writeFileSync(config, configText(canaries, { http, mqtt, device: port }));

  const wrong = join(folder.path, "wrong.yaml");
  const tooLong = canaries.plant("configured-wrong").padEnd(300, ".");
  writeFileSync(wrong, JSON.stringify({ mqtt: { users: [{ username: "u", password: tooLong }] } }));
  const refused = await hemgate(["check-config", wrong]);
  expect(refused.err).toContain("mqtt.users[0].password");

  const environment = {
    HEMGATE_LOG_LEVEL: "debug",
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder.path}`,
  };
  const words = ["start", "--json", "--config", config, "--state", state];
  const logs: string[] = [refused.out, refused.err];
  let heap = Buffer.alloc(0);
  for (const [round, end] of (["SIGKILL", "SIGINT", "SIGINT"] as const).entries()) {
    await using gateway = new Hemgate(words, { environment });
    await gateway.output(/"address"/);
    await gateway.logged(/"deviceId":"c-1"[^\n]*"device unreachable"/);
    if (round === 0) {
      const created = await hemgate(["client", "create", "--name", "app", "--json", "--state", state]);
      logs.push(await visit(`http://127.0.0.1:${http}`, canaries, JSON.parse(created.out)));
      logs.push((await hemgate(["devices", "--json", "--state", state])).out);
      heap = Buffer.from(await heapOf(gateway, folder.path));
    }
    gateway.send(end);
    const { out, err } = await gateway.finished();
    logs.push(out, err);
    if (round === 1) await hemgate(["secrets", "rotate", "--state", state]);
  }
  const backup = join(folder.path, "backup");
  cpSync(state, backup, { recursive: true });

  expect(canaries.size).toBe(40);
  expect(logs.join("")).toContain('"level":"debug"');
  expect(found(canaries, Buffer.from(logs.join("\n")))).toEqual([]);
  expect(found(canaries, filesBelow(state))).toEqual([]);
  expect(found(canaries, filesBelow(backup))).toEqual([]);
  expect(found(canaries, await valuesIn(backup))).toEqual([]);
  // Memory holds what is in use, the token of the open link session too; what was asked with once must be gone.
  const spent = ["client-secret", "access-token", "wrong-client-secret", "wrong-bearer"];
  const inHeap = found(canaries, heap);
  expect(inHeap).toContain("linked-password-1");
  expect(inHeap.filter((name) => spent.includes(name))).toEqual([]);
});
