import { DeviceError } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { honest, PACING } from "./bus-pacing.ts";
import { busTo, calm, outcome } from "./bus-world.ts";
import { type Asked, evilServer, frame, rightAnswer } from "./evil-server.ts";

describe("silence", () => {
  test("a lost answer rejects when the time is up, and never hangs", async () => {
    await using server = await evilServer(() => undefined);
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const read = outcome(bus.unit(1, PACING).read("holding", 5, 1, calm));
    await server.received(1);
    await clock.advance(3_000);
    expect(await read).toMatchObject({
      kind: "unreachable",
      message: `127.0.0.1:${server.port}, unit 1, reading 1 holding register at 5: no answer in 3000 ms`,
    });
    await server.hasOpen(0);
  });

  test("three stray bytes alone are found out by the time limit", async () => {
    await using server = await evilServer(({ socket }) => socket.write(Buffer.of(1, 2, 3)));
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const read = outcome(bus.unit(1, PACING).read("holding", 5, 1, calm));
    await server.received(1);
    await clock.advance(3_000);
    expect(await read).toMatchObject({ kind: "unreachable" });
  });

  test("a late answer finds its connection closed and is never taken for a new one", async () => {
    let late: Asked | null = null;
    await using server = await evilServer((asked) => {
      if (asked.index === 0) late = asked;
      else {
        late?.socket.write(frame(late.id, 1, [3, 2, 0xde, 0xad]));
        asked.socket.write(rightAnswer(asked));
      }
    });
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const unit = bus.unit(1, PACING);
    const lost = outcome(unit.read("holding", 5, 1, calm));
    await server.received(1);
    await clock.advance(5_000);
    expect(await lost).toBeInstanceOf(DeviceError);
    expect([...(await unit.read("holding", 6, 1, calm))]).toEqual([6]);
  });

  test("one of several open requests that stays unanswered ends the connection and all of them", async () => {
    await using server = await evilServer((asked) => {
      if (asked.address !== 1) asked.socket.write(rightAnswer(asked));
    });
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 4 });
    const reads = [0, 1, 2, 3].map((address) => outcome(unit.read("holding", address, 1, calm)));
    await Promise.all([reads[0], reads[2], reads[3]]);
    await clock.advance(12_000);
    expect(await reads[1]).toMatchObject({ kind: "unreachable" });
    await server.hasOpen(0);
  });

  test("a silent unit delays its neighbour by its time limit once, then rests while the neighbour is served", async () => {
    await using server = await evilServer((asked) => {
      if (asked.unit !== 66) asked.socket.write(rightAnswer(asked));
    });
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const dead = bus.unit(66, PACING);
    const alive = bus.unit(1, PACING);
    const lost = [outcome(dead.read("holding", 0, 1, calm)), outcome(dead.read("holding", 1, 1, calm))];
    const kept = alive.read("holding", 7, 1, calm);
    await server.received(1);
    await clock.advance(3_000);
    expect([...(await kept)]).toEqual([7]);
    // The second request of the dead unit was not even tried.
    for (const error of await Promise.all(lost)) expect(error).toMatchObject({ kind: "unreachable" });
    await expect(dead.read("holding", 2, 1, calm)).rejects.toThrow("not asked for another");
    expect(server.asked.filter(({ unit }) => unit === 66)).toHaveLength(1);
    expect([...(await alive.read("holding", 8, 1, calm))]).toEqual([8]);
  });
});

