/** Secrets at places where they are malformed or do not belong: no command, log line, answer or page repeats one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import mqtt from "mqtt";
import { expect, test } from "vitest";
import { freePorts } from "../free-ports.ts";
import { found } from "./canary.ts";
import { Canaries } from "./canary-doors.ts";
import { filesBelow } from "./canary-traces.ts";
import { Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";
import { sayingOf } from "./saying.ts";

/** Configurations with a secret each, or several; each is wrong. */
function wrongConfigurations(plant: (name: string) => string, folder: string): readonly string[] {
  const key = join(folder, "key.pem");
  writeFileSync(key, `-----BEGIN PRIVATE KEY-----\n${plant("file-key")}\n-----END PRIVATE KEY-----\n`);
  const certificate = join(folder, "certificate.pem");
  writeFileSync(certificate, plant("file-certificate"));
  const user = (password: unknown) => ({ username: "u", password });
  const device = (options: object) => ({ id: "d", adapter: "http-json", host: "192.168.1.5", ...options });
  const mqttDevice = (broker: object) => ({ id: "m", adapter: "mqtt", bridge: "tasmota", topic: "plug", broker });
  const configurations: readonly object[] = [
    {
      mqtt: {
        users: [
          user([plant("list")]),
          user({ is: plant("object") }),
          user(plant("too-long").padEnd(9_000, ".")),
          user({ [plant("key")]: 1 }),
          plant("user"),
        ],
        tls: { certFile: certificate, keyFile: key },
      },
    },
    { mqtt: { users: { name: plant("users-map") }, broker: plant("broker") } },
    { mqtt: { broker: { url: `mqtt://u:${plant("broker-url")}@broker.example`, pasword: plant("unknown-key") } } },
    { mqtt: { broker: { url: `http://u:${plant("broker-scheme")}@broker.example` } } },
    { devices: [device({ profile: "tasmota-http", password: [plant("device-list")] })] },
    { devices: [device({ profile: "tasmota-http", password: { a: plant("device-object") } })] },
    { devices: [device({ profile: "shelly-gen2-em", settings: { password: plant("setting") } })] },
    { devices: [device({ profile: "shelly-gen2-em", settings: plant("settings-text") })] },
    { devices: [device({ profile: "shelly-gen2-em", settings: [plant("settings-list")] })] },
    { devices: [device({ profile: "shelly-gen2-em", settings: { channel: { token: plant("setting-object") } } })] },
    { devices: [device({ profile: "shelly-gen2-em", confirmUnverified: { secret: plant("confirm-object") } })] },
    { secrets: { keyFile: plant("secrets-section"), key: plant("secrets-key") } },
    { secrets: plant("secrets-text") },
    { devices: [device({ profile: "tasmota-http", passwort: plant("device-unknown") })] },
    { devices: [device({ profile: "tasmota-http", token: plant("device-other") })] },
    { devices: [device({ profile: "sonnen-v2", token: plant("device-long").padEnd(9_000, ".") })] },
    { devices: [device({ profile: "sonnen-v2", token: `${plant("device-control")}\u0007` })] },
    { devices: [device({ host: `http://u:${plant("device-host")}@192.168.1.5`, profile: "tasmota-http" })] },
    { devices: [mqttDevice({ url: `mqtt://u:${plant("device-url")}@broker.example` })] },
    { devices: [mqttDevice({ url: "mqtt://b.example", password: { a: plant("device-broker") } })] },
    { devices: plant("devices") },
    { clouds: { easee: { clientId: "c", clientSecret: [plant("cloud-list")], secret: plant("cloud-unknown") } } },
    { cloud: { uplinks: [{ kind: "https", url: `https://u:${plant("cloud-url")}@cloud.example` }] } },
    { cloud: { gateway: "g", uplinks: [], credentials: { password: [plant("cloud-password")] } } },
    { cloud: { gateway: "g", uplinks: [], credentials: plant("cloud-credentials") } },
    { http: { corsOrigins: [`https://u:${plant("cors")}@app.example`] } },
  ];
  return [
    ...configurations.map((each) => JSON.stringify(each)),
    `mqtt:\n  broker:\n    password: "${plant("yaml-quote")}\n`,
    `mqtt:\n  broker:\n    password: *${plant("yaml-alias")}\n`,
    `mqtt:\n  broker:\n\tpassword: ${plant("yaml-tab")}\n`,
    `mqtt:\n  broker:\n    password: [${plant("yaml-flow")}\n`,
    `mqtt:\n  broker:\n    password: ${plant("yaml-twice")}\n    password: ${plant("yaml-again")}\n`,
    `mqtt:\n  broker:\n    password: ${plant("yaml-colon")}: x\n`,
  ];
}

