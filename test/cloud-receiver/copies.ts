/** Copies of the receiver, in this process and in ones of their own. */
import { spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { Configuration } from "../../examples/cloud-receiver/src/configuration.ts";
import { lineLog } from "../../examples/cloud-receiver/src/log.ts";
import { type Service, startService } from "../../examples/cloud-receiver/src/service.ts";
import { freePort, type Server, said, startMosquitto, stopped } from "./servers.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";

const TOKEN = "a token that is long enough";
const EXAMPLE = new URL("../../examples/cloud-receiver/", import.meta.url).pathname;

export interface Site extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly brokerUrl: string;
  readonly brokerPort: number;
  /** Ends the broker, and starts it anew. */
  restartBroker(): Promise<void>;
}

/** A broker and an empty database. */
export async function openSite(): Promise<Site> {
  const database = await testDatabase();
  const brokerPort = await freePort();
  let broker: Server = await startMosquitto(brokerPort);
  return {
    database,
    brokerPort,
    brokerUrl: broker.url,
    async restartBroker() {
      await broker[Symbol.asyncDispose]();
      broker = await startMosquitto(brokerPort);
    },
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

function environment({ database, brokerUrl }: Site): Record<string, string> {
  return { MQTT_URL: brokerUrl, DATABASE_URL: database.url, HTTP_PORT: "0", API_TOKEN: TOKEN, WORKERS: "2" };
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

export interface CopyProcess {
  /** As a power cut ends it. */
  kill(): Promise<void>;
}

export async function spawnCopy(site: Site, brokerUrl: string = site.brokerUrl): Promise<CopyProcess> {
  const child = spawn(process.execPath, ["--conditions=source", "src/main.ts"], {
    cwd: EXAMPLE,
    env: { PATH: process.env["PATH"], ...environment({ ...site, brokerUrl }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await said(child, '"ready"');
  return { kill: () => stopped(child, "SIGKILL") };
}

export interface Wire extends AsyncDisposable {
  readonly url: string;
  /** From now on nothing that a client sends arrives. */
  cutUpwards(): void;
}

/** A way to the broker. */
export async function openWire(brokerPort: number): Promise<Wire> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(brokerPort, "127.0.0.1");
    for (const socket of [client, broker]) sockets.add(socket.on("error", () => undefined));
    client.on("data", (bytes) => isCut || broker.write(bytes));
    broker.on("data", (bytes) => client.write(bytes));
    client.on("close", () => broker.destroy());
    broker.on("close", () => client.destroy());
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `mqtt://127.0.0.1:${port}`,
    cutUpwards: () => {
      isCut = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Asks a copy's API. */
export async function ask(copy: Service, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${copy.port}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
