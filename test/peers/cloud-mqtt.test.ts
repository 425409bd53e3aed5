/** The uplink by MQTT 5 at Mosquitto, by TLS, with certificates for both sides. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { nodeMqtt5 } from "../../src/platform/node/mqtt/node-mqtt5.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import type { Mqtt5Credentials } from "../../src/platform/ports/mqtt5-port.ts";
import { MqttUplink } from "../../src/sync/uplink/mqtt-uplink.ts";
import { freePort } from "../free-ports.ts";
import { batch, bytes, HELLO, heard } from "../sync/uplink/recorded-events.ts";

const run = promisify(execFile);
const clock = nodeClock(() => "synced");
const NEVER = new AbortController().signal;
const BASE = "hemgate/v1/gw-1";
const RECEIVE_MAXIMUM = 5;

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** An authority, a server's certificate for localhost and a client's for gw-1. */
function certificates(): string {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-cloud-tls-"));
  const openssl = (...parameters: string[]): void => {
    execFileSync("openssl", parameters, { cwd: folder, stdio: "pipe" });
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem");
  // Mosquitto reads them as a user of its own.
  chmodSync(folder, 0o755);
  for (const [name, subject] of [
    ["server", "localhost"],
    ["client", "gw-1"],
  ] as const) {
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=DNS:${subject}\n`);
    openssl("req", ...key, "-subj", `/CN=${subject}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", `${name}.ext`];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.pem`);
    chmodSync(join(folder, `${name}.key`), 0o644);
  }
  return folder;
}

interface Server {
  readonly url: string;
  readonly folder: string;
  readonly credentials: Mqtt5Credentials;
  /** Parameters with which Mosquitto's clients reach it. */
  readonly at: readonly string[];
  readonly said: () => string;
  stop(): Promise<void>;
}

async function mosquitto(folder = certificates(), port?: number): Promise<Server> {
  const at = port ?? (await freePort());
  const config = join(folder, "mosquitto.conf");
  writeFileSync(
    config,
    [
      "per_listener_settings false",
      `listener ${at} 127.0.0.1`,
      `cafile ${folder}/ca.pem`,
      `certfile ${folder}/server.pem`,
      `keyfile ${folder}/server.key`,
      "require_certificate true",
      "use_identity_as_username true",
      "allow_anonymous false",
      `max_inflight_messages ${RECEIVE_MAXIMUM}`,
      "log_type all",
    ].join("\n"),
  );
  const child = spawn("mosquitto", ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
  running.push(child);
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (text) => {
      said += String(text);
      if (said.includes("running")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`mosquitto ended with ${code}: ${said}`)));
  });
  const certificate = {
    pem: readFileSync(`${folder}/client.pem`, "utf8"),
    keyPem: readFileSync(`${folder}/client.key`, "utf8"),
  };
  const tls = ["--cafile", `${folder}/ca.pem`, "--cert", `${folder}/client.pem`, "--key", `${folder}/client.key`];
  return {
    url: `mqtts://localhost:${at}`,
    folder,
    credentials: { certificate, authoritiesPem: readFileSync(`${folder}/ca.pem`, "utf8") },
    at: ["-h", "localhost", "-p", String(at), "-V", "5", ...tls],
    said: () => said,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function uplinkTo(server: Server, more: Mqtt5Credentials = server.credentials): MqttUplink {
  return new MqttUplink({
    mqtt5: nodeMqtt5({ clock }),
    clock,
    gateway: "gw-1",
    servers: [server.url],
    topicPrefix: "hemgate/v1",
    sessionExpirySeconds: 300,
    credentials: async () => more,
  });
}

/** Resolves when it holds; looks at each turn of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const publish = (server: Server, ...more: string[]) => run("mosquitto_pub", [...server.at, "-q", "1", ...more]);

test("frames arrive with their properties, and never more than Receive Maximum are under way", async () => {
  const server = await mosquitto();
  const listener = spawn(
    "mosquitto_sub",
    [...server.at, "-q", "1", "-C", "42", "-W", "60", "-t", `${BASE}/up/#`, "-F", "%t %C %P %l"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  running.push(listener);
  let lines = "";
  listener.stdout?.on("data", (text) => {
    lines += String(text);
  });
  await until(() => server.said().includes(`${BASE}/up/# (QoS 1)`));
  const ears = heard();
  const connection = await uplinkTo(server).connect(ears.events, NEVER);
  expect(connection.credits).toBe(RECEIVE_MAXIMUM);
  connection.send(bytes("hello"), HELLO);
  for (let at = 1; at <= 40; at += 1) {
    await until(() => connection.credits > 0);
    connection.send(new Uint8Array(100_000), batch(at, at, "telemetry"));
  }
  await until(() => lines.trim().split("\n").length === 42);
  const told = lines.trim().split("\n");
  expect(told[1]).toBe(`${BASE}/up/hello application/vnd.hemgate.frame gateway:gw-1 5`);
  expect(told.slice(2)).toEqual(
    Array.from({ length: 40 }, (_unused, at) => {
      const numbers = `from:${at + 1} through:${at + 1}`;
      const routing = `gateway:gw-1 stream:telemetry epoch:00000000000000aa ${numbers}`;
      return `${BASE}/up/batch/telemetry application/vnd.hemgate.frame ${routing} 100000`;
    }),
  );
  expect(ears.drained.count).toBeGreaterThan(0);
  expect(ears.ends).toEqual([]);
  connection[Symbol.dispose]();
});

test("a second client of the same name takes over; the gateway comes back, and takes over itself", async () => {
  const server = await mosquitto();
  const uplink = uplinkTo(server);
  const first = heard();
  const connection = await uplink.connect(first.events, NEVER);
  connection.send(bytes("hello"), HELLO);
  const twin = spawn("mosquitto_sub", [...server.at, "-i", "gw-1", "-t", "nothing", "-d"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(twin);
  await until(() => first.ends.length > 0);
  // Mosquitto 2.0.11 closes without the word that MQTT 5 has for it (0x8E); later ones say it.
  expect(first.ends).toMatchObject([{ kind: expect.stringMatching(/^(lost|taken-over)$/) }]);
  expect(connection.credits).toBe(0);
  const second = heard();
  const again = await uplink.connect(second.events, NEVER);
  await publish(server, "-t", `${BASE}/down/ack`, "-m", "a");
  await until(() => second.frames.length > 0);
  expect(second.frames).toEqual(["a"]);
  again[Symbol.dispose]();
});

test("what is sent down while the gateway is away waits for it", async () => {
  const server = await mosquitto();
  const uplink = uplinkTo(server);
  const first = heard();
  const connection = await uplink.connect(first.events, NEVER);
  connection.send(bytes("hello"), HELLO);
  await until(() => connection.credits === RECEIVE_MAXIMUM);
  connection[Symbol.dispose]();
  expect(first.ends).toMatchObject([{ kind: "lost" }]);
  await until(() => server.said().includes("Received DISCONNECT from gw-1"));
  await publish(server, "-t", `${BASE}/down/command`, "-m", "command");
  const second = heard();
  const again = await uplink.connect(second.events, NEVER);
  await until(() => second.frames.length > 0);
  expect(second.frames).toEqual(["command"]);
  again[Symbol.dispose]();
});

test("a server that dies is a lost connection; it comes about again", async () => {
  const server = await mosquitto();
  const uplink = uplinkTo(server);
  const first = heard();
  await uplink.connect(first.events, NEVER);
  await server.stop();
  await until(() => first.ends.length > 0);
  expect(first.ends).toMatchObject([{ kind: "lost" }]);
  await expect(uplink.connect(heard().events, NEVER)).rejects.toMatchObject({ end: { kind: "lost" } });
  const port = Number(new URL(server.url.replace("mqtts:", "https:")).port);
  await mosquitto(server.folder, port);
  const again = await uplink.connect(heard().events, NEVER);
  again[Symbol.dispose]();
});

test("the presence is kept at the server while the gateway is there", async () => {
  const server = await mosquitto();
  const connection = await uplinkTo(server).connect(heard().events, NEVER);
  const kept = ["-q", "1", "-C", "1", "-W", "10", "-t", `${BASE}/up/presence`];
  expect((await run("mosquitto_sub", [...server.at, ...kept])).stdout.trim()).toBe("online");
  connection[Symbol.dispose]();
});

test("no certificate, and one of a stranger, are no sign-in; a server of another authority is not spoken to", async () => {
  const server = await mosquitto();
  const { authoritiesPem } = server.credentials;
  const nobody = uplinkTo(server, { authoritiesPem });
  await expect(nobody.connect(heard().events, NEVER)).rejects.toMatchObject({ name: "UplinkError" });
  const stranger = uplinkTo(server, {
    ...server.credentials,
    authoritiesPem: readFileSync(join(certificates(), "ca.pem"), "utf8"),
  });
  await expect(stranger.connect(heard().events, NEVER)).rejects.toMatchObject({
    end: { kind: "lost", reason: expect.stringMatching(/certificate/) },
  });
  const broken = uplinkTo(server, { authoritiesPem, certificate: { pem: "none", keyPem: "none" } });
  await expect(broken.connect(heard().events, NEVER)).rejects.toMatchObject({ name: "UplinkError" });
});
