/** What stands behind a fleet: Mosquitto, PostgreSQL as it comes, and copies of the example receiver, each on its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPool } from "../examples/cloud-receiver/src/database.ts";
import { openRelay } from "../test/cloud-receiver/relay.ts";
import { said, stopped } from "../test/cloud-receiver/servers.ts";
import { freePort } from "../test/free-ports.ts";

const EXAMPLE = new URL("../examples/cloud-receiver/", import.meta.url).pathname;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** Above what a thousand gateways have on their way at once: Mosquitto drops what is more. */
const QUEUED = 100_000;

export const PARTS = ["broker", "receivers", "database"] as const;
type Part = (typeof PARTS)[number];

export class FleetSite implements AsyncDisposable {
  readonly database: ReturnType<typeof openPool>;
  readonly databaseUrl: string;
  readonly brokerPort: number;
  readonly #folder: string;
  readonly #postgres: ChildProcess;
  readonly #copies: readonly ChildProcess[];
  readonly #warnings: { text: string };
  #broker: ChildProcess;

  private constructor(parts: {
    folder: string;
    databaseUrl: string;
    brokerPort: number;
    postgres: ChildProcess;
    broker: ChildProcess;
    copies: readonly ChildProcess[];
    warnings: { text: string };
  }) {
    this.#folder = parts.folder;
    this.databaseUrl = parts.databaseUrl;
    this.brokerPort = parts.brokerPort;
    this.#postgres = parts.postgres;
    this.#broker = parts.broker;
    this.#copies = parts.copies;
    this.#warnings = parts.warnings;
    this.database = openPool(parts.databaseUrl, 2);
  }

  static async open(copies: number): Promise<FleetSite> {
    const folder = mkdtempSync(join(tmpdir(), "hemgate-fleet-"));
    const { child: postgres, url: databaseUrl } = await startDatabase(folder);
    const brokerPort = await freePort();
    const broker = await startMosquitto(folder, brokerPort);
    const link = join(EXAMPLE, "node_modules/hemgate");
    if (!existsSync(link)) symlinkSync("../../..", link, "dir");
    const warnings = { text: "" };
    const receivers: ChildProcess[] = [];
    for (let copy = 0; copy < copies; copy += 1) receivers.push(await startCopy(brokerPort, databaseUrl, warnings));
    return new FleetSite({ folder, databaseUrl, brokerPort, postgres, broker, copies: receivers, warnings });
  }

  get brokerUrl(): string {
    return `mqtt://127.0.0.1:${this.brokerPort}`;
  }

  /** The last of what receivers complained of. */
  get warnings(): string {
    return this.#warnings.text;
  }

  async stopBroker(): Promise<void> {
    await stopped(this.#broker, "SIGKILL");
  }

  async startBroker(): Promise<void> {
    this.#broker = await startMosquitto(this.#folder, this.brokerPort);
  }

  /** Processor time of each part, ms. What a part that was started anew used before is not in it. */
  cpuMs(): Readonly<Record<Part, number>> {
    return {
      broker: cpuOf(this.#broker.pid),
      receivers: this.#copies.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      database: cpuOf(this.#postgres.pid) + childrenOf(this.#postgres.pid).reduce((sum, pid) => sum + cpuOf(pid), 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.end();
    for (const copy of this.#copies) await stopped(copy, "SIGKILL");
    await stopped(this.#broker, "SIGKILL");
    await stopped(this.#postgres, "SIGINT");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function startDatabase(folder: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const programs = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (programs === undefined) throw new Error("PostgreSQL is not installed; see test/peers/setup.sh");
  const number = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const user = process.getuid?.() === 0 ? { uid: number("-u"), gid: number("-g") } : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const as = { cwd: folder, ...user };
  const cluster = join(folder, "postgres");
  execFileSync(join(programs, "initdb"), ["-D", cluster, "-A", "trust", "-U", "postgres"], { ...as, stdio: "pipe" });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "shared_buffers=512MB", "max_wal_size=4GB"];
  const parameters = ["-D", cluster, "-k", folder, "-p", String(port), ...settings.flatMap((each) => ["-c", each])];
  const child = spawn(join(programs, "postgres"), parameters, { ...as, stdio: ["ignore", "ignore", "pipe"] });
  await said(child, "database system is ready to accept connections");
  child.stderr?.resume();
  return { child, url: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

async function startMosquitto(folder: string, port: number): Promise<ChildProcess> {
  const config = join(folder, "mosquitto.conf");
  const lines = [`listener ${port} 127.0.0.1`, "allow_anonymous true", "max_inflight_messages 64"];
  writeFileSync(config, [...lines, `max_queued_messages ${QUEUED}`, "user root", ""].join("\n"));
  const child = spawn("mosquitto", ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
  await said(child, "running");
  child.stderr?.resume();
  return child;
}

async function startCopy(brokerPort: number, databaseUrl: string, warnings: { text: string }): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--conditions=source", "src/main.ts"], {
    cwd: EXAMPLE,
    env: {
      PATH: process.env["PATH"],
      MQTT_URL: `mqtt://127.0.0.1:${brokerPort}`,
      DATABASE_URL: databaseUrl,
      HTTP_PORT: "0",
      API_TOKEN: "a token that is long enough",
      WORKERS: process.env["WORKERS"] ?? "4",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await said(child, '"ready"');
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (part: unknown) => {
      warnings.text = `${warnings.text}${part}`.slice(-2_000);
    });
  }
  return child;
}

function cpuOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    return ((user ?? 0) + (system ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number | undefined): readonly number[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return all.filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

export interface Meter extends AsyncDisposable {
  readonly url: string;
  readonly upBytes: number;
  readonly downBytes: number;
}

/** A way to the broker on which bytes are counted. */
export async function openMeter(brokerPort: number): Promise<Meter> {
  const counted = { upBytes: 0, downBytes: 0 };
  const relay = await openRelay(
    brokerPort,
    ({ length }) => {
      counted.upBytes += length;
      return "on";
    },
    ({ length }) => {
      counted.downBytes += length;
    },
  );
  return {
    url: relay.url,
    get upBytes() {
      return counted.upBytes;
    },
    get downBytes() {
      return counted.downBytes;
    },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}
