/**
 * The gateway of `poll-load.ts`, in a process of its own: the whole of it, with its store on the disk and its API.
 * Arguments: port of the devices, devices, blocks, registers a block. On SIGTERM it prints the lateness of each poll.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, type Driver, defineAdapter, type RegisterPoint } from "hemgate/sdk";
import { z } from "zod";
import { ModbusBus } from "../adapters/modbus/bus/modbus-bus.ts";
import type { DeviceMap } from "../adapters/modbus/driver/device-map.ts";
import { ModbusDriver } from "../adapters/modbus/driver/modbus-driver.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway } from "../src/gateway.ts";
import { nodePlatform } from "../src/platform/node/node-platform.ts";

const PERIOD_MS = 1_000;
/** Blocks stand so far apart that no two are read as one. */
const BLOCK_STEP = 1_000;
const NAMED = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"] as const;

const [port = 0, devices = 0, blocks = 0, registers = 0] = process.argv.slice(2).map(Number);
/** From the instant at which a poll was due until its readings were there, ms. */
const lateness: number[] = [];

const identity = { manufacturer: null, model: null, serial: null, version: null };
const points = Array.from({ length: blocks }, (_, block) =>
  Array.from({ length: registers / 2 }, (_unused, index): RegisterPoint<string> => {
    const key = (index === 0 ? NAMED[block] : undefined) ?? `raw.${block}.${index}`;
    return { key, type: "int32", table: "holding", address: block * BLOCK_STEP + 2 * index, poll: "fast", scale: 0.01 };
  }),
).flat();
const limits = { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false };
const map: DeviceMap = { identity, vendors: ["MODBUS"], registers: points, derived: [], controls: [], limits };

/** A driver whose reads are timed against the grid that all polls lie on. */
function timed(driver: Driver, clock: Clock): Driver {
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

const adapter = defineAdapter({
  name: "registers",
  options: z.object({ host: z.string() }),
  start: (context) => ({
    connect: async (_id, { host }) => {
      const bus = new ModbusBus(context, { kind: "tcp", host, port });
      const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
      return timed(new ModbusDriver({ clock: context.clock, unit, map, pollMs: {}, resources: bus }), context.clock);
    },
    [Symbol.asyncDispose]: async () => undefined,
  }),
});

const stateFolder = mkdtempSync(join(tmpdir(), "hemgate-bench-"));
const platform = nodePlatform({ stateFolder, logLevel: "error", isPretty: false, fd: 2 });
const config = configSchema([adapter]).parse({
  http: { host: "127.0.0.1", port: 0 },
  devices: Array.from({ length: devices }, (_, at) => ({
    id: `device-${at}`,
    adapter: "registers",
    host: `127.0.0.${2 + at}`,
  })),
});
const gateway = await createGateway({ platform, config, adapters: [adapter] });
process.stdout.write("polling\n");
// The first seconds are the connecting and the compiling.
process.once("SIGUSR2", () => lateness.splice(0));
await new Promise((resolve) => process.once("SIGTERM", resolve));
const told = JSON.stringify({ lateness });
await gateway[Symbol.asyncDispose]();
rmSync(stateFolder, { recursive: true });
process.stdout.write(`${told}\n`, () => process.exit(0));
