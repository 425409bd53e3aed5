import { describe, expect, test } from "vitest";
import type { SerialSettings } from "../../../src/platform/ports/ports.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";

const calm = new AbortController().signal;
const SETTINGS: SerialSettings = { path: "/dev/ttyUSB0", baudRate: 9_600, dataBits: 8, parity: "none", stopBits: 1 };

function plugged(serialLumpBytes?: number) {
  const world = new World({ seed: 1, ...(serialLumpBytes !== undefined && { serialLumpBytes }) });
  const process = world.boot("gateway", new MemoryDisk());
  const heard: number[] = [];
  const port = world.serial.plug(SETTINGS.path, (line) => ({
    data: (bytes) => {
      heard.push(...bytes);
      line.write(bytes);
    },
    closed: () => undefined,
  }));
  const back: [number, number][] = [];
  const closed: (string | null)[] = [];
  const open = () =>
    process.platform.serial.open(
      SETTINGS,
      {
        data: (bytes) => back.push(...[...bytes].map((byte): [number, number] => [byte, world.clock.monotonicMs()])),
        closed: (error) => closed.push(error?.message ?? null),
      },
      calm,
    );
  return { world, process, heard, port, back, closed, open };
}

describe("a simulated serial port", () => {
  test("carries bytes in order, each in the time that it takes at the bit rate", async () => {
    const { world, open, back, heard } = plugged();
    const line = await open();
    const startMs = world.clock.monotonicMs();
    line.write(Uint8Array.of(1, 2, 3));
    await world.clock.advance(10);
    expect(heard).toEqual([1, 2, 3]);
    expect(back.map(([byte]) => byte)).toEqual([1, 2, 3]);
    // Ten bits a byte; the last one goes there after three bytes and comes back as the fourth.
    expect((back[2]?.[1] ?? 0) - startMs).toBeCloseTo((4 * 10) / 9.6, 3);
  });

  test("hands on lumps, each when its last byte has arrived, where a converter does so", async () => {
    const { world, open, back } = plugged(2);
    const line = await open();
    const startMs = world.clock.monotonicMs();
    line.write(Uint8Array.of(1, 2, 3));
    await world.clock.advance(10);
    expect(back.map(([byte]) => byte)).toEqual([1, 2, 3]);
    const bytesPassed = back.map(([, atMs]) => Math.round(((atMs - startMs) * 9.6) / 10));
    expect(bytesPassed).toEqual([4, 4, 5]);
  });

  test("is for one at a time, and free again when its process dies", async () => {
    const { world, process, open } = plugged();
    await open();
    await expect(open()).rejects.toThrow("open /dev/ttyUSB0: another program uses the port");
    expect(process.resources.streams).toBe(1);
    process.kill();
    const next = world.boot("gateway", new MemoryDisk());
    const deaf = { data: () => undefined, closed: () => undefined };
    (await next.platform.serial.open(SETTINGS, deaf, calm))[Symbol.dispose]();
    expect(next.resources.streams).toBe(0);
  });

  test("that is pulled out closes with an error, and is not there", async () => {
    const { world, port, closed, open } = plugged();
    await open();
    port[Symbol.dispose]();
    await world.clock.advance(1);
    expect(closed).toEqual(["/dev/ttyUSB0: the port is gone"]);
    await expect(open()).rejects.toThrow("there is no such serial port");
  });
});
