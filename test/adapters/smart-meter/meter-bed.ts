/** A bed for the adapter: one meter on a serial port or behind a host, in virtual time. */
import type { Driver, PointName, Reading, SerialSettings } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import type { MeterOptions } from "../../../adapters/smart-meter/line-options.ts";
import { smartMeterAdapter } from "../../../adapters/smart-meter/smart-meter-adapter.ts";
import { type LineFault, TalkingMeter } from "../../twins/smart-meters/talking-meter.ts";

export const PORT = "/dev/serial/by-id/head";
export const HOST = { host: "192.168.1.70", port: 2_001 } as const;
export const calm = new AbortController().signal;
const LIMIT_MS = 200_000;

export const P1_LINE = { baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 } as const;
export const SML_LINE = { baudRate: 9_600, dataBits: 8, parity: "none", stopBits: 1 } as const;
export const TEXT_LINE = { baudRate: 9_600, dataBits: 7, parity: "even", stopBits: 1 } as const;

type Given = Partial<MeterOptions> & Pick<MeterOptions, "protocol">;
type Points = Readonly<Partial<Record<PointName, unknown>>>;

export function bed(given: Given) {
  const world = new World({ seed: 11 });
  const process = world.boot("gateway", new MemoryDisk());
  const adapter = smartMeterAdapter.start(process.adapterContext());
  const options = smartMeterAdapter.options.parse(given.host === undefined ? { serialPort: PORT, ...given } : given);
  const meter = (everyMs: number, settings: Omit<SerialSettings, "path"> | undefined, telegram: () => Uint8Array) => {
    const parts = { clock: world.clock, random: world.random.fork("meter"), everyMs, telegram };
    return new TalkingMeter(settings === undefined ? parts : { ...parts, settings });
  };
  return {
    world,
    process,
    adapter,
    options,
    log: process.log,
    /** A meter that speaks by itself, at the serial port. */
    plugged(everyMs: number, settings: Omit<SerialSettings, "path">, telegram: () => Uint8Array): TalkingMeter {
      const made = meter(everyMs, settings, telegram);
      world.serial.plug(PORT, made.line);
      return made;
    },
    /** A meter that speaks by itself, behind a host. */
    async served(everyMs: number, telegram: () => Uint8Array): Promise<TalkingMeter> {
      const made = meter(everyMs, undefined, telegram);
      await world.net.host().listen(HOST, (stream) => made.line(stream));
      return made;
    },
    connect: () => world.clock.resolve(adapter.connect("meter", options, calm), LIMIT_MS),
    read: (driver: Driver, scope: "due" | "all" = "all") => world.clock.resolve(readPoints(driver, scope), LIMIT_MS),
    /** Seconds in which each second is read; what each read gave, or why it failed. */
    async watch(driver: Driver, seconds: number): Promise<readonly (Points | string)[]> {
      const seen: (Points | string)[] = [];
      for (let second = 0; second < seconds; second += 1) {
        await world.clock.advance(1_000);
        seen.push(await readPoints(driver, "all").catch((error: Error) => error.message));
      }
      return seen;
    },
  };
}

async function readPoints(driver: Driver, scope: "due" | "all"): Promise<Points> {
  const readings: readonly Reading[] = await driver.read(scope, calm);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

export const LINE_FAULTS: readonly Exclude<LineFault, "none" | "garbage" | "slow">[] = [
  "silent",
  "cut",
  "noise",
  "wrong-checksum",
  "endless",
];
