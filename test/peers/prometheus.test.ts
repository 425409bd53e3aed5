/**
 * Debian's Prometheus scrapes the gateway with the lines of config/prometheus.yml, and the answer of a simulated house that has
 * everything; each panel of the dashboards shows something of it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "hemgate/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { startSandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import { openRealHouse } from "../api/support/real-house.ts";
import { MINUTE } from "../engine/energy/energy-house.ts";
import { planHouse } from "../engine/energy/plan-house.ts";
import { freePort } from "../free-ports.ts";

const CONFIG = new URL("../../config/", import.meta.url);
const NOON_MS = Date.UTC(2026, 5, 21, 10);
const PATIENCE = { timeout: 60_000, interval: 250 };
/** A rate takes two scrapes. */
const SCRAPED = { timeout: 10_000, interval: 250 };
/** Expressions that have values in each house with these devices, whatever the time is. */
const ALWAYS = ["hemgate_house_power_watts", "hemgate_device_power_watts", "hemgate_ready", "hemgate_device_reachable"];

const folder = mkdtempSync(join(tmpdir(), "hemgate-prometheus-"));
const stack = new AsyncDisposableStack();
let prometheus: string;

interface Asked {
  readonly expr: string;
  readonly legendFormat: string;
}

/** What the panels of a dashboard ask for. */
function askedBy(name: string): readonly Asked[] {
  const board = JSON.parse(readFileSync(new URL(`grafana/${name}`, CONFIG), "utf8")) as {
    readonly panels: readonly { readonly targets: readonly Asked[] }[];
  };
  return board.panels.flatMap(({ targets }) => targets);
}

interface Scraped {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: readonly { readonly metric: Readonly<Record<string, string>> }[];
    readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
  };
}

async function ask(path: string): Promise<Scraped> {
  return (await (await fetch(`${prometheus}/api/v1/${path}`)).json()) as Scraped;
}

async function query(expression: string): Promise<Scraped> {
  return await ask(`query?query=${encodeURIComponent(expression)}`);
}

/** The metrics of a house with a plan, prices, a limit, a webhook and a command that ended. */
async function wholeHouseMetrics(): Promise<string> {
  const plan = planHouse();
  plan.home.devices["meter"]?.show("meter.energyImport", 1_000);
  await using house = await openRealHouse({ home: plan.home, maySetLimits: true });
  // Without the solver, so that nothing waits for loading it.
  house.run.process.platform.optimizer.solve = async () => ({ status: "failed", detail: "not here" });
  const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
  await house.ask({ method: "POST", url: "/users/home/locations", payload: place });
  await house.pass(80 * MINUTE);
  const hook = { url: "https://hooks.example/in", events: ["*"], secret: "s3cret-s3cret-s3cret" };
  await house.ask({ method: "POST", url: "/webhooks", payload: hook });
  await house.ask({ method: "PATCH", url: "/local/site", payload: { importKw: 11 } });
  await house.ask({ method: "PUT", url: "/local/energy/battery-use", payload: { isPlanned: true } });
  const { id } = (await house.ask({ url: "/chargers" })).json().data[0];
  await house.ask({ method: "POST", url: `/chargers/${id}/charging`, payload: { action: "STOP" } });
  await house.pass(2 * MINUTE);
  return (await house.ask({ url: "/metrics" })).body;
}

/** Serves a text to Prometheus; resolves with the address. */
async function serve(text: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/plain; version=0.0.4").end(text);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  stack.defer(() => void server.close());
  return `127.0.0.1:${port}`;
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
  const whole = { targets: [await serve(await wholeHouseMetrics())] };
  lines.scrape_configs.push({ job_name: "whole", scrape_interval: "1s", static_configs: [whole] });
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
    expect(data.activeTargets).toMatchObject(Array(2).fill({ health: "up", lastError: "" }));
    for (const expression of ALWAYS)
      expect([expression, (await query(`${expression}{job!="whole"}`)).data.result]).not.toEqual([expression, []]);
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

describe.each(readdirSync(new URL("grafana/", CONFIG)))("the dashboard %s", (name) => {
  test.each(askedBy(name))(
    "has values for $expr, with the labels of its legend",
    { timeout: 20_000 },
    async (asked) => {
      const labels = [...asked.legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
      // An alarm is only shown while it is on.
      const expression = asked.expr.replace(/ > 0$/, "");
      await vi.waitFor(async () => {
        const { status, error, data } = await query(expression);
        expect([expression, status, error]).toEqual([expression, "success", undefined]);
        const found = data.result
          .filter(({ metric }) => metric["job"] === "whole")
          .map(({ metric }) => Object.keys(metric));
        expect(found).not.toEqual([]);
        expect(labels.filter((label) => !found.every((own) => own.includes(label)))).toEqual([]);
      }, SCRAPED);
    },
  );
});

test("an expression that Prometheus does not know is told apart", async () => {
  expect(await query("hemgate_ready{")).toMatchObject({ status: "error" });
});
