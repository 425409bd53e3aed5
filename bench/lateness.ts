/**
 * Lateness of the other devices with one that is dead, slow or lying in the same gateway: twenty meters at 1 Hz over
 * real loopback sockets in this process, from the instant at which a read is due until its readings are there. Also: the
 * API answers although a device is dead from the start, and the last value of one that died is in no sum.
 *
 *   node --conditions=source bench/lateness.ts [SECONDS] [ROUNDS]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, type Driver, defineAdapter } from "hemgate/sdk";
import { z } from "zod";
import { ModbusBus } from "../adapters/modbus/bus/modbus-bus.ts";
import type { DeviceMap } from "../adapters/modbus/driver/device-map.ts";
import { ModbusDriver } from "../adapters/modbus/driver/modbus-driver.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway, type Gateway } from "../src/gateway.ts";
import { nodePlatform } from "../src/platform/node/node-platform.ts";

const SECONDS = Number(process.argv[2] ?? 20);
const ROUNDS = Number(process.argv[3] ?? 3);
const OTHERS = 20;
const PERIOD_MS = 1_000;
const WARM_UP_MS = 3_000;
/** A slow device answers so late, which is within what a unit has. */
const SLOW_MS = 900;
/** Power of each device, W, and of the odd one: a sum tells whether it is in it. */
const POWER_W = 1_000;
const ODD_POWER_W = 7;
/** So soon the last value of a dead device has to be out of the house's sum. */
const FORGOTTEN_MS = 90_000;
const ODD = "odd";

type Manner = "well" | "dead from the start" | "dies" | "slow" | "garbage" | "wrong transaction" | "half an answer";
const MANNERS: readonly Manner[] = [
  "well",
  "dead from the start",
  "dies",
  "slow",
  "garbage",
  "wrong transaction",
  "half an answer",
];

const identity = { manufacturer: null, model: null, serial: null, version: null };
const map: DeviceMap = {
  identity,
  vendors: ["MODBUS"],
  registers: [{ key: "meter.power", type: "int16", table: "holding", address: 0, poll: "fast" }],
  derived: [],
  controls: [],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
};

/** A device that answers each read of one register in its manner. */
class Meter {
  manner: Manner = "well";
  readonly #powerW: number;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer({ noDelay: true }, (socket) => {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (request) => this.#answer(socket, request));
  });

  constructor(powerW: number) {
    this.#powerW = powerW;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #answer(socket: Socket, request: Buffer): void {
    const right = Buffer.from([
      request[0] ?? 0,
      request[1] ?? 0,
      0,
      0,
      0,
      5,
      request[6] ?? 0,
      3,
      2,
      this.#powerW >> 8,
      this.#powerW & 0xff,
    ]);
    switch (this.manner) {
      case "well":
        socket.write(right);
        return;
      case "dead from the start":
      case "dies":
        return;
      case "slow":
        setTimeout(() => socket.write(right), SLOW_MS);
        return;
      case "garbage":
        socket.write(Buffer.alloc(400, 0x5a));
        return;
      case "wrong transaction":
        right[0] = (right[0] ?? 0) ^ 0x55;
        socket.write(right);
        return;
      case "half an answer":
        socket.write(right.subarray(0, 9));
        return;
      default:
        this.manner satisfies never;
    }
  }
}

/** Takes down how late the reads of a driver are. */
function timed(driver: Driver, clock: Clock, lateness: number[]): Driver {
  const read: Driver["read"] = async (scope, signal) => {
    const dueMs = Math.floor(clock.monotonicMs() / PERIOD_MS) * PERIOD_MS;
    const readings = await driver.read(scope, signal);
    if (scope === "due") lateness.push(clock.monotonicMs() - dueMs);
    return readings;
  };
  return Object.assign(Object.create(driver), {
    read,
    pollMs: driver.pollMs,
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  });
}

