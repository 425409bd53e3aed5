import { VirtualClock } from "hemgate/testing";
import { expect, test } from "vitest";
import type { Net, StreamEvents, TcpStream } from "../../src/platform/ports/ports.ts";
import {
  MAX_AHEAD_BYTES,
  MAX_CONNECTIONS,
  type ModbusImage,
  type ModbusReply,
  type ModbusServerOptions,
  serveModbus,
} from "../../src/testing/modbus-server.ts";

interface Client {
  send(hex: string): void;
  readonly got: string[];
  readonly isOpen: boolean;
  unread: number;
}

async function makeServer(image: Partial<ModbusImage> = {}, options: ModbusServerOptions = {}) {
  const clock = new VirtualClock();
  let accept: (stream: TcpStream) => StreamEvents = () => ({ data: () => undefined, closed: () => undefined });
  let isListening = false;
  const net: Pick<Net, "listen"> = {
    listen: async (address, handler) => {
      accept = handler;
      isListening = true;
      return {
        address,
        [Symbol.asyncDispose]: async () => {
          isListening = false;
        },
      };
    },
  };
  const refuse = (): ModbusReply => ({ kind: "exception", code: 2 });
  const server = await serveModbus(
    { net, clock },
    { readHolding: refuse, readInput: refuse, writeHolding: refuse, ...image },
    { host: "device", port: 502 },
    options,
  );
  const connect = (): Client => {
    let events: StreamEvents | null = null;
    let isOpen = true;
    const client = {
      got: [] as string[],
      unread: 0,
      send: (hex: string) => events?.data(Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"))),
      get isOpen() {
        return isOpen;
      },
    };
    events = accept({
      remote: { host: "client", port: 1 },
      get bufferedBytes() {
        return client.unread;
      },
      write: (bytes) => void client.got.push(Buffer.from(bytes).toString("hex")),
      [Symbol.dispose]: () => {
        isOpen = false;
      },
    });
    return client;
  };
  return { clock, server, connect, isListening: () => isListening };
}

const COUNTING: Partial<ModbusImage> = {
  readHolding: (_unit, address, count) => ({
    kind: "values",
    values: Array.from({ length: count }, (_none, index) => address + index),
  }),
};

test("a read is answered with the request's transaction, unit and function", async () => {
  const { connect } = await makeServer(COUNTING);
  const client = connect();
  client.send("abcd 0000 0006 11 03 0102 0003");
  expect(client.got).toEqual(["abcd0000000911030601020103" + "0104"]);
});

test("function 4 reads the other table", async () => {
  const { connect } = await makeServer({ readInput: (unit) => ({ kind: "values", values: [unit] }) });
  const client = connect();
  client.send("0001 0000 0006 07 04 0000 0001");
  expect(client.got).toEqual(["0001000000050704020007"]);
});

test("writes with function 6 and 16 reach the image and are echoed", async () => {
  const written: unknown[] = [];
  const { connect } = await makeServer({
    writeHolding: (...args) => {
      written.push(args);
      return { kind: "values", values: [] };
    },
  });
  const client = connect();
  client.send("0001 0000 0006 01 06 138c 2710");
  client.send("0002 0000 000b 01 10 0010 0002 04 0001 ffff");
  expect(written).toEqual([
    [1, 5004, [10_000], 6],
    [1, 16, [1, 0xffff], 16],
  ]);
  expect(client.got).toEqual(["00010000000601" + "06138c2710", "00020000000601" + "1000100002"]);
});

test("requests in one segment, and one in single bytes, are each answered", async () => {
  const { connect } = await makeServer(COUNTING);
  const client = connect();
  const request = "0000 0006 01 03 0000 0001";
  client.send(`0001 ${request} 0002 ${request}`);
  for (const byte of Buffer.from(`0003${request.replaceAll(" ", "")}`, "hex")) {
    client.send(byte.toString(16).padStart(2, "0"));
  }
  expect(client.got.map((answer) => answer.slice(0, 4))).toEqual(["0001", "0002", "0003"]);
});

test.each([
  ["an unknown function", "0006 01 2b 0e01 0000", "ab01"],
  ["a read of nothing", "0006 01 03 0000 0000", "8303"],
  ["a read of 126 registers", "0006 01 03 0000 007e", "8303"],
  ["a read past the last address", "0006 01 03 ffff 0002", "8302"],
  ["a read with a byte too many", "0007 01 03 0000 0001 00", "8303"],
  ["a read that is cut short", "0004 01 03 0000", "8303"],
  ["a write of 124 registers", "0006 01 10 0000 007c", "9003"],
  ["a write whose byte count lies", "0009 01 10 0000 0001 04 0001", "9003"],
  ["a write without its values", "0006 01 10 0000 0001", "9003"],
])("%s is answered with an exception and the connection stays", async (_name, pdu, answer) => {
  const { connect } = await makeServer(COUNTING);
  const client = connect();
  client.send(`0001 0000 ${pdu}`);
  client.send("0002 0000 0006 01 03 0000 0001");
  expect(client.got).toEqual([`00010000000301${answer}`, "0002000000050103020000"]);
});

test.each([
  ["text of another protocol", Buffer.from("GET / HTTP/1.1\r\n\r\n").toString("hex")],
  ["a protocol number that is not 0", "0001 0001 0006 01 03 0000 0001"],
  ["a length of 0", "0001 0000 0000 0000"],
  ["a length of 1", "0001 0000 0001 01"],
  ["a length beyond the protocol's", "0001 0000 00ff 01"],
])("%s closes the connection without an answer", async (_name, bytes) => {
  const { connect } = await makeServer(COUNTING);
  const client = connect();
  client.send(bytes);
  expect(client.got).toEqual([]);
  expect(client.isOpen).toBe(false);
});

test("an image's exception and its silence reach the client as such", async () => {
  const replies: ModbusReply[] = [{ kind: "exception", code: 4 }, { kind: "silence" }, { kind: "exception", code: 6 }];
  const { connect } = await makeServer({ readHolding: () => replies.shift() ?? { kind: "silence" } });
  const client = connect();
  for (const id of ["0001", "0002", "0003"]) client.send(`${id} 0000 0006 01 03 0000 0001`);
  expect(client.got).toEqual(["000100000003018304", "000300000003018306"]);
});

test("a late answer holds back the next one of its connection only", async () => {
  const delays = [500, 0, 0];
  const { clock, connect } = await makeServer({
    readHolding: (_unit, address) => ({ kind: "values", values: [address], delayMs: delays.shift() ?? 0 }),
  });
  const slow = connect();
  const other = connect();
  slow.send("0001 0000 0006 01 03 0001 0001 0002 0000 0006 01 03 0002 0001");
  other.send("0003 0000 0006 01 03 0003 0001");
  await clock.advance(499);
  expect(slow.got).toEqual([]);
  expect(other.got).toHaveLength(1);
  await clock.advance(10);
  expect(slow.got.map((answer) => answer.slice(0, 4))).toEqual(["0001", "0002"]);
});

test("a device that hangs up closes all of its connections and still listens", async () => {
  let isUp = false;
  const { server, connect } = await makeServer({
    readHolding: () => (isUp ? { kind: "values", values: [7] } : { kind: "hang-up" }),
  });
  const [first, second] = [connect(), connect()];
  first.send("0001 0000 0006 01 03 0000 0001");
  expect([first.isOpen, second.isOpen, server.connections]).toEqual([false, false, 0]);
  isUp = true;
  const third = connect();
  third.send("0001 0000 0006 01 03 0000 0001");
  expect(third.got).toEqual(["0001000000050103020007"]);
});

test("a client that sends far ahead of the answers is closed", async () => {
  const { connect } = await makeServer({ readHolding: () => ({ kind: "values", values: [0], delayMs: 1_000 }) });
  const client = connect();
  client.send("0001 0000 0006 01 03 0000 0001".repeat(1 + Math.ceil(MAX_AHEAD_BYTES / 12)));
  expect(client.isOpen).toBe(false);
});

test("a client that does not read its answers is closed", async () => {
  const { connect } = await makeServer(COUNTING);
  const client = connect();
  client.unread = MAX_AHEAD_BYTES + 1;
  client.send("0001 0000 0006 01 03 0000 0001");
  expect(client.isOpen).toBe(false);
});

test("one connection too many takes the place of the one that was unused for longest", async () => {
  const { server, connect } = await makeServer(COUNTING);
  const clients = Array.from({ length: MAX_CONNECTIONS }, connect);
  clients[0]!.send("0001 0000 0006 01 03 0000 0001");
  const late = connect();
  late.send("0001 0000 0006 01 03 0000 0001");
  expect([late.got.length, server.connections]).toStrictEqual([1, MAX_CONNECTIONS]);
  expect(clients.map(({ isOpen }) => isOpen).indexOf(false)).toBe(1);
  expect(clients.filter(({ isOpen }) => !isOpen)).toHaveLength(1);
});

test("disposing closes the connections, the listener, and the answers that wait", async () => {
  const { clock, server, connect, isListening } = await makeServer({
    readHolding: () => ({ kind: "values", values: [0], delayMs: 1_000 }),
  });
  const client = connect();
  client.send("0001 0000 0006 01 03 0000 0001");
  await server[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  expect([client.isOpen, isListening(), clock.pendingTimers]).toEqual([false, false, 0]);
});

const SWITCHES: Partial<ModbusImage> = {
  readCoils: (_unit, address, count) => ({
    kind: "values",
    values: Array.from({ length: count }, (_none, index) => (address + index) % 2),
  }),
  readDiscrete: () => ({ kind: "values", values: [1] }),
  writeCoil: (_unit, address) => (address === 9 ? { kind: "exception", code: 2 } : { kind: "values", values: [] }),
};

test("coils and discrete inputs are bits, the first in the lowest of a byte", async () => {
  const { connect } = await makeServer(SWITCHES);
  const client = connect();
  client.send("0001 0000 0006 01 01 0001 000a");
  client.send("0002 0000 0006 01 02 0001 0001");
  client.send("0003 0000 0006 01 05 0190 ff00");
  client.send("0004 0000 0006 01 05 0009 0000");
  client.send("0005 0000 0006 01 05 0001 0001");
  expect(client.got).toEqual([
    "000100000005010102" + "5501",
    "000200000004010201" + "01",
    "0003000000060105" + "0190ff00",
    "000400000003018502",
    "000500000003018503",
  ]);
});

test("a device without coils does not know their functions", async () => {
  const { connect } = await makeServer();
  const client = connect();
  client.send("0001 0000 0006 01 01 0001 0001");
  client.send("0002 0000 0006 01 05 0001 ff00");
  expect(client.got).toEqual(["000100000003018101", "000200000003018501"]);
});

test("a device for one client closes the second, and takes another when the first is gone", async () => {
  const { connect, server } = await makeServer(COUNTING, { maxClients: 1 });
  const first = connect();
  expect([first.isOpen, connect().isOpen, server.connections]).toEqual([true, false, 1]);
  first.send("0001 0001");
  expect(first.isOpen).toBe(true);
  first.send("0001 0001 0001");
  expect([first.isOpen, connect().isOpen]).toEqual([false, true]);
});

test("a device that closes after idle does so, and not before", async () => {
  const { connect, clock } = await makeServer(COUNTING, { idleCloseMs: 1_000 });
  const client = connect();
  await clock.advance(900);
  client.send("0001 0000 0006 01 03 0000 0001");
  await clock.advance(900);
  expect(client.isOpen).toBe(true);
  await clock.advance(100);
  expect(client.isOpen).toBe(false);
});
