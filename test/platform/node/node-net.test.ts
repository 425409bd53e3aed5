/** What only real sockets do: resets, peers that do not read, ports below the user's rights. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { MAX_UNSENT_BYTES, nodeNet } from "../../../src/platform/node/node-net.ts";
import { TestLog } from "../../../src/testing/test-log.ts";

const NEVER = new AbortController().signal;
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function server(onSocket: (socket: Socket) => void): Promise<{ host: string; port: number }> {
  const listening = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  servers.push(listening);
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { host: "127.0.0.1", port: address.port };
}

test("a reset by the peer ends the stream with an error that names the address", async () => {
  const address = await server((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const closed = Promise.withResolvers<Error | null>();
  const stream = await nodeNet(new TestLog()).connect(
    address,
    { data: () => undefined, closed: closed.resolve },
    NEVER,
  );
  stream.write(Uint8Array.of(1));
  const error = await closed.promise;
  expect(error).toMatchObject({ kind: "unreachable" });
  expect(error?.message).toContain(`stream 127.0.0.1:${address.port}: `);
});

test("a peer that does not read costs a bounded amount of memory, then its stream", async () => {
  const address = await server((socket) => socket.pause());
  const closed = Promise.withResolvers<Error | null>();
  const stream = await nodeNet(new TestLog()).connect(
    address,
    { data: () => undefined, closed: closed.resolve },
    NEVER,
  );
  const chunk = new Uint8Array(64 * 1024);
  let written = 0;
  let largest = 0;
  while (written < 64 * MAX_UNSENT_BYTES && stream.bufferedBytes <= MAX_UNSENT_BYTES) {
    stream.write(chunk);
    written += chunk.length;
    largest = Math.max(largest, stream.bufferedBytes);
  }
  expect(largest).toBeLessThanOrEqual(MAX_UNSENT_BYTES + chunk.length);
  expect((await closed.promise)?.message).toContain("does not read");
});

test("a stream with a buffer hands out parts of it, as many as it takes, and its end", async () => {
  const sent = Uint8Array.from({ length: 1_000 }, (_, at) => at);
  const address = await server((socket) => socket.end(sent));
  const [received, closed] = [[] as number[], Promise.withResolvers<Error | null>()];
  const buffer = new Uint8Array(64);
  const data = (bytes: Uint8Array): void => {
    expect(bytes.buffer).toBe(buffer.buffer);
    received.push(...bytes);
  };
  await nodeNet(new TestLog()).connect(address, { buffer, data, closed: closed.resolve }, NEVER);
  expect(await closed.promise).toBeNull();
  expect(received).toEqual([...sent]);
});

test("a fault in the receiver of a stream with a buffer costs the stream, and nothing more is handed out", async () => {
  const address = await server((socket) => socket.write(new Uint8Array(256)));
  const closed = Promise.withResolvers<Error | null>();
  let calls = 0;
  const data = (): void => {
    calls += 1;
    throw new Error("cannot read this");
  };
  await nodeNet(new TestLog()).connect(address, { buffer: new Uint8Array(64), data, closed: closed.resolve }, NEVER);
  expect((await closed.promise)?.message).toContain("cannot read this");
  expect(calls).toBe(1);
});

test("an aborted connect leaves no socket behind", async () => {
  const left = Promise.withResolvers<void>();
  const address = await server((socket) => {
    socket.resume();
    socket.once("close", () => left.resolve());
  });
  const controller = new AbortController();
  const connecting = nodeNet(new TestLog()).connect(
    address,
    { data: () => undefined, closed: () => undefined },
    controller.signal,
  );
  const outcome = connecting.catch((error: unknown) => error);
  controller.abort(new Error("enough"));
  expect(await outcome).toMatchObject({ message: "enough" });
  // Had the kernel finished the handshake, the server sees that stream end; otherwise it never sees one.
  const isOpen = await new Promise((resolve) => servers[0]?.getConnections((_error, count) => resolve(count > 0)));
  if (isOpen === true) await left.promise;
});

test("a listener that cannot serve a stream says so and serves the next", async () => {
  const log = new TestLog();
  const net = nodeNet(log);
  let accepted = 0;
  await using listener = await net.listen({ host: "127.0.0.1", port: 0 }, (stream) => {
    accepted += 1;
    if (accepted === 1) throw new Error("bug");
    return { data: (bytes) => stream.write(bytes), closed: () => undefined };
  });
  const first = Promise.withResolvers<Error | null>();
  await net.connect(listener.address, { data: () => undefined, closed: first.resolve }, NEVER);
  await first.promise;
  const echo = Promise.withResolvers<Uint8Array>();
  using second = await net.connect(listener.address, { data: echo.resolve, closed: () => undefined }, NEVER);
  second.write(Uint8Array.of(9));
  expect([...(await echo.promise)]).toEqual([9]);
  expect(log.texts("error")).toEqual(["a new stream could not be served"]);
});

test("an address that the machine does not have is said so", async () => {
  const listening = nodeNet(new TestLog()).listen({ host: "192.0.2.1", port: 5020 }, () => ({
    data: () => undefined,
    closed: () => undefined,
  }));
  await expect(listening).rejects.toThrow("cannot listen on 192.0.2.1:5020: the machine has no such address");
});
