import type { TcpAddress } from "hemgate/sdk";
import { SeededRandom } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { countedExpect } from "../../../counted-expect.ts";
import { calm, outcome } from "./bus-world.ts";
import { HOST, LINE, lineBed, PACING } from "./line-harness.ts";

describe.each(["rtu", "ascii"] as const)("%s on a serial line", (kind) => {
  test("reads registers and bits, and writes both", async () => {
    const { bus, image, read, world } = lineBed(kind);
    const unit = bus.unit(3, PACING);
    expect(await read(unit, 10, 3)).toEqual([310, 311, 312]);
    const bits = await world.clock.resolve(unit.read("coil", 1, 17, calm), 5_000);
    expect([...bits]).toEqual(Array.from({ length: 17 }, (_unused, at) => (1 + at) % 2));
    await world.clock.resolve(unit.write(5, [1], 5, calm), 5_000);
    await world.clock.resolve(unit.write(6, [7], 6, calm), 5_000);
    await world.clock.resolve(unit.write(8, [1, 2], 16, calm), 5_000);
    expect(image.asked.slice(-3)).toEqual(["3 coil 5 on", "3 6 = 7", "3 8 = 1,2"]);
  });

  test("an exception rejects with its code, and costs the unit no rest", async () => {
    const { bus, image, read, world } = lineBed(kind);
    image.behave = (_unit, address) => (address === 9 ? { kind: "exception", code: 2 } : null);
    const unit = bus.unit(3, PACING);
    const refused = await world.clock.resolve(outcome(unit.read("holding", 9, 1, calm)), 5_000);
    expect(refused).toMatchObject({ kind: "rejected", code: 2 });
    expect(await read(unit, 8)).toEqual([308]);
  });

  test("an answer whose checksum is wrong is asked for once more, then refused as malformed", async () => {
    let spoiled = 1;
    const flip = (bytes: Uint8Array): Uint8Array => {
      if (spoiled-- > 0) bytes[5] = bytes[5] === 0x34 ? 0x35 : 0x34;
      return bytes;
    };
    const { bus, image, read, world } = lineBed(kind, { spoil: flip });
    const unit = bus.unit(1, PACING);
    expect(await read(unit, 8, 2)).toEqual([108, 109]);
    expect(image.asked).toHaveLength(2);
    spoiled = 2;
    expect(await world.clock.resolve(outcome(unit.read("holding", 20, 3, calm)), 5_000)).toMatchObject({
      kind: "malformed",
      message: expect.stringContaining("wrong checksum"),
    });
  });
});

