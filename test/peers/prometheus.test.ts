/** Debian's Prometheus scrapes the gateway with the lines of config/prometheus.yml, and answers what the dashboards ask it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "hemgate/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { startSandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import { freePort } from "../free-ports.ts";

const CONFIG = new URL("../../config/", import.meta.url);
const NOON_MS = Date.UTC(2026, 5, 21, 10);
const PATIENCE = { timeout: 60_000, interval: 250 };
/** Expressions that have values in each house with these devices, whatever the time is. */
const ALWAYS = ["hemgate_house_power_watts", "hemgate_device_power_watts", "hemgate_ready", "hemgate_device_reachable"];

const folder = mkdtempSync(join(tmpdir(), "hemgate-prometheus-"));
const stack = new AsyncDisposableStack();
let prometheus: string;

function expressionsOf(name: string): readonly string[] {
  const found: string[] = [];
  JSON.parse(readFileSync(new URL(`grafana/${name}`, CONFIG), "utf8"), (key, value: unknown) => {
    if (key === "expr") found.push(String(value));
    return value;
  });
  return found;
}

interface Scraped {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: readonly unknown[];
    readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
  };
}

async function ask(path: string): Promise<Scraped> {
  return (await (await fetch(`${prometheus}/api/v1/${path}`)).json()) as Scraped;
}

async function query(expression: string): Promise<Scraped> {
  return await ask(`query?query=${encodeURIComponent(expression)}`);
}

beforeAll(async () => {
  const platform = nodePlatform({ stateFolder: join(folder, "state"), logLevel: "error", isPretty: false, fd: 2 });
  const { clock } = platform;
  const ports = { inverter: await freePort(), meter: await freePort(), charger: await freePort() };
  const random = new SeededRandom(7);
  const home = stack.use(await startSandboxHome({ clock, random, serve: "real", ports, startMs: NOON_MS }));
  const host = `127.0.0.1:${await freePort()}`;
  const http = { host: "127.0.0.1", port: Number(host.split(":")[1]) };
  const config = configSchema([modbusAdapter]).parse({ http, devices: home.devices });
  const gateway = stack.use(await createGateway({ platform, config, adapters: [modbusAdapter] }));
  const { id, secret } = await gateway.createClient("prometheus");

  const lines = parse(readFileSync(new URL("prometheus.yml", CONFIG), "utf8"));
  const [job] = lines.scrape_configs;
  job.scrape_interval = "1s";
  job.static_configs[0].targets = [host];
  Object.assign(job.oauth2, { client_id: id, client_secret: secret, token_url: `http://${host}/oauth2/token` });
  const file = join(folder, "prometheus.yml");
  writeFileSync(file, stringify(lines));
  const listens = `127.0.0.1:${await freePort()}`;
  prometheus = `http://${listens}`;
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${listens}`];
  const child = spawn("prometheus", options, { stdio: "ignore" });
  stack.defer(async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  await vi.waitFor(async () => {
    const { data } = await ask("targets");
    expect(data.activeTargets).toMatchObject([{ health: "up", lastError: "" }]);
    for (const expression of ALWAYS)
      expect([expression, (await query(expression)).data.result]).not.toEqual([expression, []]);
  }, PATIENCE);
}, 90_000);

afterAll(async () => {
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

test("promtool takes the lines as they are published", () => {
  const file = new URL("prometheus.yml", CONFIG).pathname;
  expect(execFileSync("promtool", ["check", "config", file], { encoding: "utf8" })).toContain("is valid");
});

test.each(readdirSync(new URL("grafana/", CONFIG)))(
  "Prometheus takes each expression of the dashboard %s",
  async (name) => {
    const expressions = expressionsOf(name);
    expect(expressions.length).toBeGreaterThan(5);
    for (const expression of expressions) {
      const { status, error } = await query(expression);
      expect([expression, status, error]).toEqual([expression, "success", undefined]);
    }
  },
);

test("an expression that Prometheus does not know is told apart", async () => {
  expect(await query("hemgate_ready{")).toMatchObject({ status: "error" });
});
