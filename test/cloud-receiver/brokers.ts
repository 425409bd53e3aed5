/** Brokers as Debian has them, each in a folder and on ports of its own, to be killed and started again on what they left. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { freePort } from "../free-ports.ts";
import { said, stopped } from "./servers.ts";
import { until } from "./until.ts";

export const BROKERS = ["mosquitto", "rabbitmq", "nats"] as const;
export type BrokerKind = (typeof BROKERS)[number];

/** What long tests run at. RabbitMQ takes ten seconds to start, a minute to start again: it comes with `CLOUD_BROKERS=all`. */
export const SOME_BROKERS: readonly BrokerKind[] =
  process.env["CLOUD_BROKERS"] === "all" ? BROKERS : ["mosquitto", "nats"];

/** Where a broker runs: an address that it listens at, and words before each command, such as those that enter a namespace. */
export interface Place {
  readonly host: string;
  readonly enter: readonly string[];
}

const LOOPBACK: Place = { host: "127.0.0.1", enter: [] };

export interface RealBroker extends AsyncDisposable {
  /** Where gateways reach it. */
  readonly mqttUrl: string;
  /** What the receiver's environment says of it. */
  readonly settings: Readonly<Record<string, string>>;
  /** As a power cut ends it. */
  kill(): Promise<void>;
  /** Resolves when it takes connections. */
  start(): Promise<void>;
}

/** How one kind is started, in its folder. */
export interface Recipe {
  readonly mqttUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What it says when it is ready. */
  readonly ready: string;
  /** A program that has to run beside it, and a command that succeeds when it is there. */
  readonly beside?: { readonly command: readonly string[]; readonly check: readonly string[] };
}

/** A broker that runs. The caller disposes it, and its data with it. */
export async function startBroker(kind: BrokerKind, place: Place = LOOPBACK): Promise<RealBroker> {
  const folder = mkdtempSync(join(tmpdir(), `hemgate-${kind}-`));
  const recipe = await RECIPES[kind](folder, place);
  return await running(folder, recipe, place);
}