describe("a serial line", () => {
  test("is silent for three and a half characters between two frames", async () => {
    const { bus, read, world, port, serve } = lineBed("rtu");
    port?.[Symbol.dispose]();
    let lastByteMs = 0;
    const gaps: number[] = [];
    world.serial.plug(LINE.path, (line) => {
      const device = serve({
        write: (bytes) => {
          line.write(bytes);
          lastByteMs = world.clock.monotonicMs() + (bytes.length * 10) / 9.6;
        },
      });
      return {
        ...device,
        data: (bytes) => {
          if (lastByteMs > 0) gaps.push(world.clock.monotonicMs() - lastByteMs - 10 / 9.6);
          lastByteMs = 0;
          device.data(bytes);
        },
      };
    });
    const unit = bus.unit(1, PACING);
    for (let round = 0; round < 5; round++) await read(unit, round, 1 + round);
    expect(gaps).toHaveLength(4);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual((3.5 * 11) / 9.6 - 0.01);
  });

  test("noise before an answer, and the line's own echo, are told from it", async () => {
    for (const more of [{ prefix: [0x00, 0xff] }, { hasEcho: true }]) {
      const { bus, image, read, world } = lineBed("rtu", more);
      const unit = bus.unit(1, PACING);
      expect(await read(unit, 7, 4)).toEqual([107, 108, 109, 110]);
      await world.clock.resolve(unit.write(6, [7], 6, calm), 5_000);
      expect(image.asked.at(-1)).toBe("1 6 = 7");
      await world.clock.resolve(unit.write(6, [8], 16, calm), 5_000);
      expect(image.asked.at(-1)).toBe("1 6 = 8");
    }
  });

  test("a write is not taken for done because the line returned it", async () => {
    const { bus, image, read, world } = lineBed("rtu", { hasEcho: true });
    const unit = bus.unit(1, PACING);
    await read(unit, 7, 4);
    image.writeHolding = () => ({ kind: "silence" });
    const write = await world.clock.resolve(outcome(unit.write(6, [7], 6, calm)), 10_000);
    expect(write).toMatchObject({ kind: "unreachable", message: expect.stringContaining("no answer") });
  });

  test("a line that is never silent says what may be wrong", async () => {
    const { bus, world, port } = lineBed("rtu");
    port?.[Symbol.dispose]();
    world.serial.plug(LINE.path, (line) => {
      const chatter = (): void => {
        line.write(Uint8Array.of(1, 2, 3));
        world.clock.timer(3, chatter);
      };
      chatter();
      return { data: () => undefined, closed: () => undefined };
    });
    const read = outcome(bus.unit(1, PACING).read("holding", 0, 1, calm));
    expect(await world.clock.resolve(read, 10_000)).toMatchObject({
      message: expect.stringContaining("never silent: another program asks there"),
    });
  });

  test("a port that is not there, or pulled out, is told by its name, and is found again", async () => {
    const { bus, read, world, port, serve } = lineBed("rtu");
    const unit = bus.unit(1, PACING);
    await read(unit, 1);
    port?.[Symbol.dispose]();
    const gone = await world.clock.resolve(outcome(unit.read("holding", 0, 1, calm)), 5_000);
    expect(gone).toMatchObject({ kind: "unreachable", message: expect.stringContaining("/dev/ttyUSB0") });
    world.serial.plug(LINE.path, serve);
    await world.clock.advance(40_000);
    expect(await read(unit, 2)).toEqual([102]);
  });
});

describe("late answers", () => {
  test.each(["rtu", "ascii", "rtu-over-tcp", "udp"] as const)(
    "%s: none is ever taken for a newer request",
    async (kind) => {
      const bed = lineBed(kind);
      const { bus, image, world } = bed;
      await serveNet(bed, kind);
      // Every third answer comes after all patience, most of them while another request of its shape is open.
      image.behave = (unit, address, count, index) => {
        const values = Array.from({ length: count }, (_unused, at) => 100 * unit + address + at);
        return index % 3 === 2 ? { kind: "values", values, delayMs: 1_000 + 137 * (index % 41) } : null;
      };
      const unit = bus.unit(1, PACING);
      let right = 0;
      for (let round = 0; round < 150; round++) {
        const address = round % 60;
        const got = await world.clock.resolve(outcome(unit.read("holding", address, 2, calm)), 60_000);
        if (got instanceof Uint16Array) {
          expect([...got]).toEqual([100 + address, 101 + address]);
          right += 1;
        }
        await world.clock.advance(700);
      }
      expect(right).toBeGreaterThan(20);
    },
  );

  test("a unit that is back after a silence is asked for something else first", async () => {
    const { bus, image, read, world } = lineBed("rtu");
    const unit = bus.unit(1, PACING);
    image.behave = () => ({ kind: "silence" });
    await world.clock.resolve(outcome(unit.read("holding", 5, 2, calm)), 10_000);
    image.behave = () => null;
    await world.clock.advance(3_000);
    expect(await read(unit, 5, 2)).toEqual([105, 106]);
    expect(image.asked).toEqual(["1 5+2", "1 5+1", "1 5+2"]);
    expect(await read(unit, 5, 2)).toEqual([105, 106]);
    expect(image.asked).toHaveLength(4);
  });
});

