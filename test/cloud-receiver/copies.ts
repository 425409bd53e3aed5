/** Copies of the receiver, in this process and in ones of their own. */
import { spawn } from "node:child_process";
import { Configuration } from "../../examples/cloud-receiver/src/configuration.ts";
import { lineLog } from "../../examples/cloud-receiver/src/log.ts";
import { type Service, startService } from "../../examples/cloud-receiver/src/service.ts";
import { type BrokerKind, type Place, startBroker } from "./brokers.ts";
import { openRelay, type Relay } from "./relay.ts";
import { said, stopped } from "./servers.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";

const TOKEN = "a token that is long enough";
const EXAMPLE = new URL("../../examples/cloud-receiver/", import.meta.url).pathname;

/** What the receiver's environment says of its broker. */
type BrokerSettings = Readonly<Record<string, string>>;

export interface Site extends AsyncDisposable {
  readonly database: TestDatabase;
  /** Of the broker, for gateways. */
  readonly brokerUrl: string;
  readonly brokerPort: number;
  readonly brokerSettings: BrokerSettings;
  /** Ends the broker as a power cut does. */
  killBroker(): Promise<void>;
  startBroker(): Promise<void>;
  /** Ends the broker, and starts it anew. */
  restartBroker(): Promise<void>;
}

/** A broker and an empty database. */
export async function openSite(kind: BrokerKind = "mosquitto", place?: Place): Promise<Site> {
  const database = await testDatabase();
  const broker = await startBroker(kind, place);
  return {
    database,
    brokerPort: Number(new URL(broker.mqttUrl).port),
    brokerUrl: broker.mqttUrl,
    brokerSettings: broker.settings,
    killBroker: () => broker.kill(),
    startBroker: () => broker.start(),
    async restartBroker() {
      await broker.kill();
      await broker.start();
    },
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

function environment({ database, brokerSettings }: Site): Record<string, string> {
  return { ...brokerSettings, DATABASE_URL: database.url, HTTP_PORT: "0", API_TOKEN: TOKEN, WORKERS: "2" };
}

export interface Copy extends Service {
  /** What it warned of. */
  readonly warnings: readonly string[];
}

export async function startCopy(site: Site): Promise<Copy> {
  const lines: string[] = [];
  const log = lineLog((line) => lines.push(line));
  const service = await startService(Configuration.parse(environment(site)), log);
  return { port: service.port, warnings: lines, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

export interface CopyProcess extends Pick<Service, "port"> {
  /** As a power cut ends it. */
  kill(): Promise<void>;
  isRunning(): boolean;
}

export async function spawnCopy(site: Site, brokerSettings = site.brokerSettings): Promise<CopyProcess> {
  const child = spawn(process.execPath, ["--conditions=source", "src/main.ts"], {
    cwd: EXAMPLE,
    env: { PATH: process.env["PATH"], ...environment({ ...site, brokerSettings }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told = await said(child, '"ready"');
  const port = Number(/"ready".*"port":(\d+)/.exec(told)?.[1]);
  return { port, kill: () => stopped(child, "SIGKILL"), isRunning: () => child.exitCode === null };
}

export interface Wire extends Relay {
  /** From now on nothing that a client sends arrives. */
  cutUpwards(): void;
}

/**
 * A way to the broker. `breaksAt`: true for what a client sends, by which connection of all, that ends its connection before
 * it arrives.
 */
export async function openWire(
  brokerPort: number,
  breaksAt: (sent: Buffer, connection: number) => boolean = () => false,
): Promise<Wire> {
  let isCut = false;
  const relay = await openRelay(brokerPort, (sent, connection) => {
    if (breaksAt(sent, connection)) return "broken";
    return isCut ? "swallowed" : "on";
  });
  return {
    ...relay,
    cutUpwards: () => {
      isCut = true;
    },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

/** Asks a copy's API. */
export async function ask(
  copy: Pick<Service, "port">,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${copy.port}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