describe("lost connections", () => {
  test("a peer that hangs up mid-request rejects it at once", async () => {
    await using server = await evilServer((asked) => void asked.socket.end());
    using bus = busTo(server.port).bus;
    await expect(bus.unit(1, PACING).read("holding", 0, 1, calm)).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("a peer that resets mid-request rejects it at once", async () => {
    await using server = await evilServer((asked) => void asked.socket.resetAndDestroy());
    using bus = busTo(server.port).bus;
    await expect(bus.unit(1, PACING).read("holding", 0, 1, calm)).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("nobody listening rejects, and the address rests before it is tried again", async () => {
    const server = await evilServer(honest);
    await server.stop();
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const unit = bus.unit(1, PACING);
    await expect(unit.read("holding", 0, 1, calm)).rejects.toThrow("nothing accepts connections at this port");
    await expect(unit.read("holding", 0, 1, calm)).rejects.toThrow("not asked for another");
    await using back = await evilServer(honest, server.port);
    await clock.advance(1_000);
    expect([...(await unit.read("holding", 4, 1, calm))]).toEqual([4]);
    expect(back.accepted).toBe(1);
  });

  test("a server that restarts is found again without being told", async () => {
    const server = await evilServer(honest);
    const { bus, clock } = busTo(server.port);
    using _bus = bus;
    const unit = bus.unit(1, PACING);
    await unit.read("holding", 0, 1, calm);
    await server.stop();
    await using _back = await evilServer(honest, server.port);
    await outcome(unit.read("holding", 0, 1, calm));
    await clock.advance(1_000);
    expect([...(await unit.read("holding", 4, 1, calm))]).toEqual([4]);
  });

  test("a device that accepts and hangs up is not asked again and again", async () => {
    await using server = await evilServer((asked) => void asked.socket.destroy());
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    const reads = Array.from({ length: 20 }, () => outcome(unit.read("holding", 0, 1, calm)));
    for (const error of await Promise.all(reads)) expect(error).toMatchObject({ kind: "unreachable" });
    expect(server.accepted).toBe(1);
  });
});

describe("giving up", () => {
  test("an aborted request rejects with the reason, and its answer is dropped without harm", async () => {
    const held: Asked[] = [];
    await using server = await evilServer((asked) => {
      if (asked.index === 0) held.push(asked);
      else asked.socket.write(rightAnswer(asked));
    });
    using bus = busTo(server.port).bus;
    const unit = bus.unit(1, PACING);
    const giveUp = new AbortController();
    const first = outcome(unit.read("holding", 1, 1, giveUp.signal));
    const queued = outcome(unit.read("holding", 2, 1, giveUp.signal));
    const other = unit.read("holding", 3, 1, calm);
    await server.received(1);
    const reason = new Error("enough");
    giveUp.abort(reason);
    expect(await first).toBe(reason);
    expect(await queued).toBe(reason);
    held[0]?.socket.write(rightAnswer(held[0]));
    expect([...(await other)]).toEqual([3]);
    expect(server.asked.map(({ address }) => address)).toEqual([1, 3]);
  });

  test("a signal that is aborted already costs no request", async () => {
    await using server = await evilServer(honest);
    using bus = busTo(server.port).bus;
    await expect(bus.unit(1, PACING).read("holding", 1, 1, AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
    expect(server.accepted).toBe(0);
  });

  test("closing rejects what is open and what waits, at once and once, and leaves no socket", async () => {
    await using server = await evilServer(() => undefined);
    const { bus } = busTo(server.port);
    const unit = bus.unit(1, PACING);
    const reads = [outcome(unit.read("holding", 1, 1, calm)), outcome(unit.read("holding", 2, 1, calm))];
    await server.received(1);
    bus[Symbol.dispose]();
    bus[Symbol.dispose]();
    for (const error of await Promise.all(reads)) expect(error).toMatchObject({ kind: "unreachable" });
    await server.hasOpen(0);
    await expect(unit.read("holding", 1, 1, calm)).rejects.toThrow("the bus is closed");
  });

  test("closing while it connects leaves no socket behind", async () => {
    await using server = await evilServer(honest);
    const { bus } = busTo(server.port);
    const read = outcome(bus.unit(1, PACING).read("holding", 1, 1, calm));
    bus[Symbol.dispose]();
    expect(await read).toMatchObject({ kind: "unreachable" });
    await server.hasOpen(0);
  });

  test("three hundred buses opened and closed leave no connection", async () => {
    await using server = await evilServer(honest);
    for (let cycle = 0; cycle < 300; cycle++) {
      using bus = busTo(server.port).bus;
      await bus.unit(1, PACING).read("holding", cycle, 1, calm);
    }
    await server.hasOpen(0);
    expect(server.accepted).toBe(300);
  });
});