/** One form of output for each configuration in turn, as a process takes a second; `CANARY_FORMS=all` prints both. */
function formsOf(index: number): readonly (readonly string[])[] {
  const forms = [[], ["--json"]];
  return process.env["CANARY_FORMS"] === "all" ? forms : forms.slice(index % 2).slice(0, 1);
}

/** What a client sends to the API in the wrong form; answers with all that came back. */
async function visit(base: string, plant: (name: string) => string, authorization: string): Promise<string> {
  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`${base}${path}`, { redirect: "manual", ...init });
    return `${answer.status} ${[...answer.headers].join()} ${await answer.text()}`;
  };
  const headers = { authorization, "content-type": "application/json" };
  const post = (path: string, body: unknown) =>
    ask(path, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });
  const hook = (change: object) => post("/webhooks", { url: "https://hooks.example/in", events: ["*"], ...change });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const query = (name: string) => `?${name}=${encodeURIComponent(plant(`query-${name}`))}`;
  return [
    await hook({ secret: [plant("hook-list")] }),
    await hook({ secret: { a: plant("hook-object") } }),
    await hook({ secret: plant("hook-long").padEnd(9_000, ".") }),
    await hook({ secret: `${plant("hook-control")}\u0000`, authentication: plant("hook-authentication") }),
    await hook({ authentication: { headerName: "x-key", headerValue: `${plant("hook-header")}\r\nx: y` } }),
    await hook({ authentication: { headerName: "x-key", headerValue: [plant("hook-header-list")] } }),
    await hook({ url: `https://u:${plant("hook-url")}@hooks.example/in` }),
    await hook({ url: `ftp://u:${plant("hook-scheme")}@hooks.example/in` }),
    await hook({ password: plant("hook-unknown") }),
    await post("/webhooks", `{"secret": "${plant("json-broken")}`),
    await post("/webhooks", `{"secret": ${plant("json-bare")}}`),
    await post("/webhooks", `"${plant("json-text")}"`),
    await post("/users/home/link", { redirectUri: `https://u:${plant("link-redirect")}@app.example/`, scopes: [] }),
    await ask(`/batteries${query("token")}`, { headers }),
    await ask(`/batteries${query("access_token")}`),
    await ask(`/no-such-place${query("password")}`, { headers }),
    await ask(`/link/${encodeURIComponent(plant("link-token"))}`),
    await ask(`/link/return${query("state")}`),
    await ask("/batteries", { headers: { authorization: `Basic ${plant("basic")}` } }),
    await ask("/batteries", { headers: { authorization: plant("scheme") } }),
    await ask("/oauth2/token", { method: "POST", headers: form, body: `client_secret=${plant("oauth-alone")}` }),
    await ask("/oauth2/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_secret: [plant("oauth-json")] }),
    }),
    await ask(`/oauth2/token${query("client_secret")}`, { method: "POST", headers: form, body: "" }),
  ].join("\n");
}

/** A sign-in at the embedded broker that is refused. */
async function signIn(port: number, options: { username: string; password: string }): Promise<void> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { ...options, reconnectPeriod: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  client.on("error", () => resolve());
  client.on("close", () => resolve());
  await promise;
  client.end(true);
}

