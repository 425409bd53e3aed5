/** Our client against the servers of others, as Debian ships them. */
import { DeviceError } from "hemgate/sdk";
import { SeededRandom, TestLog } from "hemgate/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ModbusBus } from "../../adapters/modbus/bus/modbus-bus.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../src/platform/node/node-net.ts";
import { nodeSerial } from "../../src/platform/node/node-serial.ts";
import { nodeUdp } from "../../src/platform/node/node-udp.ts";
import { compile, type Peer, startPeer } from "./peer-process.ts";

const calm = new AbortController().signal;
const here = (file: string): string => new URL(file, import.meta.url).pathname;

const PEERS: Readonly<Record<string, () => Promise<Peer>>> = {
  "libmodbus 3.1": () => startPeer(compile(here("libmodbus-server.c"))),
  "pymodbus 3": () => startPeer("/usr/bin/python3", [here("pymodbus-server.py")]),
};

describe.each(Object.entries(PEERS))("%s", (_name, start) => {
  let peer: Peer;
  let bus: ModbusBus;

  beforeAll(async () => {
    peer = await start();
    const clock = nodeClock(() => "synced");
    const world = { clock, net: nodeNet(new TestLog()), serial: nodeSerial, udp: nodeUdp, random: new SeededRandom(1) };
    bus = new ModbusBus(world, { kind: "tcp", host: "127.0.0.1", port: peer.port });
  });

  afterAll(() => {
    bus[Symbol.dispose]();
    peer[Symbol.dispose]();
  });

  test.each([0, 1, 17, 247, 255])("unit %i answers holding and input registers", async (id) => {
    const unit = bus.unit(id, { minGapMs: 0, inFlight: 1 });
    expect([...(await unit.read("holding", 500, 3, calm))]).toEqual([500, 501, 502]);
    expect([...(await unit.read("input", 500, 3, calm))]).toEqual([501, 502, 503]);
  });

  test.each([1, 2, 60, 124, 125])("%i registers in one request", async (count) => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
    const registers = await unit.read("holding", 1_000, count, calm);
    expect([...registers]).toEqual(Array.from({ length: count }, (_, index) => 1_000 + index));
  });

  test("a read beyond the registers is exception 2, and the connection goes on", async () => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
    await expect(unit.read("holding", 9_999, 2, calm)).rejects.toMatchObject({ kind: "rejected", code: 2 });
    expect([...(await unit.read("holding", 9_999, 1, calm))]).toEqual([9_999]);
  });

  test.each([
    [1, 6],
    [1, 16],
    [2, 16],
    [123, 16],
  ] as const)("%i registers written with function %i read back", async (count, code) => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
    const values = Array.from({ length: count }, (_, index) => (0xfff0 + 7 * index) & 0xffff);
    await unit.write(2_000, values, code, calm);
    expect([...(await unit.read("holding", 2_000, count, calm))]).toEqual(values);
  });

  test("several coils, single bits, and registers before a read are written as another program asks", async () => {
    const guest = bus.unit(1, { minGapMs: 0, inFlight: 1 }).guest!;
    const pass = (): null => null;
    const coils = Array.from({ length: 1_968 }, (_, index) => (index % 3 === 0 ? 1 : 0));
    await guest.write({ code: 15, address: 100, values: coils }, pass, calm);
    expect([...(await guest.read({ table: "coil", address: 100, count: 1_968 }, calm))]).toEqual(coils);
    await guest.write({ code: 16, address: 2_500, values: [0x12, 7] }, pass, calm);
    await guest.write({ code: 22, address: 2_500, values: [0x00f2, 0x0025] }, pass, calm);
    // Of the specification: (0x12 AND 0xf2) OR (0x25 AND NOT 0xf2).
    expect([...(await guest.read({ table: "holding", address: 2_500, count: 1 }, calm))]).toEqual([0x17]);
    const reads = { address: 2_500, count: 3 };
    const read = await guest.write({ code: 23, address: 2_501, values: [8, 9], reads }, pass, calm);
    expect([...read]).toEqual([0x17, 8, 9]);
  });

  test.each([1, 4, 16])("two thousand reads in a window of %i each get their own answer", async (inFlight) => {
    using unit = bus.unit(1, { minGapMs: 0, inFlight });
    for (let start = 3_000; start < 5_000; start += 200) {
      const reads = Array.from({ length: 200 }, (_, index) => unit.read("holding", start + index, 1, calm));
      const values = (await Promise.all(reads)).map(([register]) => register);
      expect(values).toEqual(Array.from({ length: 200 }, (_, index) => start + index));
    }
  });
});

test("a peer that dies is told as unreachable", async () => {
  const peer = await startPeer(compile(here("libmodbus-server.c")));
  const clock = nodeClock(() => "synced");
  const world = { clock, net: nodeNet(new TestLog()), serial: nodeSerial, udp: nodeUdp, random: new SeededRandom(1) };
  using bus = new ModbusBus(world, { kind: "tcp", host: "127.0.0.1", port: peer.port });
  const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
  await unit.read("holding", 0, 1, calm);
  peer[Symbol.dispose]();
  const failure = await unit.read("holding", 0, 1, calm).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DeviceError);
  expect(failure).toMatchObject({ kind: "unreachable" });
});
