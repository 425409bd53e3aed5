import { DeviceError } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import { honest, PACING } from "./bus-pacing.ts";
import { busTo, calm, outcome } from "./bus-world.ts";
import { type Asked, evilServer, exceptionAnswer, frame, registersPdu, rightAnswer } from "./evil-server.ts";

describe("answers", () => {
  test("registers come back in order, for holding and for input", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    const unit = bus.unit(7, PACING);
    expect([...(await unit.read("holding", 100, 3, calm))]).toEqual([100, 101, 102]);
    expect([...(await unit.read("input", 65_411, 125, calm))][124]).toBe(65_535);
    expect(server.asked.map(({ unit, code }) => [unit, code])).toEqual([
      [7, 3],
      [7, 4],
    ]);
  });

  test("a write is sent with the function asked for, several registers always with 16", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    await unit.write(10, [0xabcd], 6, calm);
    await unit.write(10, [1], 16, calm);
    await unit.write(10, [1, 2], 6, calm);
    expect(server.asked.map(({ code, count }) => [code, count])).toEqual([
      [6, 0xabcd],
      [16, 1],
      [16, 2],
    ]);
  });

  test("a thousand reads over a window of 16 each get their own answer when answers come reversed", async () => {
    let held: Asked[] = [];
    await using server = await evilServer((asked) => {
      held.push(asked);
      if (held.length < 8) return;
      asked.socket.write(Buffer.concat(held.reverse().map(rightAnswer)));
      held = [];
    });
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 16 });
    for (let round = 0; round < 5; round++) {
      const reads = Array.from({ length: 200 }, (_, index) => unit.read("holding", 200 * round + index, 1, calm));
      const values = (await Promise.all(reads)).map(([register]) => register);
      expect(values).toEqual(Array.from({ length: 200 }, (_, index) => 200 * round + index));
    }
    expect(server.accepted).toBe(1);
  });

  test("frames that dribble in byte by byte are put together", async () => {
    await using server = await evilServer((asked) => {
      for (const byte of rightAnswer(asked)) asked.socket.write(Buffer.of(byte));
    });
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    for (let address = 0; address < 50; address++) {
      expect([...(await unit.read("holding", address, 2, calm))]).toEqual([address, address + 1]);
    }
  });

  test("ten answers in one segment, cut anywhere, are taken apart", async () => {
    let held: Buffer[] = [];
    await using server = await evilServer((asked) => {
      held.push(rightAnswer(asked));
      if (held.length < 10) return;
      const bytes = Buffer.concat(held);
      asked.socket.write(bytes.subarray(0, 47));
      asked.socket.write(bytes.subarray(47));
      held = [];
    });
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 10 });
    const reads = Array.from({ length: 10 }, (_, index) => unit.read("holding", index, 5, calm));
    expect((await Promise.all(reads)).map(([first]) => first)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("requests of several units at once each reach their unit", async () => {
    await using server = await evilServer((asked) => {
      asked.socket.write(frame(asked.id, asked.unit, [asked.code, 2, 0, asked.unit]));
    });
    using bus = busTo(server.port).bus;
    const reads = [1, 2, 3, 1, 2, 3].map((id) => bus.unit(id, PACING).read("holding", 0, 1, calm));
    expect((await Promise.all(reads)).map(([register]) => register)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(server.accepted).toBe(1);
  });
});

describe("exception answers", () => {
  test.each([1, 2, 3, 4, 5, 6, 8, 12, 99])(
    "code %i rejects that request only and keeps the connection",
    async (code) => {
      await using server = await evilServer((asked) => {
        asked.socket.write(asked.index === 0 ? exceptionAnswer(asked, code) : rightAnswer(asked));
      });
      using bus = busTo(server.port).bus;
      const unit = bus.unit(1, PACING);
      const [refused, read] = await Promise.all([
        outcome(unit.read("holding", 5, 1, calm)),
        outcome(unit.read("holding", 6, 1, calm)),
      ]);
      expect(refused).toBeInstanceOf(ModbusException);
      expect(refused).toMatchObject({ kind: "rejected", code });
      expect(String(refused)).toMatch(`unit 1, reading 1 holding register at 5: exception ${code}, `);
      expect(read).toEqual(Uint16Array.of(6));
      expect(server.accepted).toBe(1);
    },
  );

  test.each([10, 11])("code %i lets the unit behind the gateway rest and keeps the connection", async (code) => {
    await using server = await evilServer((asked) => {
      asked.socket.write(asked.unit === 9 ? exceptionAnswer(asked, code) : rightAnswer(asked));
    });
    using bus = busTo(server.port).bus;
    const dead = bus.unit(9, PACING);
    await expect(dead.read("holding", 0, 1, calm)).rejects.toMatchObject({ kind: "rejected", code });
    await expect(dead.read("holding", 0, 1, calm)).rejects.toThrow("not asked for another");
    expect([...(await bus.unit(1, PACING).read("holding", 3, 1, calm))]).toEqual([3]);
    expect(server.asked.map(({ unit }) => unit)).toEqual([9, 1]);
    expect(server.accepted).toBe(1);
  });
});

