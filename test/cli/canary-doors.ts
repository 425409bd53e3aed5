/** The doors at which secrets go in. */
import { createPrivateKey } from "node:crypto";
import { createServer, type Server } from "node:http";
import { z } from "zod";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { readKeyFile } from "../../src/platform/node/files/secret-key-file.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Write } from "../../src/store/records.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { type Canary, makeCanary } from "./canary.ts";
import type { EnrolmentServer } from "./enrolment-server.ts";
import { hemgate } from "./hemgate-process.ts";

const PLACE = { epoch: 0, seq: 0 };
const REDIRECT = "app://done?state=";

export class Canaries extends Map<string, Canary> {
  plant(name: string): string {
    const canary = makeCanary(name);
    this.set(name, canary);
    return canary;
  }
}

/** What an older version, or a store without a key, left in clear: 23 secrets. */
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
  const enrolment: Write = {
    table: "cloud-enrolment",
    key: "pending",
    put: { service: "https://x.invalid/", tokenHash: "0".repeat(64), privateKeyPem: canaries.plant("pending-key") },
  };
  return [
    enrolment,
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
export function configText(canaries: Canaries, ports: { http: number; mqtt: number; device: number }): string {
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
      { id: "c-5", adapter: "mqtt", bridge: "tasmota", topic: "plug", role: "meter", broker },
    ],
  });
}

export async function plantLegacy(folder: string, canaries: Canaries, port: number): Promise<void> {
  const clock = nodeClock(() => "synced");
  const options = { disk: nodeDisk({ stateFolder: folder }), clock, random: nodeRandom, log: new TestLog() };
  await using store = await openStore(options);
  await store.commit(legacyWrites(canaries, port), []);
}

/** A device that fails in the worst way: its answer repeats what it was asked, credentials included. */
export async function openEcho(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    response.writeHead(500, { "content-type": "text/plain" }).end(`${request.url} ${JSON.stringify(request.headers)}`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 };
}

/** What clients send, right and wrong: 10 secrets. Answers with all that the gateway said but the secrets it made. */
export async function visit(base: string, canaries: Canaries, client: { id: string; secret: string }): Promise<string> {
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
    body: JSON.stringify({
      vendorType: "charger",
      scopes: ["charger:read:data"],
      language: "en-US",
      redirectUri: "app://done",
    }),
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

/** Enrols the running gateway with a service that gives it a password: 4 secrets. Answers what the command said. */
export async function enrol({ twin, echoUrl }: EnrolmentServer, canaries: Canaries, state: string): Promise<string> {
  const token = twin.issueToken();
  canaries.set("enrolment-token", token.slice(token.indexOf("#") + 1));
  twin.mangle = (answer) => {
    const { password } = z.object({ password: z.string() }).parse(answer["credentials"]);
    canaries.set("cloud-password", password);
    return { ...answer, uplinks: [{ kind: "https", url: echoUrl }] };
  };
  const { code, out, err } = await hemgate(["cloud", "enroll", token, "--state", state]);
  if (code !== 0) throw new Error(`not enrolled: ${err}`);
  return out + err;
}

/** The key that the gateway made, as the store has it: its text, and the number that is the secret of it. */
export async function noteKey(canaries: Canaries, state: string): Promise<void> {
  const secretKeys = await readKeyFile(`${state}.key`);
  const clock = nodeClock(() => "synced");
  const options = { disk: nodeDisk({ stateFolder: state }), clock, random: nodeRandom, log: new TestLog(), secretKeys };
  await using store = await openStore(options);
  const pem = store.get("cloud-identity", "current")?.privateKeyPem ?? "";
  const [, , line = ""] = pem.split("\n");
  canaries.set("cloud-key-text", line);
  const { d = "" } = createPrivateKey(pem).export({ format: "jwk" });
  canaries.set("cloud-key", Buffer.from(d, "base64url"));
}
