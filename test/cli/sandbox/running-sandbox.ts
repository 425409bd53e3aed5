/** The sandbox home as `npm start` has it, in simulated time: its configuration, its twins over Modbus, its first start. */
import { readFileSync } from "node:fs";
import { startSandboxHome } from "../../../adapters/simulated/sandbox-home.ts";
import { ADAPTERS } from "../../../src/cli/adapters.ts";
import { followCar } from "../../../src/cli/sandbox/sandbox-car.ts";
import { priceHome, useOwnSun } from "../../../src/cli/sandbox/sandbox-energy.ts";
import { inviteGuests } from "../../../src/cli/sandbox/sandbox-guests.ts";
import { followHeat } from "../../../src/cli/sandbox/sandbox-heat.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { createGateway } from "../../../src/gateway.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { serveModbus } from "../../../src/testing/modbus-server.ts";
import { World } from "../../../src/testing/world.ts";

const FILE = new URL("../../../config/sandbox.yaml", import.meta.url);
const SECOND_MS = 1_000;

export interface RunningOptions {
  readonly seed: number;
  /** Where the house's day begins. */
  readonly startMs: number;
  /** The hours of a home file instead of the made-up weather. */
  readonly homeFile?: string;
  /** How long the house runs before the gateway starts. */
  readonly aloneMs?: number;
}

export async function runSandbox({ seed, startMs, homeFile, aloneMs = 0 }: RunningOptions) {
  const world = new World({ seed, startMs });
  const { clock } = world;
  const twins = world.boot("house", new MemoryDisk());
  const home = await startSandboxHome({
    clock: twins.platform.clock,
    random: world.random.fork("house"),
    serve: (image, address) => serveModbus(twins.platform, image, address),
    startMs,
    areChargersOff: true,
    ...(homeFile === undefined ? {} : { homeFile }),
  });
  const loaded = loadConfig({ text: readFileSync(FILE, "utf8"), environment: {}, adapters: ADAPTERS });
  if (!loaded.ok) throw new Error("config/sandbox.yaml has mistakes");
  const { config } = loaded;
  await clock.advance(aloneMs);
  const { platform } = world.boot("gateway", new MemoryDisk());
  const gateway = await clock.resolve(
    createGateway({ platform, config, adapters: ADAPTERS, listen: false }),
    60 * SECOND_MS,
  );
  const end = new AbortController();
  await clock.resolve(inviteGuests(gateway), 60 * SECOND_MS);
  await clock.resolve(priceHome(gateway), 60 * SECOND_MS);
  const { simulated } = gateway.engine.services;
  const running = Promise.all([
    followCar({ simulated, owner: config.site.owner, home, clock: platform.clock }, end.signal),
    followHeat({ devices: () => gateway.engine.devices(), home, clock: platform.clock }, end.signal),
    useOwnSun(gateway, platform.clock, end.signal),
  ]);
  return {
    world,
    clock,
    home,
    gateway,
    async [Symbol.asyncDispose]() {
      end.abort();
      await clock.resolve(running, 60 * SECOND_MS);
      await clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), 60 * SECOND_MS);
      await home[Symbol.asyncDispose]();
    },
  };
}
