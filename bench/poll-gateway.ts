/**
 * The gateway of `poll-load.ts`, in a process of its own: the whole of it, with its store on the disk and its API.
 * Arguments: port of the devices, devices, blocks, registers a block, requests in flight a device (1). On SIGTERM it
 * prints the lateness of each poll.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, type Driver, defineAdapter } from "hemgate/sdk";
import { z } from "zod";
import { ModbusBus } from "../adapters/modbus/bus/modbus-bus.ts";
import { ModbusDriver } from "../adapters/modbus/driver/modbus-driver.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway } from "../src/gateway.ts";
import { nodePlatform } from "../src/platform/node/node-platform.ts";
import { blockMap, hostOf } from "./poll-map.ts";

const PERIOD_MS = 1_000;

const [port = 0, devices = 0, blocks = 0, registers = 0, inFlight = 1] = process.argv.slice(2).map(Number);
/** From the instant at which a poll was due until its readings were there, ms. */
const lateness: number[] = [];

const map = blockMap(blocks, registers);

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
      const unit = bus.unit(1, { minGapMs: 0, inFlight });
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
    host: hostOf(at),
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