function adapterOf(lateness: number[]) {
  return defineAdapter({
    name: "meters",
    options: z.object({ port: z.int() }),
    start: (context) => ({
      connect: async (id, { port }) => {
        const bus = new ModbusBus(context, { kind: "tcp", host: "127.0.0.1", port });
        const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
        const driver = new ModbusDriver({ clock: context.clock, unit, map, pollMs: {}, resources: bus });
        return id === ODD ? driver : timed(driver, context.clock, lateness);
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  });
}

interface Measured {
  readonly lateness: readonly number[];
  /** From the start of the gateway to the API's first answer, ms. */
  readonly answerMs: number;
  /** From the death of the device until no sum has its last value, ms; of one that dies. */
  readonly forgottenMs: number | null;
}

async function run(manner: Manner): Promise<Measured> {
  const odd = new Meter(ODD_POWER_W);
  const meters = [odd, ...Array.from({ length: OTHERS }, () => new Meter(POWER_W))];
  if (manner === "dead from the start") odd.manner = manner;
  const ports = await Promise.all(meters.map((meter) => meter.listen()));
  const lateness: number[] = [];
  const adapter = adapterOf(lateness);
  const stateFolder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
  const platform = nodePlatform({ stateFolder, logLevel: "error", isPretty: false, fd: 2 });
  const devices = ports.map((port, at) => ({ id: at === 0 ? ODD : `meter-${at}`, adapter: "meters", port }));
  const config = configSchema([adapter]).parse({ http: { host: "127.0.0.1", port: 0 }, devices });
  const startedMs = performance.now();
  try {
    await using gateway = await createGateway({ platform, config, adapters: [adapter] });
    await (await fetch(`${gateway.address}/health/ready`)).text();
    const answerMs = performance.now() - startedMs;
    await pause(WARM_UP_MS);
    if (manner === "dies") await until(() => isSummed(gateway) === true, FORGOTTEN_MS, "the sum lacks a living device");
    odd.manner = manner;
    const diedMs = performance.now();
    // What a device does wrong shows from its first failed read on.
    await pause(WARM_UP_MS);
    lateness.splice(0);
    await pause(SECONDS * 1_000);
    const measured = [...lateness];
    if (manner !== "dies") return { lateness: measured, answerMs, forgottenMs: null };
    await until(() => isSummed(gateway) === false, FORGOTTEN_MS, "the sum keeps the last value of a dead device");
    return { lateness: measured, answerMs, forgottenMs: performance.now() - diedMs };
  } finally {
    for (const meter of meters) meter.close();
    rmSync(stateFolder, { recursive: true });
  }
}

/** Whether the odd device is in what the house takes from the grid; null before anything was summed. */
function isSummed({ engine }: Gateway): boolean | null {
  const [power] = engine.services.housePowers.list();
  if (power === undefined) return null;
  return power.gridW !== null && power.gridW % POWER_W === ODD_POWER_W;
}

async function until(isSo: () => boolean, limitMs: number, otherwise: string): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(otherwise);
    await pause(100);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

const rounds = new Map<Manner, Measured[]>(MANNERS.map((manner) => [manner, []]));
// The first gateway of a process pays for loading and compiling.
await run("well");
for (let round = 0; round < ROUNDS; round += 1) {
  for (const manner of MANNERS) rounds.get(manner)?.push(await run(manner));
}
const middle = (manner: Manner, figure: (measured: Measured) => number): number =>
  quantile((rounds.get(manner) ?? []).map(figure), 0.5);
const base = middle("well", ({ lateness }) => quantile(lateness, 0.99));
console.log(`${OTHERS} meters at 1 Hz and one odd one; medians of ${ROUNDS} × ${SECONDS} s; Node ${process.version}`);
console.log(
  "| the odd one | late p50 | late p99 | to all well | reads a s | first answer of the API | out of the sum after |",
);
console.log("|---|---|---|---|---|---|---|");
for (const manner of MANNERS) {
  const [p50, p99] = [0.5, 0.99].map((share) => middle(manner, ({ lateness }) => quantile(lateness, share)));
  const forgottenMs = middle(manner, (measured) => measured.forgottenMs ?? Number.NaN);
  const cells = [
    manner,
    `${p50?.toFixed(1)} ms`,
    `${p99?.toFixed(1)} ms`,
    ((p99 ?? Number.NaN) / base).toFixed(2),
    (middle(manner, ({ lateness }) => lateness.length) / SECONDS).toFixed(1),
    `${middle(manner, ({ answerMs }) => answerMs).toFixed(0)} ms`,
    Number.isNaN(forgottenMs) ? "" : `${(forgottenMs / 1_000).toFixed(0)} s`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
process.exit(0);
