/** The checks find what they are there to find: each world here is broken on purpose, and the run says how. */
import { expect, test } from "vitest";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import type { Adapter, AdapterContext, Driver } from "../../src/sdk/driver.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SHORTEST_RUN_MS } from "./fault-script.ts";
import type { WrapImage } from "./simulated-house.ts";
import { type Script, type SimulationOptions, simulate } from "./simulation.ts";

const HOURS = SHORTEST_RUN_MS / 3_600_000;
const TIMEOUT_MS = 60_000;

/** What broke first in a run. */
async function firstBreach(options: Partial<SimulationOptions>): Promise<string | undefined> {
  const result = await simulate({ seed: 12, hours: HOURS, adapters: ADAPTERS, ...options });
  return result.breaches[0];
}

/** The user forces the battery, and the gateway is killed a minute later. */
function forcedAndKilled(awayMs: number): Script {
  const command = { resource: "batteries", path: "operation-mode", body: { operationMode: "IMPORT_FOCUS" } } as const;
  const kill = { kind: "gateway-kill", device: "inverter", atMs: 120_000, lastsMs: awayMs, share: 1 } as const;
  return { faults: [kill], commands: [{ atMs: 60_000, command }] };
}

/** The adapters with a fault of their own: `worsen` sees each driver before the gateway gets it. */
function badAdapters(worsen: (driver: Driver, deviceId: string, context: AdapterContext) => Driver): Adapter[] {
  return ADAPTERS.map((adapter) => ({
    ...adapter,
    start(context) {
      const running = adapter.start(context);
      return {
        connect: async (deviceId, options, signal) =>
          worsen(await running.connect(deviceId, options, signal), deviceId, context),
        [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
      };
    },
  }));
}

/** A driver with one method of its own. */
function withRead(driver: Driver, read: Driver["read"]): Driver {
  const { identity, vendors, points, controls, pollMs } = driver;
  return {
    ...{ identity, vendors, points, controls, pollMs, read },
    write: (point, value, signal) => driver.write(point, value, signal),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}

/** Forgets what a power cut may not take. */
class ForgetfulDisk extends MemoryDisk {
  readonly #forgets: string;
  constructor(forgets: string) {
    super();
    this.#forgets = forgets;
  }
  override crash(): void {
    super.crash();
    const kept = this.contents("critical");
    for (const key of [...kept.keys()]) if (key.startsWith(this.#forgets)) kept.delete(key);
  }
}

test(
  "a meter that turns its sign is found",
  async () => {
    const SIGN = 0x8000;
    const POWER = 52;
    const wrapImage: WrapImage = (device, image) => ({
      ...image,
      readInput(unit, address, count) {
        const reply = image.readInput(unit, address, count);
        if (device !== "meter" || reply.kind !== "values") return reply;
        return { ...reply, values: reply.values.map((word, at) => (address + at === POWER ? word ^ SIGN : word)) };
      },
    });
    expect(await firstBreach({ sabotage: { wrapImage } })).toMatch(/meter\.power is shown as -?\d/);
  },
  TIMEOUT_MS,
);

test(
  "an inverter that drops its reversion timer is found when the gateway dies",
  async () => {
    // It takes the timer's value and shows it, and does nothing with it.
    const TIMER_AT = 40_358;
    let shown = 0;
    const wrapImage: WrapImage = (_device, image) => ({
      ...image,
      readHolding(unit, address, count) {
        const reply = image.readHolding(unit, address, count);
        if (reply.kind !== "values") return reply;
        return { ...reply, values: reply.values.map((word, at) => (address + at === TIMER_AT ? shown : word)) };
      },
      writeHolding(unit, address, values, code) {
        if (address === TIMER_AT) shown = values[0] ?? 0;
        return image.writeHolding(unit, address, address === TIMER_AT ? [0] : values, code);
      },
    });
    expect(await firstBreach({ hours: 0.1, script: forcedAndKilled(200_000), sabotage: { wrapImage } })).toMatch(
      /inverter is still held \d+ ms after/,
    );
  },
  TIMEOUT_MS,
);

test(
  "the same house in order is found in order, and its reversion is waited for",
  async () => {
    const script = forcedAndKilled(200_000);
    const result = await simulate({ seed: 12, hours: 0.1, adapters: ADAPTERS, script });
    expect(result.breaches).toEqual([]);
    expect(result.reversions).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test(
  "a disk that loses acknowledged actions is found",
  async () => {
    const disk = new ForgetfulDisk("record!action!");
    expect(await firstBreach({ hours: 0.1, script: forcedAndKilled(1_000), sabotage: { disk } })).toMatch(
      /acknowledged write [0-9a-f-]{36} is lost/,
    );
  },
  TIMEOUT_MS,
);

test(
  "a disk that loses journal records is found",
  async () => {
    const disk = new ForgetfulDisk("journal!");
    expect(await firstBreach({ hours: 0.1, script: forcedAndKilled(1_000), sabotage: { disk } })).toMatch(
      /acknowledged write journal 1:\d+ is lost/,
    );
  },
  TIMEOUT_MS,
);

test(
  "a driver that writes of its own accord is found",
  async () => {
    const adapters = badAdapters((driver, deviceId) =>
      withRead(driver, async (scope, signal) => {
        if (deviceId === "charger") await driver.write("charger.maxCurrent", 10, signal);
        return await driver.read(scope, signal);
      }),
    );
    expect(await firstBreach({ adapters })).toMatch(/charger was written at register \d+: .* nobody wanted it/);
  },
  TIMEOUT_MS,
);

test(
  "a driver that leaks streams is found",
  async () => {
    const adapters = badAdapters((driver, _deviceId, { net }) =>
      withRead(driver, async (scope, signal) => {
        await net.connect(
          { host: "meter.lan", port: 5021 },
          { data: () => undefined, closed: () => undefined },
          signal,
        );
        return await driver.read(scope, signal);
      }),
    );
    expect(await firstBreach({ adapters })).toMatch(/open streams of the gateway: \d+, at most 3 allowed/);
  },
  TIMEOUT_MS,
);

test(
  "a driver that leaves a timer behind is found when the gateway closes",
  async () => {
    const adapters = badAdapters((driver, _deviceId, { clock }) => {
      clock.timer(1e12, () => undefined);
      return driver;
    });
    expect(await firstBreach({ adapters, hours: 0.05 })).toMatch(/timers waiting after close: \d, at most 0 allowed/);
  },
  TIMEOUT_MS,
);

test(
  "a device that goes on being unreachable when its fault is over is found",
  async () => {
    const adapters = badAdapters((driver) => {
      let reads = 0;
      return withRead(driver, async (scope, signal) => {
        reads += 1;
        return reads > 60 ? [] : await driver.read(scope, signal);
      });
    });
    expect(await firstBreach({ adapters })).toMatch(/is shown as/);
  },
  TIMEOUT_MS,
);
