import { DeviceError, type Net, type StreamEvents, type TcpStream } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { expect, test } from "vitest";
import { ModbusBus } from "../../../../adapters/modbus/bus/modbus-bus.ts";
import { busWorld, calm, outcome } from "./bus-world.ts";

const ADDRESS = { kind: "tcp", host: "meter.lan", port: 502 } as const;

/** A net whose one peer answers each read with its transaction id, on the spot. */
function echoNet(write: (bytes: Uint8Array, events: StreamEvents) => void): Net {
  return {
    interfaces: () => [],
    hostName: () => "hemgate",
    resolve: async () => [],
    connect: async (remote, events) => {
      const stream: TcpStream = {
        remote,
        bufferedBytes: 0,
        write: (bytes) => write(bytes, events),
        [Symbol.dispose]: () => events.closed(null),
      };
      return stream;
    },
    listen: () => Promise.reject(new Error("nobody listens here")),
  };
}

test("transaction ids run through all 65,536 before one comes again, and no answer is mixed up over two wraps", async () => {
  const ids: number[] = [];
  const net = echoNet((bytes, events) => {
    const id = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
    ids.push(id);
    events.data(Uint8Array.of(id >>> 8, id, 0, 0, 0, 5, 1, 3, 2, id >>> 8, id));
  });
  using bus = new ModbusBus(busWorld(new VirtualClock(), net), ADDRESS);
  const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
  let mismatches = 0;
  for (let request = 0; request < 140_000; request++) {
    const [register] = await unit.read("holding", 0, 1, calm);
    if (register !== ids.at(-1)) mismatches += 1;
  }
  expect(mismatches).toBe(0);
  expect(new Set(ids.slice(0, 65_536)).size).toBe(65_536);
});

test("a connection that nobody accepts is given up after five seconds, and its attempt is taken back", async () => {
  const clock = new VirtualClock();
  let attempt: AbortSignal | null = null;
  const net: Net = {
    ...echoNet(() => undefined),
    connect: (_address, _events, signal) => {
      attempt = signal;
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  using bus = new ModbusBus(busWorld(clock, net), ADDRESS);
  const read = outcome(bus.unit(1, { minGapMs: 0, inFlight: 1 }).read("holding", 0, 1, calm));
  await clock.advance(4_999);
  expect(attempt).toMatchObject({ aborted: false });
  await clock.advance(1);
  expect(await read).toMatchObject({ kind: "unreachable", message: "meter.lan:502: connecting failed" });
  expect(attempt).toMatchObject({ aborted: true });
});

test("a stream that closes before it is handed over is not used", async () => {
  const clock = new VirtualClock();
  let written = 0;
  const net = echoNet(() => {
    written += 1;
  });
  const hasty: Net = {
    ...net,
    connect: async (address, events, signal) => {
      const stream = await net.connect(address, events, signal);
      events.closed(null);
      return stream;
    },
  };
  using bus = new ModbusBus(busWorld(clock, hasty), ADDRESS);
  const read = bus.unit(1, { minGapMs: 0, inFlight: 1 }).read("holding", 0, 1, calm);
  await expect(read).rejects.toBeInstanceOf(DeviceError);
  expect(written).toBe(0);
});
