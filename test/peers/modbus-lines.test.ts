/** Our client on real pseudo-terminals, which socat ties together, against libmodbus and against our own ASCII device. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modbusLine, TestLog } from "hemgate/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFraming } from "../../adapters/modbus/bus/find-framing.ts";
import type { LineAddress } from "../../adapters/modbus/bus/line-address.ts";
import { ModbusBus } from "../../adapters/modbus/bus/modbus-bus.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../src/platform/node/node-net.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { nodeSerial } from "../../src/platform/node/node-serial.ts";
import { nodeUdp } from "../../src/platform/node/node-udp.ts";
import { CountingImage, PACING } from "../adapters/modbus/bus/line-harness.ts";
import { freePort } from "../free-ports.ts";
import { compile, type Peer, startPeer } from "./peer-process.ts";

const calm = new AbortController().signal;
const clock = nodeClock(() => "synced");
const world = { clock, net: nodeNet(new TestLog()), serial: nodeSerial, udp: nodeUdp, random: nodeRandom };
const folder = mkdtempSync(join(tmpdir(), "hemgate-lines-"));
const SETTINGS = { baudRate: 19_200, dataBits: 8, parity: "none", stopBits: 1 } as const;
const children: ChildProcess[] = [];
const peers: Peer[] = [];

afterAll(() => {
  for (const peer of peers) peer[Symbol.dispose]();
  for (const child of children) child.kill("SIGKILL");
});

/** Two pseudo-terminals, tied together. */
async function line(name: string): Promise<readonly [ours: string, theirs: string]> {
  const ends = [join(folder, `${name}-a`), join(folder, `${name}-b`)] as const;
  children.push(
    spawn(
      "socat",
      ends.map((end) => `pty,raw,echo=0,link=${end}`),
      { stdio: "ignore" },
    ),
  );
  while (!ends.every((end) => existsSync(end))) await clock.sleep(20, calm);
  return ends;
}

const PROGRAM = compile(new URL("libmodbus-rtu-server.c", import.meta.url).pathname);

/** libmodbus on a line, reached over it, or over TCP through a program that passes bytes on, as converters do. */
const WAYS: Readonly<Record<string, () => Promise<LineAddress>>> = {
  "RTU on a pseudo-terminal": async () => {
    const [path, theirs] = await line("rtu");
    peers.push(await startPeer(PROGRAM, [theirs]));
    return { kind: "rtu", path, ...SETTINGS };
  },
  "RTU over TCP": async () => await converter("rtu-over-tcp"),
};

async function converter(
  kind: "rtu-over-tcp",
): Promise<LineAddress & { readonly host: string; readonly port: number }> {
  const [path, theirs] = await line(`converted-${peers.length}`);
  peers.push(await startPeer(PROGRAM, [theirs]));
  const port = await freePort();
  const listen = `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork`;
  children.push(spawn("socat", [listen, `OPEN:${path},raw,echo=0`], { stdio: "ignore" }));
  await clock.sleep(300, calm);
  return { kind, host: "127.0.0.1", port };
}

