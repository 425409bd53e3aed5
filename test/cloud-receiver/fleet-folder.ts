/** A fleet by the example's own scripts: what `setup.sh` makes, a broker by that configuration, and gateways with certificates. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { parseEnv, promisify } from "node:util";
import { connect, type IClientOptions, type MqttClient } from "mqtt";
import { openBroker } from "../../examples/cloud-receiver/src/broker.ts";
import { Configuration } from "../../examples/cloud-receiver/src/configuration.ts";
import { openPool } from "../../examples/cloud-receiver/src/database.ts";
import { startEnrolment } from "../../examples/cloud-receiver/src/enrolment-server.ts";
import { lineLog } from "../../examples/cloud-receiver/src/log.ts";
import { freePorts } from "../free-ports.ts";
import { type BrokerKind, type Recipe, rabbitmqIn, running } from "./brokers.ts";
import { type Cluster, said, stopped } from "./servers.ts";
import { testDatabase } from "./test-database.ts";

export const EXAMPLE = new URL("../../examples/cloud-receiver/", import.meta.url).pathname;
const RABBITMQCTL = "/usr/lib/rabbitmq/bin/rabbitmqctl";

export interface FleetFolder extends AsyncDisposable {
  readonly folder: string;
  /** `service.env`. */
  readonly env: Readonly<Record<string, string>>;
  rows<Row>(sql: string): Promise<readonly Row[]>;
  /** `gateways.sh FOLDER add|revoke NAME`. */
  gateways(what: "add" | "revoke", name: string): Promise<void>;
}

export interface Certified {
  readonly name: string;
  readonly key: string;
  readonly cert: string;
}

/** Without the service. `postgres` is what `setup.sh` makes role and database in; without it there is a database already. */
export async function openFolder(kind: BrokerKind, postgres?: Cluster): Promise<FleetFolder> {
  const folder = mkdtempSync(join(tmpdir(), `hemgate-fleet-${kind}-`));
  const database = postgres === undefined ? await testDatabase() : null;
  await setUp(folder, {
    BROKER: kind,
    ...(database !== null && { DATABASE_URL: database.url }),
    ...(postgres !== undefined && { PGHOST: postgres.folder, PGPORT: String(postgres.port) }),
  });
  const env = environmentOf(folder);
  const pool = openPool(env["DATABASE_URL"] ?? "", 1);
  const { recipe, helpers } = await recipeOf(kind, folder);
  const broker = await running(folder, recipe);
  const environment = { ...process.env, ...recipe.environment, RABBITMQCTL };
  return {
    folder,
    env,
    async rows<Row>(sql: string) {
      return (await pool.query(sql)).rows as Row[];
    },
    async gateways(what, name) {
      await promisify(execFile)("bash", [join(EXAMPLE, "gateways.sh"), folder, what, name], { env: environment });
    },
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]();
      for (const helper of helpers) await stopped(helper, "SIGKILL");
      await pool.end();
      await database?.[Symbol.asyncDispose]();
    },
  };
}

/** Runs `setup.sh` with free ports. A broker that runs as another user reads files of the folder. */
async function setUp(folder: string, environment: Readonly<Record<string, string>>): Promise<void> {
  chmodSync(folder, 0o711);
  const names = ["MQTT_PORT", "RECEIVER_PORT", "ENROLMENT_PORT", "HTTP_PORT", "CLIENT_IDS_PORT"];
  const ports = await freePorts(names.length);
  const env = { ...process.env, ...Object.fromEntries(names.map((name, index) => [name, String(ports[index])])) };
  delete env["DATABASE_URL"];
  execFileSync("bash", [join(EXAMPLE, "setup.sh"), folder, "localhost"], {
    env: { ...env, ...environment },
    stdio: "pipe",
  });
}

function environmentOf(folder: string): Readonly<Record<string, string>> {
  return parseEnv(readFileSync(join(folder, "service.env"), "utf8")) as Record<string, string>;
}

/** A program of the example with `service.env`. Resolves when it says that it is ready. */
export async function startProgram(folder: string, program: string): Promise<ChildProcess> {
  const words = [`--env-file=${join(folder, "service.env")}`, "--conditions=source", join("src", program)];
  const child = spawn(process.execPath, words, { cwd: EXAMPLE, stdio: ["ignore", "pipe", "pipe"] });
  await said(child, "ready");
  return child;
}

