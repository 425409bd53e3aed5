import fc from "fast-check";
import { FrameReader, type Net, type StreamEvents } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { expect, test } from "vitest";
import { ModbusBus } from "../../../adapters/modbus/bus/modbus-bus.ts";
import { countedExpect } from "../../counted-expect.ts";
import { busWorld, calm, outcome } from "./bus/bus-world.ts";

/** How one answer is spoiled: bytes flipped, cut off, put in, and the whole sent in pieces. */
interface Spoil {
  readonly flips: readonly { readonly at: number; readonly bit: number }[];
  readonly keep: number | undefined;
  readonly before: Uint8Array;
  readonly pieces: number;
}

const spoiled: fc.Arbitrary<Spoil> = fc.record({
  flips: fc.array(fc.record({ at: fc.nat(20), bit: fc.nat(7) }), { maxLength: 3 }),
  keep: fc.option(fc.nat(20), { nil: undefined }),
  before: fc.uint8Array({ maxLength: 8 }),
  pieces: fc.integer({ min: 1, max: 20 }),
});

const whole: Spoil = { flips: [], keep: undefined, before: new Uint8Array(0), pieces: 1 };
const anyAnswer = fc.oneof(fc.constant(whole), spoiled);

/** The answer to a read of three registers at any address: the address in each of them. */
function answer(request: Uint8Array): Uint8Array {
  const [idHigh = 0, idLow = 0, , , , , unit = 0, code = 0, high = 0, low = 0] = request;
  return Uint8Array.of(idHigh, idLow, 0, 0, 0, 9, unit, code, 6, high, low, high, low, high, low);
}

test("however an answer is spoiled, its registers are the right ones or the read is rejected", async () => {
  let accepted = 0;
  let rejected = 0;
  const expectWhole = countedExpect();
  await fc.assert(
    fc.asyncProperty(fc.array(anyAnswer, { minLength: 1, maxLength: 6 }), async (spoils) => {
      const clock = new VirtualClock();
      let turn = 0;
      const net: Net = {
        interfaces: () => [],
        hostName: () => "hemgate",
        resolve: async () => [],
        connect: async (remote, events) => ({
          remote,
          bufferedBytes: 0,
          write: (bytes) => send(events, bytes, spoils[turn++ % spoils.length]!),
          [Symbol.dispose]: () => undefined,
        }),
        listen: () => Promise.reject(new Error("nobody listens here")),
      };
      using bus = new ModbusBus(busWorld(clock, net), { kind: "tcp", host: "meter.lan", port: 502 });
      const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
      for (let address = 100; address < 106; address++) {
        const read = outcome(unit.read("holding", address, 3, calm));
        const result = await clock.resolve(read, 40_000);
        if (result instanceof Error) rejected += 1;
        else {
          accepted += 1;
          // Modbus TCP has no checksum: a flipped register cannot be noticed, a frame that is not the answer can.
          const isOwn = spoils.some(({ flips }) => flips.some(({ at }) => at >= 9));
          if (!isOwn) expectWhole([...(result as Uint16Array)]).toEqual([address, address, address]);
          expect(result).toHaveLength(3);
        }
        await clock.advance(31_000);
      }
    }),
    { numRuns: 400 },
  );
  expectWhole.wasCalled();
  expect(accepted).toBeGreaterThan(50);
  expect(rejected).toBeGreaterThan(50);
});

function send(events: StreamEvents, request: Uint8Array, { flips, keep, before, pieces }: Spoil): void {
  const right = answer(request);
  for (const { at, bit } of flips) if (at < right.length) right[at] = (right[at] ?? 0) ^ (1 << bit);
  const bytes = Uint8Array.from([...before, ...right.subarray(0, keep ?? right.length)]);
  const step = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += step) events.data(bytes.subarray(at, at + step));
}

test("frames come out of the reader the same however the stream is cut", () => {
  const frame = fc
    .record({ id: fc.nat(65_535), pdu: fc.uint8Array({ minLength: 1, maxLength: 253 }) })
    .map(({ id, pdu }) => Uint8Array.from([id >>> 8, id & 0xff, 0, 0, 0, pdu.length + 1, 1, ...pdu]));
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 600 })), (frames, cuts) => {
      const stream = Uint8Array.from(frames.flatMap((each) => [...each]));
      const reader = new FrameReader();
      const taken: number[][] = [];
      for (let at = 0, cut = 0; at < stream.length; cut++) {
        const end = at + (cuts[cut % Math.max(1, cuts.length)] ?? 1);
        const fault = reader.push(
          stream.subarray(at, end),
          (bytes, from, to) => taken.push([...bytes.subarray(from, to)]) > 0,
        );
        expect(fault).toBeNull();
        at = end;
      }
      expect(taken).toEqual(frames.map((each) => [...each]));
    }),
    { numRuns: 300 },
  );
});

test("any bytes at all are frames, an unfinished frame, or a fault; never more than one frame is kept", () => {
  const expectUnfinished = countedExpect();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      const reader = new FrameReader();
      let framed = 0;
      const fault = reader.push(bytes, (_bytes, start, end) => {
        expect(end - start).toBeGreaterThanOrEqual(8);
        expect(end - start).toBeLessThanOrEqual(260);
        framed += end - start;
        return true;
      });
      if (fault === null) expectUnfinished(bytes.length - framed).toBeLessThan(260);
    }),
    { numRuns: 2_000 },
  );
  expectUnfinished.wasCalled();
});
