import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { ConnectionGate } from "../../../src/platform/network/connection-gate.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

class FakeSocket extends EventEmitter {
  isDestroyed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit("close");
  }
}

function open(connections = 8, connectionsPerAddress = 4) {
  const log = new TestLog();
  const clock = new VirtualClock();
  const gate = new ConnectionGate({ limits: { connections, connectionsPerAddress }, clock, log, name: "API" });
  const come = (address: string): FakeSocket => {
    const socket = new FakeSocket(address);
    gate.admit(socket);
    return socket;
  };
  return { gate, log, clock, come };
}

const ended = (sockets: readonly FakeSocket[]) => sockets.map(({ isDestroyed }) => isDestroyed);

test("of one address, the connection that waited for longest without signing in gives way", () => {
  const { come, gate } = open();
  const sockets = Array.from({ length: 4 }, () => come("10.0.0.1"));
  gate.use(sockets[0]!);
  const newest = come("10.0.0.1");
  expect(ended([...sockets, newest])).toEqual([false, true, false, false, false]);
  expect(come("10.0.0.2").isDestroyed).toBe(false);
  expect(sockets[0]!.isDestroyed).toBe(false);
});

test("those that have signed in do not count against their address", () => {
  const { come, gate } = open();
  const held = Array.from({ length: 4 }, () => come("10.0.0.1"));
  for (const socket of held) gate.serve(socket);
  const strangers = Array.from({ length: 4 }, () => come("10.0.0.1"));
  expect(ended([...held, ...strangers])).not.toContain(true);
});

test("when all places are taken, the address that has the most gives one up, and not the newcomer's", () => {
  const { come } = open(8, 4);
  const one = come("10.0.0.1");
  const many = [
    ...Array.from({ length: 4 }, () => come("10.0.0.2")),
    ...Array.from({ length: 3 }, () => come("10.0.0.3")),
  ];
  const newcomer = come("10.0.0.4");
  expect([one.isDestroyed, newcomer.isDestroyed]).toEqual([false, false]);
  expect(ended(many)).toEqual([true, false, false, false, false, false, false]);
});

test("a signed-in connection that waits gives way after all strangers of its address, one that is served never", () => {
  const { come, gate } = open(4, 4);
  const [served, idle, stranger] = [come("10.0.0.1"), come("10.0.0.1"), come("10.0.0.1")] as const;
  gate.serve(served!);
  gate.serve(idle!);
  gate.rest(idle!);
  const fourth = come("10.0.0.2");
  gate.serve(fourth);
  gate.serve(come("10.0.0.2"));
  expect(ended([served!, idle!, stranger!])).toEqual([false, false, true]);
  gate.serve(come("10.0.0.3"));
  expect(ended([served!, idle!, fourth])).toEqual([false, true, false]);
  expect(come("10.0.0.4").isDestroyed).toBe(true);
  expect(served!.isDestroyed).toBe(false);
});

test("a place is free again once its connection is closed, and what never had one takes none away", () => {
  const { come, gate } = open(4, 4);
  const sockets = Array.from({ length: 4 }, () => come("10.0.0.1"));
  for (const socket of sockets) gate.serve(socket);
  const refused = come("10.0.0.2");
  expect(refused.isDestroyed).toBe(true);
  gate.serve(refused);
  sockets[0]!.destroy();
  const next = come("10.0.0.2");
  gate.serve(next);
  expect(next.isDestroyed).toBe(false);
  expect(come("10.0.0.3").isDestroyed).toBe(true);
});

test("the log has one line a minute, however many are closed", async () => {
  const { come, log, clock } = open(8, 1);
  for (let count = 0; count < 500; count += 1) come("10.0.0.1");
  expect(log.texts("warn")).toEqual(["API: too many connections; some were closed"]);
  await clock.advance(60_000);
  come("10.0.0.1");
  expect(log.lines.at(-1)?.fields).toEqual({ address: "10.0.0.1", closed: 499 });
});
