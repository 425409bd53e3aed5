/** A stranger's client, Debian's mbpoll on libmodbus, reads and writes the sandbox's devices through the Modbus proxy. */
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
const UNITS = { inverter: 11, meter: 12, charger: 13 } as const;
const OWN_UNITS = { inverter: 1, meter: 1, charger: 255 } as const;
type Device = keyof typeof UNITS;
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), "hemgate-proxy-"));
const stack = new AsyncDisposableStack();
let ports: Record<Device | "proxy" | "reader", number>;
let gateway: Gateway;
let reader: Gateway;

/** Runs mbpoll; what it prints, also when it fails. Types: 4 holding, 3 input; `:float` takes two registers. */
async function mbpoll(port: number, unit: number, more: string): Promise<string> {
  const args = `-m tcp -p ${port} -a ${unit} -0 -1 -o 2 ${more}`.split(" ");
  const { stdout, stderr } = await run("mbpoll", args).catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}${stderr}`;
}

/** The registers that mbpoll reads; throws with what it says instead. */
async function read(port: number, unit: number, type: string, address: number, count: number) {
  const text = await mbpoll(port, unit, `-t ${type} -r ${address} -c ${count} -B 127.0.0.1`);
  const values = [...text.matchAll(/^\[\d+\]:\s+(-?[0-9.]+)/gm)].map((match) => Number(match[1]));
  if (values.length !== count) throw new Error(text);
  return values;
}

async function startGateway(stateFolder: string, devices: readonly object[], modbusProxy: object): Promise<Gateway> {
  const platform = nodePlatform({ stateFolder, logLevel: "error", isPretty: false, fd: 2 });
  const config = configSchema([modbusAdapter]).parse({ http: { host: "127.0.0.1", port: 0 }, devices, modbusProxy });
  return stack.use(await createGateway({ platform, config, adapters: [modbusAdapter] }));
}

function isAnswering({ engine }: Gateway): boolean {
  return engine.devices().every(({ isReachable, points }) => isReachable && points.length > 0);
}

beforeAll(async () => {
  const names = ["inverter", "meter", "charger", "proxy", "reader"] as const;
  const free: [string, number][] = [];
  for (const name of names) free.push([name, await freePort()]);
  ports = Object.fromEntries(free) as typeof ports;
  const { clock } = nodePlatform({ stateFolder: folder, logLevel: "error", isPretty: false, fd: 2 });
  const home = stack.use(
    await startSandboxHome({ clock, random: new SeededRandom(7), serve: "real", ports, startMs: NOON_MS }),
  );
  const devices = home.devices.map((device) => ({ ...device, pollMs: POLL_MS }));
  const proxied = Object.entries(UNITS).map(([device, unit]) => ({ device, unit }));
  gateway = await startGateway(join(folder, "gateway"), devices, {
    hosts: ["127.0.0.1"],
    port: ports.proxy,
    devices: proxied,
    clients: [{ address: "127.0.0.1", name: "mbpoll", mayWrite: ["meter"] }],
  });
  await vi.waitUntil(() => isAnswering(gateway), PATIENCE);
  home.pause();
}, 120_000);

afterAll(async () => {
  await stack.disposeAsync();
  rmSync(folder, { recursive: true });
});

test.each([
  ["inverter", "4", 40_000, 69],
  ["inverter", "4", 40_069, 125],
  ["meter", "3", 0, 80],
  ["meter", "3:float", 52, 1],
  ["charger", "4:int", 1_020, 1],
] as const)(
  "mbpoll reads of the %s what it reads directly (table %s, %i, %i registers)",
  async (device, type, address, count) => {
    const direct = await read(ports[device], OWN_UNITS[device], type, address, count);
    expect(await read(ports.proxy, UNITS[device], type, address, count)).toEqual(direct);
    // Again, from what was just read.
    expect(await read(ports.proxy, UNITS[device], type, address, count)).toEqual(direct);
  },
);

test("an exception of the device, an unknown unit and a write that is not allowed say so in libmodbus' words", async () => {
  expect(await mbpoll(ports.proxy, UNITS.inverter, "-t 4 -r 100 -c 2 127.0.0.1")).toContain("Illegal data address");
  expect(await mbpoll(ports.proxy, 77, "-t 4 -r 0 -c 2 127.0.0.1")).toContain("Gateway path unavailable");
  expect(await mbpoll(ports.proxy, UNITS.charger, "-t 4 -r 5004 127.0.0.1 16000")).toContain("Illegal function");
  const [newest] = gateway.engine.services.audit.list();
  expect(newest).toMatchObject({
    who: { kind: "program", id: "127.0.0.1", name: "mbpoll" },
    path: "modbus unit 13 (charger), function 6, holding register 5004 = 16000: it may not write to this device",
    outcome: "refused",
  });
});

test("another gateway reads the inverter through the proxy as if it were the device", async () => {
  reader = await startGateway(
    join(folder, "reader"),
    [
      {
        id: "inverter",
        adapter: "modbus",
        host: "127.0.0.1",
        port: ports.proxy,
        unit: UNITS.inverter,
        profile: "sunspec",
      },
    ],
    { hosts: ["127.0.0.1"], port: ports.reader, devices: [{ device: "inverter", unit: 1 }] },
  );
  await vi.waitUntil(() => isAnswering(reader), PATIENCE);
  const pointOf = ({ engine }: Gateway, point: string) =>
    engine
      .devices()
      .find(({ id }) => id === "inverter")
      ?.points.find((each) => each.point === point)?.value;
  for (const point of ["battery.soc", "inverter.energy"]) {
    await vi.waitFor(() => expect(pointOf(reader, point)).toBe(pointOf(gateway, point)), PATIENCE);
    expect(pointOf(reader, point)).toBeGreaterThan(0);
  }
  expect(gateway.engine.devices().every(({ isReachable }) => isReachable)).toBe(true);
});