/** Starts what a recipe says. The folder is deleted with it. */
export async function running(folder: string, recipe: Recipe, place: Place = LOOPBACK): Promise<RealBroker> {
  const run = (command: readonly string[]): ChildProcess => {
    const [program = "", ...parameters] = [...place.enter, ...command];
    const env = { ...process.env, ...recipe.environment };
    return spawn(program, parameters, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  };
  const beside = recipe.beside === undefined ? null : run(recipe.beside.command);
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (child !== null) await stopped(child, "SIGKILL");
  };
  const start = async (): Promise<void> => {
    child = run(recipe.command);
    await said(child, recipe.ready);
  };
  const broker: RealBroker = {
    mqttUrl: recipe.mqttUrl,
    settings: recipe.settings,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill();
      if (beside !== null) await stopped(beside, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    if (recipe.beside !== undefined) await until(() => succeeds([...place.enter, ...(recipe.beside?.check ?? [])]));
    await start();
    return broker;
  } catch (error) {
    await broker[Symbol.asyncDispose]();
    throw error;
  }
}

const RECIPES: Readonly<Record<BrokerKind, (folder: string, place: Place) => Promise<Recipe>>> = {
  async mosquitto(folder, { host }) {
    const port = await freePort();
    const lines = [`listener ${port} ${host}`, "allow_anonymous true", "max_inflight_messages 64"];
    writeFileSync(join(folder, "mosquitto.conf"), `${lines.join("\n")}\n`);
    const mqttUrl = `mqtt://${host}:${port}`;
    const command = ["mosquitto", "-c", join(folder, "mosquitto.conf")];
    return { mqttUrl, settings: { MQTT_URL: mqttUrl }, command, ready: "running" };
  },

  async nats(folder, { host }) {
    const [port, mqttPort] = [await freePort(), await freePort()];
    const lines = [
      "server_name: hemgate",
      `listen: "${host}:${port}"`,
      `jetstream { store_dir: "${join(folder, "jetstream")}" }`,
      `mqtt { listen: "${host}:${mqttPort}", no_auth_user: gateway }`,
      'authorization { users = [{ user: receiver, password: "p@ss" }, { user: gateway, password: none }] }',
    ];
    writeFileSync(join(folder, "nats.conf"), `${lines.join("\n")}\n`);
    return {
      mqttUrl: `mqtt://${host}:${mqttPort}`,
      settings: { NATS_URL: `nats://receiver:p%40ss@${host}:${port}` },
      command: ["nats-server", "-c", join(folder, "nats.conf")],
      ready: "Server is ready",
    };
  },

  async rabbitmq(folder, { host }) {
    const [port, mqttPort] = [await freePort(), await freePort()];
    const lines = [
      `listeners.tcp.1 = ${host}:${port}`,
      `mqtt.listeners.tcp.1 = ${host}:${mqttPort}`,
      "mqtt.allow_anonymous = true",
      // Its user may come from loopback only, unless it is said.
      "loopback_users = none",
    ];
    writeFileSync(join(folder, "rabbitmq.conf"), `${lines.join("\n")}\n`);
    writeFileSync(join(folder, "enabled_plugins"), "[rabbitmq_mqtt].\n");
    return {
      mqttUrl: `mqtt://${host}:${mqttPort}`,
      settings: { AMQP_URL: `amqp://guest:guest@${host}:${port}` },
      ...(await rabbitmqIn(folder, { plugins: ["mqtt"] })),
    };
  },
};

/** RabbitMQ with `rabbitmq.conf` and `enabled_plugins` of a folder, which its data go to. */
export async function rabbitmqIn(folder: string, { plugins }: { readonly plugins: readonly string[] }) {
  const [nodePort, epmdPort] = [await freePort(), await freePort()];
  const epmd = ["epmd", "-port", String(epmdPort)];
  const environment = {
    HOME: folder,
    // The server takes the place of the script that starts it, so that it is what is killed.
    RUNNING_UNDER_SYSTEMD: "1",
    ERL_EPMD_PORT: String(epmdPort),
    RABBITMQ_NODENAME: `hemgate${nodePort}@localhost`,
    RABBITMQ_DIST_PORT: String(nodePort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1}",
    RABBITMQ_MNESIA_BASE: join(folder, "mnesia"),
    RABBITMQ_LOG_BASE: join(folder, "log"),
    RABBITMQ_LOGS: "-",
    RABBITMQ_CONF_ENV_FILE: "/dev/null",
    RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq.conf"),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, "advanced.config"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "enabled_plugins"),
    RABBITMQ_PLUGINS_DIR: fewPlugins(folder, plugins),
  };
  return {
    command: ["/usr/lib/rabbitmq/bin/rabbitmq-server"],
    environment,
    ready: "Server startup complete",
    // It would start one itself that outlives it.
    beside: { command: [...epmd, "-address", "127.0.0.1"], check: [...epmd, "-names"] },
  };
}

function succeeds([program = "", ...parameters]: readonly string[]): boolean {
  return spawnSync(program, parameters, { stdio: "ignore" }).status === 0;
}

/** A folder with the plugins that are used: RabbitMQ looks through all that are installed at each start, for ten seconds. */
function fewPlugins(folder: string, plugins: readonly string[]): string {
  const installed = globSync("/usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins").toSorted().at(-1);
  if (installed === undefined) throw new Error("RabbitMQ is not installed; see test/peers/setup.sh");
  const few = join(folder, "plugins");
  mkdirSync(few);
  for (const name of readdirSync(installed)) {
    const isUsed =
      !name.startsWith("rabbitmq_") || ["prelaunch", ...plugins].some((each) => name.startsWith(`rabbitmq_${each}-`));
    if (isUsed && existsSync(join(installed, name, "ebin"))) symlinkSync(join(installed, name), join(few, name));
  }
  const names = readdirSync(few);
  const missing = plugins.find((each) => !names.some((name) => name.startsWith(`rabbitmq_${each}-`)));
  if (missing !== undefined) throw new Error(`${basename(dirname(installed))} has no plugin rabbitmq_${missing}`);
  return few;
}
