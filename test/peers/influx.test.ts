/** A real InfluxDB 1.6 of Debian takes what the gateway sends, with an account that may only write, also after it was away. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom, TestLog, VirtualClock } from "hemgate/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DeviceStatus } from "../../src/engine/contracts/engine.ts";
import type { HemPower } from "../../src/engine/contracts/hem.ts";
import { nodeHttp } from "../../src/platform/node/http/node-http.ts";
import { InfluxPush } from "../../src/sync/influx/influx-push.ts";
import { freePort } from "../free-ports.ts";

const START_MS = Date.UTC(2026, 5, 21, 10);
const INTERVAL_MS = 10_000;
const PATIENCE = { timeout: 30_000, interval: 50 };
/** What has a meaning in the line protocol. */
const ODD = 'west roof, "2=b\\c"';
const PASSWORD = "of the test";

const folder = mkdtempSync(join(tmpdir(), "hemgate-influx-"));
let url: string;
let server: ChildProcess;

async function ask(q: string): Promise<Response> {
  const headers = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}` };
  const body = new URLSearchParams({ q, db: "home", epoch: "ms" });
  return await fetch(`${url}/query`, { method: "POST", headers, body });
}

/** The rows of a query, each with the names of its columns. */
async function rows(q: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { results } = (await (await ask(q)).json()) as {
    readonly results: readonly {
      readonly series?: readonly { readonly columns: readonly string[]; readonly values: readonly unknown[][] }[];
    }[];
  };
  const [series] = results[0]?.series ?? [];
  return (series?.values ?? []).map((row) => Object.fromEntries(row.map((value, at) => [series?.columns[at], value])));
}

async function startServer(): Promise<void> {
  server = spawn("influxd", ["-config", join(folder, "influxdb.conf")], { stdio: "ignore" });
  await vi.waitFor(async () => expect((await fetch(`${url}/ping`)).status).toBe(204), PATIENCE);
}

async function stopServer(): Promise<void> {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  await ended;
}

beforeAll(async () => {
  const [http, backup] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${http}`;
  writeFileSync(
    join(folder, "influxdb.conf"),
    `reporting-disabled = true
bind-address = "127.0.0.1:${backup}"
[meta]
dir = "${folder}/meta"
[data]
dir = "${folder}/data"
wal-dir = "${folder}/wal"
[http]
bind-address = "127.0.0.1:${http}"
auth-enabled = true
log-enabled = false
`,
  );
  await startServer();
  for (const statement of [
    `CREATE USER admin WITH PASSWORD '${PASSWORD}' WITH ALL PRIVILEGES`,
    "CREATE DATABASE home",
    "CREATE USER hemgate WITH PASSWORD 'p&ss word'",
    "GRANT WRITE ON home TO hemgate",
  ]) {
    expect([statement, (await ask(statement)).status]).toEqual([statement, 200]);
  }
}, 60_000);

afterAll(async () => {
  await stopServer();
  rmSync(folder, { recursive: true, force: true });
});

/** A push of readings that carry the second at which they were taken as their power. */
function openPush(password: string) {
  const clock = new VirtualClock({ startMs: START_MS });
  const battery = (): Pick<DeviceStatus, "id" | "points"> => {
    const atMs = clock.nowMs();
    const points = [
      { point: "battery.power", value: -(atMs - START_MS) / 1_000, atMs },
      { point: "battery.soc", value: 55.5, atMs },
      { point: "battery.mode", value: "SELF_RELIANCE", atMs },
      { point: "battery.capacity", value: null, atMs },
    ] as const;
    return { id: ODD, points };
  };
  const house: HemPower = {
    hemSystemId: "house-1",
    userId: "owner",
    atMs: START_MS,
    gridW: 300,
    generationW: null,
    batteryW: -10,
    loadW: 290,
    loadFrom: "balance",
  };
  const push = new InfluxPush(
    { url, database: "home", username: "hemgate", password, intervalSeconds: 10, maxWaitingMegabytes: 1 },
    {
      clock,
      log: new TestLog(),
      http: nodeHttp(),
      random: new SeededRandom(1),
      engine: {
        devices: () => [battery() as DeviceStatus],
        services: { housePowers: { list: () => [house], observe: () => ({ [Symbol.dispose]: () => undefined }) } },
      },
    },
  );
  return { push, clock };
}

test("readings arrive with their times, names and units, and what was read while the server was away follows", async () => {
  const { push, clock } = openPush("p&ss word");
  await using _ = push;
  await clock.advance(INTERVAL_MS);
  await vi.waitFor(() => expect(push.figures()).toMatchObject({ waiting: 0, rejected: 0, failures: 0 }), PATIENCE);
  expect(await rows("SELECT * FROM battery")).toEqual([
    { time: START_MS + INTERVAL_MS, device: ODD, power_w: -10, soc_percent: 55.5, mode: "SELF_RELIANCE" },
  ]);
  expect(await rows("SELECT * FROM house")).toEqual([
    { time: START_MS, system: "house-1", grid_w: 300, battery_w: -10, load_w: 290 },
  ]);

  await stopServer();
  await clock.advance(INTERVAL_MS);
  await vi.waitFor(() => expect(push.figures().failures).toBeGreaterThan(0), PATIENCE);
  await clock.advance(INTERVAL_MS);
  expect(push.figures().waiting).toBeGreaterThan(0);
  await startServer();
  await vi.waitFor(async () => {
    await clock.advance(INTERVAL_MS);
    const times = (await rows("SELECT power_w FROM battery")).map(({ time }) => Number(time) - START_MS);
    expect(times.length).toBeGreaterThan(4);
    // None is missing and none is there twice.
    expect(times).toEqual(times.map((_unused, index) => (index + 1) * INTERVAL_MS));
  }, PATIENCE);
  expect(push.figures()).toMatchObject({ dropped: 0, rejected: 0 });
}, 60_000);

test("an account that may not write is named as the reason, and the lines wait", async () => {
  const { push, clock } = openPush("another");
  await using _ = push;
  await clock.advance(INTERVAL_MS);
  await vi.waitFor(() => expect(push.figures().lastError).toContain("401"), PATIENCE);
  expect(push.figures()).toMatchObject({ sent: 0, dropped: 0 });
  expect(push.figures().waiting).toBeGreaterThan(0);
}, 60_000);