test("68 secrets at malformed places are in no message, log line, answer or file", { timeout: 300_000 }, async () => {
  using folder = temporaryFolder();
  const state = join(folder.path, "state");
  const canaries = new Canaries();
  const plant = (name: string): string => canaries.plant(name);
  const said: [string, string][] = [];
  const file = join(folder.path, "wrong.yaml");
  for (const [index, text] of wrongConfigurations(plant, folder.path).entries()) {
    writeFileSync(file, text);
    for (const form of formsOf(index)) {
      const words = await sayingOf(["check-config", file, ...form, "--state", state]);
      expect(words, text).not.toContain("this is a bug");
      said.push([text, words]);
    }
  }
  const started = await hemgate(["start", "--config", file, "--state", state]);
  expect(started.code).not.toBe(0);
  said.push(["start", started.out + started.err]);
  writeFileSync(file, "{}\n");
  const variables = { HEMGATE_MQTT_BROKER_URL: `mqtt://u:${plant("variable")}@b.example` };
  said.push(["variable", await sayingOf(["check-config", file, "--state", state], variables)]);
  const keyFile = join(folder.path, "secrets.key");
  writeFileSync(keyFile, `{"keys": ["${plant("key-file")}"`);
  const keyed = await hemgate(["start", "--config", file, "--state", state, "--key-file", keyFile]);
  expect(keyed.code).not.toBe(0);
  said.push(["key file", keyed.out + keyed.err]);

  const [http = 0, broker = 0] = await freePorts(2);
  const config = join(folder.path, "gateway.yaml");
  writeFileSync(
    config,
    JSON.stringify({
      http: { host: "127.0.0.1", port: http, isAnnounced: false },
      mqtt: { port: broker, users: [{ username: "u", password: plant("right-password") }] },
      discovery: { isListening: false, followsAddresses: false },
      devices: [
        { id: "h", adapter: "http-json", profile: "tasmota-http", host: "127.0.0.1", port: 1, password: plant("http") },
        {
          id: "m",
          adapter: "mqtt",
          bridge: "tasmota",
          role: "meter",
          topic: "plug",
          broker: { url: `mqtt://127.0.0.1:${broker}`, username: "u", password: plant("wrong-device-password") },
        },
      ],
    }),
  );
  const environment = { HEMGATE_LOG_LEVEL: "debug" };
  await using gateway = new Hemgate(["start", "--json", "--config", config, "--state", state], { environment });
  await gateway.output(/"address"/);
  const base = `http://127.0.0.1:${http}`;
  const created = await hemgate(["client", "create", "--name", "app", "--json", "--state", state]);
  const client = JSON.parse(created.out) as { id: string; secret: string };
  const token = await fetch(`${base}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: client.id, client_secret: client.secret }),
  });
  const { access_token: access } = (await token.json()) as { access_token: string };
  said.push(["api", await visit(base, plant, `Bearer ${access}`)]);
  await signIn(broker, { username: "u", password: plant("mqtt-wrong") });
  await signIn(broker, { username: "nobody", password: plant("mqtt-nobody") });
  await gateway.logged(
    /MQTT (connection refused|client disconnected by the broker|server not connected)|sign-in|unknown user/,
  );
  await gateway.logged(/"level":"debug"/);
  const headers = { authorization: `Bearer ${access}` };
  for (const path of ["/metrics", "/health/ready", "/local/checks", "/local/devices", "/users/home", "/webhooks"]) {
    said.push([path, await (await fetch(`${base}${path}`, { headers })).text()]);
  }
  for (const words of [
    ["devices"],
    ["checks"],
    ["read", "m"],
    ["discover", "--host", `u:${plant("discover-host")}@192.168.1.5`],
    ["cloud", "status"],
    ["cloud", "enroll", `http://cloud.example/#${plant("token-http")}`],
    ["cloud", "enroll", `https://cloud.example/?token=${plant("token-query")}`],
    ["cloud", "enroll", plant("token-bare")],
    ["cloud", "enroll", `https://u:${plant("token-user")}@cloud.example/#${plant("token-after-user")}`],
    ["client", "pin", "nobody", "--version", "x"],
  ]) {
    const { out, err } = await hemgate([...words, "--state", state]);
    expect(err, words.join(" ")).not.toContain("this is a bug");
    said.push([words.join(" "), out + err]);
  }
  gateway.send("SIGINT");
  const { out, err } = await gateway.finished();
  said.push(["log", out + err]);

  expect(err).toContain('"level":"debug"');
  const leaks = said.flatMap(([where, text]) => {
    const names = found(canaries, Buffer.from(text));
    return names.length === 0 ? [] : [{ where, names, text: text.slice(0, 2_000) }];
  });
  expect(leaks).toEqual([]);
  expect(found(canaries, filesBelow(state))).toEqual([]);
  expect(canaries.size).toBeGreaterThanOrEqual(68);
});
