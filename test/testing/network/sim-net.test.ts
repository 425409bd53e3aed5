/** The faults of the simulated net: each does what its name says, and is counted. */
import { expect, test } from "vitest";
import type { StreamEvents, TcpStream } from "../../../src/platform/ports/ports.ts";
import { NET_FAULTS, type NetFault } from "../../../src/testing/fault-plan.ts";
import { SimNet } from "../../../src/testing/network/sim-net.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
const DEVICE = { host: "device", port: 502 };
const HOUR_MS = 3_600_000;

interface Heard extends StreamEvents {
  readonly chunks: Uint8Array[];
  readonly closes: (Error | null)[];
}
function listener(onData: (bytes: Uint8Array) => void = () => undefined): Heard {
  const chunks: Uint8Array[] = [];
  const closes: (Error | null)[] = [];
  return {
    chunks,
    closes,
    data: (bytes) => {
      chunks.push(bytes);
      onData(bytes);
    },
    closed: (error) => closes.push(error),
  };
}

/** A gateway's process and a device that echoes. */
async function makeLan(seed = 1) {
  const clock = new VirtualClock();
  const net = new SimNet(clock, new SeededRandom(seed));
  const gateway = net.host();
  const device = net.host();
  const served: Heard[] = [];
  await device.listen(DEVICE, (stream) => {
    const heard = listener((bytes) => stream.write(bytes));
    served.push(heard);
    return heard;
  });
  const open = async (): Promise<{ stream: TcpStream; heard: Heard }> => {
    const heard = listener();
    return { stream: await clock.resolve(gateway.connect(DEVICE, heard, NEVER), HOUR_MS), heard };
  };
  const strike = (kind: NetFault): Disposable => net.faults.begin({ kind, host: "device", share: 1 });
  return { clock, net, gateway, device, served, open, strike };
}
const HELLO = Uint8Array.of(1, 2, 3, 4, 5);

test("a refused connection fails at once; after the fault it works", async () => {
  const { clock, gateway, open, strike } = await makeLan();
  const fault = strike("refused");
  await expect(clock.resolve(gateway.connect(DEVICE, listener(), NEVER), 10)).rejects.toThrow(/ECONNREFUSED/);
  fault[Symbol.dispose]();
  await open();
});

test("an unreachable host leaves the caller waiting until the kernel gives up", async () => {
  const { clock, gateway, strike } = await makeLan();
  strike("unreachable");
  const connecting = gateway.connect(DEVICE, listener(), NEVER);
  await expect(clock.resolve(connecting, HOUR_MS)).rejects.toThrow(/ETIMEDOUT/);
  expect(clock.monotonicMs()).toBe(127_000);
});

test("a lost answer never arrives, and the stream stays open", async () => {
  const { clock, open, strike, served } = await makeLan();
  const { stream, heard } = await open();
  const fault = strike("lost-answer");
  stream.write(HELLO);
  await clock.advance(HOUR_MS);
  expect(served[0]?.chunks).toHaveLength(1);
  expect(heard.chunks).toEqual([]);
  expect(heard.closes).toEqual([]);
  fault[Symbol.dispose]();
  stream.write(HELLO);
  await clock.advance(10);
  expect(heard.chunks).toEqual([HELLO]);
});

test("a late answer arrives after at least five seconds, before what was sent later", async () => {
  const { clock, open, strike } = await makeLan();
  const { stream, heard } = await open();
  const fault = strike("late-answer");
  stream.write(HELLO);
  await clock.advance(4_900);
  fault[Symbol.dispose]();
  stream.write(Uint8Array.of(9));
  expect(heard.chunks).toEqual([]);
  await clock.advance(30_000);
  expect(heard.chunks).toEqual([HELLO, Uint8Array.of(9)]);
});

test("garbage arrives in the answer's place", async () => {
  const { clock, open, strike } = await makeLan();
  const { stream, heard } = await open();
  strike("garbage");
  stream.write(HELLO);
  await clock.advance(10);
  expect(heard.chunks).toHaveLength(1);
  expect(heard.chunks[0]).not.toEqual(HELLO);
});

test("a sliced answer arrives byte by byte, whole and in order", async () => {
  const { clock, open, strike } = await makeLan();
  const { stream, heard } = await open();
  strike("sliced");
  stream.write(HELLO);
  await clock.advance(10);
  expect(heard.chunks.map((chunk) => chunk.length)).toEqual([1, 1, 1, 1, 1]);
  expect(heard.chunks.flatMap((chunk) => [...chunk])).toEqual([...HELLO]);
});

