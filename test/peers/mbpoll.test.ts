/** A stranger's client, Debian's mbpoll, looks into the sandbox home and sees what the API says. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SeededRandom } from "hemgate/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { startSandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import { freePort } from "../free-ports.ts";

/** 2026-06-21T10:00Z: daylight at the sandbox's place. */
const NOON_MS = Date.UTC(2026, 5, 21, 10);
const POLL_MS = { fast: 500, normal: 1_000, slow: 2_000 };
const PATIENCE = { timeout: 30_000, interval: 200 };
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), "hemgate-mbpoll-"));
const stack = new AsyncDisposableStack();
let ports: { readonly inverter: number; readonly meter: number; readonly charger: number };
let gateway: Gateway;
let token: string;

async function get(url: string) {
  const answer = await fetch(`${gateway.address}${url}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: Record<string, Record<string, unknown>>[] };
  return data[0]!;
}

/** What mbpoll prints for one value. Types: 4 holding, 3 input; `:int` and `:float` take two registers. */
async function mbpoll(device: keyof typeof ports, unit: number, type: string, address: number): Promise<number> {
  const values = `-m tcp -p ${ports[device]} -a ${unit} -0 -r ${address} -c 1 -t ${type} -B -1 -q 127.0.0.1`;
  const { stdout } = await run("mbpoll", values.split(" "));
  const found = stdout.match(new RegExp(`^\\[${address}\\]:\\s+(-?[0-9.]+)`, "m"));
  if (found?.[1] === undefined) throw new Error(`mbpoll ${values} said:\n${stdout}`);
  return Number(found[1]);
}

function allPoints(): readonly { readonly atMs: number }[] {
  const statuses = gateway.engine.devices();
  // A device that did not connect has no points, and nothing to compare.
  if (statuses.some(({ points }) => points.length === 0)) return [{ atMs: 0 }];
  return statuses.flatMap(({ points }) => points);
}

async function signIn(): Promise<string> {
  const { id, secret } = await gateway.createClient("mbpoll");
  const answer = await fetch(`${gateway.address}/oauth2/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}

beforeAll(async () => {
  ports = { inverter: await freePort(), meter: await freePort(), charger: await freePort() };
  const platform = nodePlatform({ stateFolder: folder, logLevel: "error", isPretty: false, fd: 2 });
  const { clock } = platform;
  const home = stack.use(
    await startSandboxHome({ clock, random: new SeededRandom(7), serve: "real", ports, startMs: NOON_MS }),
  );
  const devices = home.devices.map((device) => ({ ...device, pollMs: POLL_MS }));
  const config = configSchema([modbusAdapter]).parse({ http: { host: "127.0.0.1", port: 0 }, devices });
  gateway = stack.use(await createGateway({ platform, config, adapters: [modbusAdapter] }));
  token = await signIn();
  await vi.waitUntil(() => home.truth().carW > 10_000, PATIENCE);
  home.pause();
  const pausedMs = clock.nowMs();
  await vi.waitUntil(() => allPoints().every(({ atMs }) => atMs > pausedMs), PATIENCE);
}, 120_000);

afterAll(async () => {
  await stack.disposeAsync();
  rmSync(folder, { recursive: true });
});

test("mbpoll reads the inverter's four inputs", async () => {
  const [first, second, charging, discharging] = [
    await mbpoll("inverter", 1, "4", 40_274),
    await mbpoll("inverter", 1, "4", 40_294),
    await mbpoll("inverter", 1, "4", 40_314),
    await mbpoll("inverter", 1, "4", 40_334),
  ];
  const { productionState } = await get("/inverters");
  const { chargeState } = await get("/batteries");
  expect(productionState!.productionRate).toBeCloseTo((first + second) / 10_000, 3);
  expect(productionState!.productionRate).toBeGreaterThan(0.1);
  expect(chargeState!.chargeRate).toBeCloseTo((charging - discharging) / 10_000, 3);
  expect(Math.abs(charging - discharging)).toBeGreaterThan(1_000);
});

test("the counters of the two strings", async () => {
  const wh = (await mbpoll("inverter", 1, "4:int", 40_275)) + (await mbpoll("inverter", 1, "4:int", 40_295));
  expect((await get("/inverters")).productionState!.totalLifetimeProduction).toBeCloseTo(wh / 1_000, 3);
});

test("the battery's charge, reserve and size", async () => {
  const { chargeState } = await get("/batteries");
  expect(chargeState).toMatchObject({
    batteryLevel: (await mbpoll("inverter", 1, "4", 40_351)) / 100,
    dischargeLimit: (await mbpoll("inverter", 1, "4", 40_350)) / 100,
    batteryCapacity: (await mbpoll("inverter", 1, "4", 40_140)) / 100,
  });
});

test("mbpoll reads the meter's power", async () => {
  const watts = await mbpoll("meter", 1, "3:float", 52);
  expect((await get("/meters")).energyState!.power).toBeCloseTo(watts / 1_000, 3);
  expect(Math.abs(watts)).toBeGreaterThan(100);
});

test("the charger's power and current limit", async () => {
  // The energy manager of the sandbox home starts the car, and follows the sun.
  const compare = async (): Promise<void> => {
    const { chargeState } = await get("/chargers");
    expect(chargeState).toMatchObject({ powerDeliveryState: "PLUGGED_IN:CHARGING", isCharging: true });
    expect(chargeState!.chargeRate).toBeCloseTo((await mbpoll("charger", 255, "4:int", 1020)) / 1_000_000, 3);
    expect(chargeState!.maxCurrent).toBe((await mbpoll("charger", 255, "4:int", 1100)) / 1_000);
  };
  await vi.waitFor(compare, { timeout: 180_000, interval: 500 });
});
