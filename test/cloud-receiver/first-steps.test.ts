/** The README's way from nothing to a command, by its own files and real programs; and a gateway that steals. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { expect, test } from "vitest";
import { Hemgate } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { said, stopped } from "./servers.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";
import { until } from "./until.ts";

const EXAMPLE = new URL("../../examples/cloud-receiver/", import.meta.url).pathname;
const LIMIT_MS = 240_000;

interface Fleet extends AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly database: TestDatabase;
  /** A client with a certificate of that name; `clientId` is what it asks for. */
  gateway(name: string, clientId?: string): Promise<MqttClient>;
  /** A client with the receiver's password. */
  receiver(): Promise<MqttClient>;
}

/** What `setup.sh` makes, and Mosquitto by its configuration. */
async function openFleet(): Promise<Fleet> {
  const database = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), "hemgate-fleet-"));
  chmodSync(folder, 0o711);
  const [mqtt, receiver, enrolment, http] = await freePorts(4);
  const ports = { MQTT_PORT: mqtt, RECEIVER_PORT: receiver, ENROLMENT_PORT: enrolment, HTTP_PORT: http };
  const named = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  execFileSync("bash", [join(EXAMPLE, "setup.sh"), folder, "localhost"], {
    env: { ...process.env, ...Object.fromEntries(named), DATABASE_URL: database.url },
    stdio: "pipe",
  });
  const env = parseEnv(readFileSync(join(folder, "service.env"), "utf8")) as Record<string, string>;
  const broker = spawn("mosquitto", ["-c", join(folder, "mosquitto.conf")], { stdio: ["ignore", "pipe", "pipe"] });
  await said(broker, "running");
  const ca = readFileSync(join(folder, "servers-ca.pem"));
  const shape: IClientOptions = { protocolVersion: 5, ca, reconnectPeriod: 0 };
  return {
    folder,
    env,
    database,
    async gateway(name, clientId = name) {
      const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
      const run = (...words: readonly string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
      run("req", ...curve, "-subj", `/CN=${name}`, "-keyout", key, "-out", `${cert}.csr`);
      const signed = ["-CA", "gateways-ca.pem", "-CAkey", "gateways-ca.key", "-CAcreateserial", "-days", "2"];
      run("x509", "-req", "-in", `${cert}.csr`, ...signed, "-out", cert);
      const own = { key: readFileSync(key), cert: readFileSync(cert) };
      return await connectAsync(`mqtts://localhost:${mqtt}`, { ...shape, ...own, clientId });
    },
    receiver: () =>
      connectAsync(`mqtts://localhost:${receiver}`, {
        ...shape,
        username: "receiver",
        password: env["MQTT_PASSWORD"] ?? "",
      }),
    async [Symbol.asyncDispose]() {
      await stopped(broker, "SIGKILL");
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startService({ folder }: Fleet): Promise<ChildProcess> {
  const words = [`--env-file=${join(folder, "service.env")}`, "--conditions=source", "src/main.ts"];
  const child = spawn(process.execPath, words, { cwd: EXAMPLE, stdio: ["ignore", "pipe", "pipe"] });
  await said(child, '"ready"');
  return child;
}

test(
  "by the README a simulated house is enrolled, and runs a command that is a row of SQL",
  async () => {
    await using fleet = await openFleet();
    const service = await startService(fleet);
    const { HTTP_PORT, API_TOKEN } = fleet.env;
    const answer = await fetch(`http://127.0.0.1:${HTTP_PORT}/enrolment-tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${API_TOKEN}` },
      body: JSON.stringify({ gateway: "house-1" }),
    });
    expect(answer.status).toBe(201);
    const { token } = (await answer.json()) as { readonly token: string };
    const [http, ...twins] = await freePorts(4);
    const state = join(fleet.folder, "house");
    const environment = {
      NODE_EXTRA_CA_CERTS: join(fleet.folder, "servers-ca.pem"),
      HEMGATE_HTTP_PORT: String(http),
    };
    {
      const words = ["start", "--sandbox", "--state", state, "--twin-ports", twins.join(",")];
      await using house = new Hemgate(words, { environment });
      await house.output(/Ctrl-C stops it/);
      await using enrolling = new Hemgate(["cloud", "enroll", "--state", state, token], { environment });
      expect(await enrolling.finished()).toMatchObject({ code: 0 });
      await until(async () => (await fleet.database.rows("SELECT FROM gateway")).length === 1);
      await fleet.database.rows(`INSERT INTO command (gateway, id, created_ms, expires_ms, version, method, path)
        SELECT 'house-1', 'first', now, now + 60000, '2024-10-01', 'GET', '/batteries'
        FROM (SELECT (extract(epoch FROM now()) * 1000)::bigint AS now) AS clock`);
      const row = await until(async () => {
        const sql = "SELECT outcome, status FROM command WHERE id = 'first' AND outcome IS NOT NULL";
        return (await fleet.database.rows(sql))[0];
      });
      expect(row).toEqual({ outcome: "executed", status: 200 });
      await using again = new Hemgate(["cloud", "enroll", "--state", join(fleet.folder, "other"), token], {
        environment,
      });
      const { code, err } = await again.finished();
      expect([code === 0, err]).toEqual([false, expect.stringContaining("This token was used already")]);
    }
    await stopped(service, "SIGTERM");
  },
  LIMIT_MS,
);

test("a gateway gets nothing of the receivers' shared subscription, and no other one's client id", async () => {
  await using fleet = await openFleet();
  const stolen: string[] = [];
  const thief = await fleet.gateway("thief", "house-1");
  thief.on("message", (topic) => stolen.push(topic));
  const filters = ["hemgate/+/up/#", "gateways/hemgate/+/up/#", "#"];
  for (const filter of [...filters, ...filters.map((each) => `$share/receiver/${each}`)]) {
    await thief.subscribeAsync(filter, { qos: 1 }).catch(() => undefined);
  }
  const receiver = await fleet.receiver();
  const received: string[] = [];
  receiver.on("message", (topic, payload) => received.push(`${topic} ${payload}`));
  await receiver.subscribeAsync("$share/receiver/gateways/hemgate/+/up/#", { qos: 1 });
  const house = await fleet.gateway("house-1");
  let isEnded = false;
  house.once("close", () => {
    isEnded = true;
  });
  const second = await fleet.gateway("thief", "house-1");
  await second.publishAsync("hemgate/house-1/up/hello", "forged", { qos: 1 }).catch(() => undefined);
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  for (const number of numbers) await house.publishAsync("hemgate/house-1/up/batch/event", String(number), { qos: 1 });
  await until(() => received.length >= numbers.length);
  expect(received).toEqual(numbers.map((number) => `gateways/hemgate/house-1/up/batch/event ${number}`));
  expect(stolen).toEqual([]);
  expect(isEnded).toBe(false);
  const heard: string[] = [];
  house.on("message", (topic, payload) => heard.push(`${topic} ${payload}`));
  await house.subscribeAsync("hemgate/house-1/down/+", { qos: 1 });
  await receiver.publishAsync("gateways/hemgate/house-1/down/ack", "yes", { qos: 1 });
  expect(await until(() => heard[0])).toMatch(/hemgate\/house-1\/down\/ack yes$/);
  for (const client of [thief, second, receiver, house]) await client.endAsync(true);
});