test("a reset closes both sides with an error, once", async () => {
  const { clock, open, strike, served, gateway, device } = await makeLan();
  const { stream, heard } = await open();
  strike("reset");
  stream.write(HELLO);
  await clock.advance(10);
  expect(heard.closes).toEqual([expect.objectContaining({ kind: "unreachable" })]);
  expect(served[0]?.closes).toEqual([expect.any(Error)]);
  expect(gateway.openStreams + device.openStreams).toBe(0);
});

test("a half-open stream is silent both ways until keep-alive notices", async () => {
  const { clock, open, strike, served } = await makeLan();
  const { stream, heard } = await open();
  strike("half-open");
  stream.write(HELLO);
  await clock.advance(600_000);
  expect([heard.chunks, heard.closes, served[0]?.closes]).toEqual([[], [], []]);
  await clock.advance(600_000);
  expect(heard.closes).toEqual([expect.objectContaining({ kind: "unreachable" })]);
  expect(served[0]?.closes).toEqual([expect.any(Error)]);
});

test("writing into a half-open stream is bounded", async () => {
  const { clock, open, strike } = await makeLan();
  const { stream, heard } = await open();
  strike("half-open");
  for (let part = 0; part < 40; part += 1) stream.write(new Uint8Array(64 * 1024));
  await clock.advance(1);
  expect(heard.closes[0]?.message).toContain("does not read");
  expect(stream.bufferedBytes).toBeLessThanOrEqual(1024 * 1024 + 64 * 1024);
});

test("a killed process hears nothing more, its peers are reset, its ports are free", async () => {
  const { clock, net, gateway, device, open } = await makeLan();
  const { stream, heard } = await open();
  const waiting = gateway.connect(DEVICE, listener(), NEVER).catch((error: unknown) => error);
  device.kill();
  await clock.advance(10);
  expect(heard.closes).toEqual([expect.objectContaining({ kind: "unreachable" })]);
  expect(await waiting).toMatchObject({ message: expect.stringContaining("ECONNREFUSED") });
  await net.host().listen(DEVICE, () => listener());
  stream[Symbol.dispose]();

  const { stream: second, heard: silent } = await open();
  gateway.kill();
  second.write(HELLO);
  await clock.advance(HOUR_MS);
  expect([silent.chunks, silent.closes]).toEqual([[], []]);
  expect(gateway.openStreams).toBe(0);
});

test("every kind of fault is counted when it strikes, and only then", async () => {
  for (const kind of NET_FAULTS) {
    const { clock, net, gateway, strike } = await makeLan();
    expect(net.faults.fired.get(kind)).toBeUndefined();
    strike(kind);
    const controller = new AbortController();
    const opened = gateway.connect(DEVICE, listener(), controller.signal).catch(() => null);
    await clock.advance(10);
    controller.abort(new Error("enough"));
    (await clock.resolve(opened, 10))?.write(HELLO);
    await clock.advance(10);
    expect([...net.faults.fired.keys()], kind).toEqual([kind]);
  }
});

test("a scheduled fault is on from its start to its end", async () => {
  const { clock, net } = await makeLan();
  net.faults.schedule({ kind: "refused", host: "device", share: 1, fromMs: 1_000, untilMs: 2_000 });
  expect(net.faults.quietMs("device")).toBe(Number.POSITIVE_INFINITY);
  await clock.advance(1_500);
  expect(net.faults.quietMs("device")).toBe(0);
  await clock.advance(1_500);
  expect(net.faults.quietMs("device")).toBe(1_000);
  expect(net.faults.strikes("refused", "device")).toBe(false);
});

test("the same seed gives the same deliveries at the same instants", async () => {
  const run = async (seed: number) => {
    const { clock, net, open, strike } = await makeLan(seed);
    const { stream, heard } = await open();
    const times: number[] = [];
    strike("sliced");
    for (let part = 0; part < 20; part += 1) {
      stream.write(HELLO);
      await clock.runUntil(() => heard.chunks.length >= 5 * (part + 1), 1_000);
      times.push(clock.monotonicMs());
    }
    return { times, checksum: net.trafficChecksum };
  };
  expect(await run(5)).toEqual(await run(5));
  expect((await run(6)).times).not.toEqual((await run(5)).times);
});