describe.each(Object.entries(WAYS))("%s", (_name, start) => {
  let bus: ModbusBus;
  beforeAll(async () => {
    bus = new ModbusBus(world, await start());
  });
  afterAll(() => bus[Symbol.dispose]());

  test("all tables are read, in frames of every size", async () => {
    using unit = bus.unit(17, PACING);
    for (const count of [1, 2, 60, 125]) {
      const want = Array.from({ length: count }, (_unused, at) => 500 + at);
      expect([...(await unit.read("holding", 500, count, calm))]).toEqual(want);
      expect([...(await unit.read("input", 499, count, calm))]).toEqual(want);
    }
    expect([...(await unit.read("coil", 3, 10, calm))]).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect([...(await unit.read("discrete", 4, 3, calm))]).toEqual([1, 0, 0]);
  });

  test("what is written reads back, by every function", async () => {
    using unit = bus.unit(17, PACING);
    await unit.write(2_000, [7], 6, calm);
    await unit.write(2_001, [8, 9, 65_535], 16, calm);
    await unit.write(700, [1], 5, calm);
    expect([...(await unit.read("holding", 2_000, 4, calm))]).toEqual([7, 8, 9, 65_535]);
    expect([...(await unit.read("coil", 700, 1, calm))]).toEqual([1]);
    await unit.write(700, [0], 5, calm);
    expect([...(await unit.read("coil", 700, 1, calm))]).toEqual([0]);
  });

  test("an exception is told by its code", async () => {
    using unit = bus.unit(17, PACING);
    await expect(unit.read("holding", 9_999, 2, calm)).rejects.toMatchObject({ kind: "rejected", code: 2 });
  });

  test("a unit that is not there costs its own time, and the other one is read right afterwards", async () => {
    using unit = bus.unit(17, PACING);
    using nobody = bus.unit(99, PACING);
    await expect(nobody.read("holding", 0, 2, calm)).rejects.toMatchObject({ kind: "unreachable" });
    expect([...(await unit.read("holding", 40, 2, calm))]).toEqual([40, 41]);
  });

  test("three hundred reads in a row each get their own answer", async () => {
    using unit = bus.unit(17, PACING);
    for (let at = 0; at < 300; at++) {
      expect([...(await unit.read("holding", at, 2, calm))]).toEqual([at, at + 1]);
    }
  });
});

test("behind a converter RTU is found out, and Modbus TCP at a server of it", async () => {
  const { host, port } = await converter("rtu-over-tcp");
  const read = { unit: 17, table: "holding", address: 5, count: 2, connectDelayMs: 0 } as const;
  expect(await findFraming(world, { host, port }, read, calm)).toBe("rtu-over-tcp");
  const server = await startPeer(compile(new URL("libmodbus-server.c", import.meta.url).pathname));
  peers.push(server);
  expect(await findFraming(world, { host, port: server.port }, read, calm)).toBe("tcp");
});

test("ASCII on a pseudo-terminal is read and written", async () => {
  const [path, theirs] = await line("ascii");
  const image = new CountingImage();
  const device = modbusLine(clock, image, { framing: "ascii" })({ write: (bytes) => far?.write(bytes) });
  const far = await nodeSerial.open({ path: theirs, ...SETTINGS }, device, calm);
  using bus = new ModbusBus(world, { kind: "ascii", path, ...SETTINGS });
  const unit = bus.unit(1, { ...PACING, isWokenByRequest: true });
  for (let at = 0; at < 50; at++) expect([...(await unit.read("holding", at, 5, calm))]).toHaveLength(5);
  expect([...(await unit.read("holding", 7, 3, calm))]).toEqual([107, 108, 109]);
  await unit.write(6, [7], 6, calm);
  expect(image.asked.at(-1)).toBe("1 6 = 7");
  far[Symbol.dispose]();
});

describe("a real serial port", () => {
  test("that is not there, is no port, or is in use is told so", async () => {
    const deaf = { data: () => undefined, closed: () => undefined };
    const open = (path: string) => nodeSerial.open({ path, ...SETTINGS }, deaf, calm);
    await expect(open("/dev/ttyUSB99")).rejects.toThrow("open /dev/ttyUSB99: there is no such serial port");
    await expect(open("/dev/null")).rejects.toThrow("this is no serial port");
    const [path] = await line("taken");
    using _held = await open(path);
    await expect(open(path)).rejects.toThrow("another program uses the port");
  });

  test("that is pulled out closes with an error that names it, once", async () => {
    const ends = await line("pulled");
    const closed: (string | null)[] = [];
    await nodeSerial.open(
      { path: ends[0], ...SETTINGS },
      { data: () => undefined, closed: (error) => closed.push(error?.message ?? null) },
      calm,
    );
    children.at(-1)?.kill("SIGKILL");
    await expect.poll(() => closed.length, { timeout: 10_000 }).toBe(1);
    expect(closed[0]).toContain(ends[0]);
  });
});