describe("other lines", () => {
  test("RTU over TCP passes the frames of a line on", async () => {
    const bed = lineBed("rtu-over-tcp");
    await serveNet(bed, "rtu-over-tcp");
    expect(await bed.read(bed.bus.unit(2, PACING), 4, 2)).toEqual([204, 205]);
  });

  test("datagrams may carry GoodWe's mark, and one that is lost is asked for again", async () => {
    const bed = lineBed("udp", { prefix: [0xaa, 0x55] });
    await serveNet(bed, "udp");
    const unit = bed.bus.unit(247, PACING);
    expect(await bed.read(unit, 4, 2)).toEqual([24_704, 24_705]);
    using _fault = bed.world.net.faults.begin({ kind: "lost-answer", host: HOST.host, share: 0.3 });
    const expectAnswer = countedExpect();
    for (let round = 0; round < 10; round++) {
      const got = await bed.world.clock.resolve(outcome(unit.read("holding", 4, 3, calm)), 60_000);
      if (got instanceof Uint16Array) expectAnswer([...got]).toEqual([24_704, 24_705, 24_706]);
      await bed.world.clock.advance(5_000);
    }
    expectAnswer.wasCalled();
  });

  test("a device that the first request only wakes answers the second one", async () => {
    const { bus, image, read } = lineBed("ascii");
    let isAsleep = true;
    image.behave = () => {
      const reply = isAsleep ? ({ kind: "silence" } as const) : null;
      isAsleep = false;
      return reply;
    };
    const unit = bus.unit(1, { ...PACING, isWokenByRequest: true });
    expect(await read(unit, 5, 5)).toEqual([105, 106, 107, 108, 109]);
    expect(image.asked).toEqual(["1 5+5", "1 5+5"]);
  });
});

describe("several units on one line", () => {
  test("a dead one takes a fifth of the time at most, and the others are served meanwhile", async () => {
    const { bus, image, world } = lineBed("rtu");
    image.behave = (unit) => (unit === 9 ? { kind: "silence" } : null);
    const [alive, dead] = [bus.unit(1, PACING), bus.unit(9, PACING)];
    let served = 0;
    let worstMs = 0;
    for (let second = 0; second < 300; second++) {
      const startMs = world.clock.monotonicMs();
      void outcome(dead.read("holding", 0, 2, calm));
      const got = await world.clock.resolve(outcome(alive.read("holding", 0, 2, calm)), 10_000);
      if (got instanceof Uint16Array) served += 1;
      worstMs = Math.max(worstMs, world.clock.monotonicMs() - startMs);
      await world.clock.advance(Math.max(0, 1_000 - (world.clock.monotonicMs() - startMs)));
    }
    expect(served).toBe(300);
    expect(worstMs).toBeLessThan(3_100);
    expect(image.asked.filter((asked) => asked.startsWith("9")).length).toBeLessThan(40);
  });
});

async function serveNet({ world, serve }: ReturnType<typeof lineBed>, kind: string): Promise<void> {
  if (kind === "rtu-over-tcp") await world.net.host().listen(HOST, (stream) => serve(stream));
  if (kind !== "udp") return;
  let asker = HOST as TcpAddress;
  const device = serve({ write: (answer) => socket.send(answer, asker) });
  const socket = await world.udp.host(HOST.host).open(
    { port: HOST.port },
    {
      datagram: (bytes, from) => {
        asker = from;
        device.data(bytes);
      },
      closed: () => undefined,
    },
  );
}

test("no value comes from a frame that was damaged on the way, however often that happens", async () => {
  const random = new SeededRandom(5);
  const flip = (bytes: Uint8Array): Uint8Array => {
    if (random.isChance(0.6)) return bytes;
    for (let flips = 1 + random.below(3); flips > 0; flips--) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    return random.isChance(0.2) ? bytes.slice(0, random.below(bytes.length)) : bytes;
  };
  const { bus, world } = lineBed("rtu", { spoil: flip });
  const unit = bus.unit(1, PACING);
  let right = 0;
  for (let round = 0; round < 400; round++) {
    const count = 1 + (round % 5);
    const got = await world.clock.resolve(outcome(unit.read("holding", round, count, calm)), 60_000);
    if (got instanceof Uint16Array) {
      expect([...got]).toEqual(Array.from({ length: count }, (_unused, at) => 100 + round + at));
      right += 1;
    }
    await world.clock.advance(1_000);
  }
  expect(right).toBeGreaterThan(30);
});