async function recipeOf(
  kind: BrokerKind,
  folder: string,
): Promise<{ readonly recipe: Recipe; readonly helpers: readonly ChildProcess[] }> {
  const none = { mqttUrl: "", settings: {} };
  const conf = join(folder, `${kind}.conf`);
  if (kind === "mosquitto") {
    return { recipe: { ...none, command: ["mosquitto", "-c", conf], ready: "running" }, helpers: [] };
  }
  if (kind === "nats") {
    return { recipe: { ...none, command: ["nats-server", "-c", conf], ready: "Server is ready" }, helpers: [] };
  }
  const recipe = { ...none, ...(await rabbitmqIn(folder, { plugins: ["mqtt", "auth_backend_http"] })) };
  return { recipe, helpers: [await startProgram(folder, "rabbitmq-client-ids.ts")] };
}

interface Signed {
  readonly path: string;
  readonly body: object;
  readonly privateKey: KeyObject;
}

export interface Fleet extends FleetFolder {
  /** `topic payload` of all that reached the receivers, as gateways name topics. */
  readonly received: readonly string[];
  /** To a gateway, by the receiver. */
  send(topic: string, payload: string): Promise<void>;
  /** A new token, a new key, and the certificate that the enrolment service issues for it. */
  enrol(name: string): Promise<Certified>;
  /** Asks for a certificate for another key; the status of the answer. */
  renew(gateway: Certified): Promise<number>;
  /** A connection by a certificate; `options` is what the client asks for. */
  connect(gateway: Certified, options?: IClientOptions): Promise<MqttClient>;
  /** Neither certificate nor rights; `options` is all that the client has. */
  connectWith(options: IClientOptions): Promise<MqttClient>;
}

/** The same, with the enrolment service and a receiver that only listens. */
export async function openFleet(kind: BrokerKind): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const fleet = stack.use(await openFolder(kind));
  const { folder, env } = fleet;
  const configuration = Configuration.parse(env);
  const log = lineLog(() => undefined);
  const pool = openPool(configuration.DATABASE_URL, 2);
  stack.defer(() => pool.end());
  if (configuration.enrolment === undefined) throw new Error("service.env names no enrolment service");
  const service = stack.use(await startEnrolment(configuration.enrolment, { pool, log, nowMs: Date.now }));
  const ca = readFileSync(join(folder, "servers-ca.pem"));
  const post = async ({ path, body, privateKey }: Signed) => {
    const text = Buffer.from(JSON.stringify(body));
    const proof = sign("sha256", text, privateKey).toString("base64");
    const asked = request(`${env["ENROLMENT_URL"]}v1/${path}`, {
      method: "POST",
      ca,
      headers: { "hemgate-proof": proof },
    });
    asked.end(text);
    const [response] = await once(asked, "response");
    return { status: response.statusCode as number, answer: (await json(response)) as object };
  };
  const connectWith = async (options: IClientOptions): Promise<MqttClient> => {
    const shape = { protocolVersion: kind === "mosquitto" ? 5 : 4, ca, reconnectPeriod: 0 } as const;
    const client = connect(env["GATEWAYS_MQTT_URL"] ?? "", { ...shape, ...options });
    await new Promise<void>((resolve, reject) => {
      client.once("connect", () => resolve());
      client.on("error", reject);
      // Without an answer to the CONNECT.
      client.once("close", () => reject(new Error("the broker ended the connection")));
    });
    return client;
  };
  const broker = stack.use(await openBroker(configuration, log));
  const received: string[] = [];
  const prefix = configuration.TOPIC_PREFIX;
  const receiving = await broker.receive({
    count: 1,
    receiveMaximum: 8,
    filter: `${prefix}/+/up/#`,
    group: configuration.SHARE_GROUP,
    async take({ topic, payload }) {
      received.push(`${topic.slice(prefix.length - "hemgate".length)} ${Buffer.from(payload)}`);
      return true;
    },
  });
  stack.use(receiving);
  const owned = stack.move();
  return {
    ...fleet,
    received,
    send: (topic, payload) =>
      broker.send({ topic: topic.replace("hemgate", prefix), payload: Buffer.from(payload), expirySeconds: 60 }),
    async enrol(name) {
      const { token } = (await service.enrolment.newToken({ gateway: name })) as { readonly token: string };
      const { privateKey, publicKeyPem, key } = newKey();
      const body = { v: 1, token: token.slice(token.indexOf("#") + 1), publicKeyPem };
      const { status, answer } = await post({ path: "enrolments", body, privateKey });
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`);
      const { credentials } = answer as { readonly credentials: { readonly chainPem: string } };
      return { name, key, cert: credentials.chainPem };
    },
    async renew({ name, key }) {
      const body = { v: 1, gateway: name, atMs: Date.now(), publicKeyPem: newKey().publicKeyPem };
      return (await post({ path: `gateways/${name}/renewals`, body, privateKey: createPrivateKey(key) })).status;
    },
    connect: ({ name, key, cert }, options = {}) => connectWith({ clientId: name, key, cert, ...options }),
    connectWith,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privateKey,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }) as string,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