describe("answers that do not fit", () => {
  const lies: Readonly<Record<string, (asked: Asked) => Buffer>> = {
    "another transaction id": (asked) => frame(asked.id + 1, asked.unit, registersPdu(asked)),
    "a transaction id that is always 0": (asked) => frame(0, asked.unit, registersPdu(asked)),
    "another unit": (asked) => frame(asked.id, asked.unit + 1, registersPdu(asked)),
    "another function": (asked) => frame(asked.id, asked.unit, [4, ...registersPdu(asked).slice(1)]),
    "an exception of another function": (asked) => frame(asked.id, asked.unit, [0x84, 2]),
    "an exception with bytes behind it": (asked) => frame(asked.id, asked.unit, [0x83, 2, 0]),
    "fewer registers": (asked) => frame(asked.id, asked.unit, [3, 2, 0, 1]),
    "more registers": (asked) => frame(asked.id, asked.unit, registersPdu({ ...asked, count: asked.count + 1 })),
    "a byte count that lies": (asked) => frame(asked.id, asked.unit, [3, 99, ...registersPdu(asked).slice(2)]),
    "no registers": (asked) => frame(asked.id, asked.unit, [3]),
    "another protocol": (asked) => frame(asked.id, asked.unit, registersPdu(asked), 1),
    "length 0": (asked) => frame(asked.id, asked.unit, registersPdu(asked), 0, 0),
    "length 1": (asked) => frame(asked.id, asked.unit, registersPdu(asked), 0, 1),
    "length 255": (asked) => frame(asked.id, asked.unit, registersPdu(asked), 0, 255),
    "length 65535": (asked) => frame(asked.id, asked.unit, registersPdu(asked), 0, 65_535),
    "the text of a web server": () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
    "a flood of 0xFF": () => Buffer.alloc(100_000, 0xff),
    "three stray bytes before the answer": (asked) => Buffer.concat([Buffer.of(1, 2, 3), rightAnswer(asked)]),
    "the answer twice": (asked) => Buffer.concat([rightAnswer(asked), rightAnswer(asked)]),
  };

  test.each(Object.entries(lies))(
    "%s ends the connection at once; after a rest a new one reads right",
    async (name, lie) => {
      await using server = await evilServer((asked) => {
        asked.socket.write(asked.index === 0 ? lie(asked) : rightAnswer(asked));
      });
      const { bus, clock } = busTo(server.port);
      using _bus = bus;
      const unit = bus.unit(1, PACING);
      const first = await outcome(unit.read("holding", 5, 4, calm));
      const isAnswered = name === "the answer twice";
      expect(first).toEqual(isAnswered ? Uint16Array.of(5, 6, 7, 8) : expect.objectContaining({ kind: "malformed" }));
      await server.hasOpen(0);
      await clock.advance(2_000);
      expect([...(await unit.read("holding", 9, 1, calm))]).toEqual([9]);
      expect(server.accepted).toBe(2);
    },
  );

  test.each([
    ["another address", [6, 0, 11, 0, 1]],
    ["another value", [6, 0, 10, 0, 2]],
    ["a short echo", [6, 0, 10]],
  ])("a write echoed with %s is not taken for done", async (_name, pdu) => {
    await using server = await evilServer(({ socket, id, unit }) => socket.write(frame(id, unit, pdu)));
    using bus = busTo(server.port).bus;
    await expect(bus.unit(1, PACING).write(10, [1], 6, calm)).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("arguments", () => {
  test.each([
    ["no registers", 0, 0],
    ["126 registers", 0, 126],
    ["70000 registers", 0, 70_000],
    ["a negative count", 0, -1],
    ["half a register", 0, 1.5],
    ["address NaN", Number.NaN, 1],
    ["a negative address", -1, 1],
    ["address 65536", 65_536, 1],
    ["registers beyond the table", 65_535, 2],
  ])("%s: a read throws before anything is sent", async (_name, address, count) => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    await expect(bus.unit(1, PACING).read("holding", address, count, calm)).rejects.toThrow(RangeError);
    expect(server.accepted).toBe(0);
  });

  test("writes are held to the protocol too", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    await expect(unit.write(0, [], 16, calm)).rejects.toThrow(RangeError);
    await expect(unit.write(0, new Array<number>(124).fill(0), 16, calm)).rejects.toThrow(RangeError);
    await expect(unit.write(0, [65_536], 6, calm)).rejects.toThrow(RangeError);
    await expect(unit.write(0, [-1], 6, calm)).rejects.toThrow(RangeError);
    await unit.write(0, new Array<number>(123).fill(7), 16, calm);
    expect(() => bus.unit(256, PACING)).toThrow(RangeError);
    expect(server.asked).toHaveLength(1);
  });

  test("more requests than may wait are refused", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    const reads = Array.from({ length: 300 }, (_, index) => outcome(unit.read("holding", index, 1, calm)));
    const refused = (await Promise.all(reads)).filter((each) => each instanceof DeviceError);
    expect(refused).toHaveLength(44);
    expect(String(refused[0])).toMatch("256 requests wait already");
  });
});

describe("turns", () => {
  test("a write goes before the reads that wait", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    const other = bus.unit(2, PACING);
    await Promise.all([
      unit.read("holding", 1, 1, calm),
      unit.read("holding", 2, 1, calm),
      other.read("holding", 3, 1, calm),
      unit.write(4, [1], 6, calm),
    ]);
    expect(server.asked[0]?.code).toBe(6);
  });

  test("units take turns, however much one of them asks", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    const busy = bus.unit(1, PACING);
    const modest = bus.unit(2, PACING);
    await Promise.all([
      ...[0, 1, 2, 3, 4, 5].map((address) => busy.read("holding", address, 1, calm)),
      ...[0, 1].map((address) => modest.read("holding", address, 1, calm)),
    ]);
    expect(
      server.asked
        .slice(0, 4)
        .map(({ unit }) => unit)
        .sort(),
    ).toEqual([1, 1, 2, 2]);
  });

  test("a unit that wants a pause gets it, and others are served meanwhile", async () => {
    await using server = await evilServer(honest);
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const slow = bus.unit(1, { minGapMs: 500, inFlight: 1 });
    const quick = bus.unit(2, PACING);
    await slow.read("holding", 0, 1, calm);
    const second = slow.read("holding", 1, 1, calm);
    await quick.read("holding", 2, 1, calm);
    await quick.read("holding", 3, 1, calm);
    expect(server.asked.map(({ address }) => address)).toEqual([0, 2, 3]);
    await clock.advance(499);
    expect(server.asked).toHaveLength(3);
    await clock.advance(1);
    await second;
    expect(server.asked.map(({ address }) => address)).toEqual([0, 2, 3, 1]);
  });

  test("what is queued in one go leaves in one segment", async () => {
    const segments: number[] = [];
    await using server = await evilServer((asked) => {
      if (asked.index === 0) asked.socket.on("data", (bytes) => segments.push(bytes.length));
      asked.socket.write(rightAnswer(asked));
    });
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 8 });
    await unit.read("holding", 0, 1, calm);
    await Promise.all([1, 2, 3, 4].map((address) => unit.read("holding", address, 1, calm)));
    expect(segments.at(-1)).toBe(4 * 12);
  });

  test("reads that are asked for together each keep their own outcome, in the order asked", async () => {
    await using server = await evilServer((asked) =>
      asked.socket.write(asked.address === 20 ? exceptionAnswer(asked, 2) : rightAnswer(asked)),
    );
    using bus = busTo(server.port).bus;
    const ranges = [10, 20, 30].map((address) => ({ table: "holding", address, count: 2 }) as const);
    const wrong = { table: "holding", address: 0, count: 126 } as const;
    const outcomes = await bus.unit(1, PACING).readAll?.([...ranges, wrong], calm);
    expect(outcomes).toEqual([
      Uint16Array.of(10, 11),
      { error: expect.any(ModbusException) },
      Uint16Array.of(30, 31),
      { error: expect.any(RangeError) },
    ]);
    expect(server.asked.map(({ address }) => address)).toEqual([10, 20, 30]);
    expect(await bus.unit(1, PACING).readAll?.([], calm)).toEqual([]);
  });

  test("reads that are asked for together end together when their caller gives up", async () => {
    const unanswered = Promise.withResolvers<void>();
    await using server = await evilServer((asked) => {
      if (asked.address < 20) asked.socket.write(rightAnswer(asked));
      else unanswered.resolve();
    });
    using bus = busTo(server.port).bus;
    const giveUp = new AbortController();
    const ranges = [10, 20, 30].map((address) => ({ table: "holding", address, count: 1 }) as const);
    const outcomes = bus.unit(1, PACING).readAll?.(ranges, giveUp.signal);
    await unanswered.promise;
    giveUp.abort(new Error("enough"));
    expect((await outcomes)?.slice(1)).toEqual([{ error: giveUp.signal.reason }, { error: giveUp.signal.reason }]);
  });
});
