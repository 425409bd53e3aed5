/** What every net keeps, the real one on loopback and the simulated one. */
import { afterEach, describe, expect, test } from "vitest";
import { nodeNet } from "../../../src/platform/node/node-net.ts";
import type { Net, StreamEvents, TcpListener, TcpStream } from "../../../src/platform/ports/ports.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import { SimNet } from "../../../src/testing/network/sim-net.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
const LOOPBACK = "127.0.0.1";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Subject {
  readonly net: Net;
  wait<T>(promise: Promise<T>): Promise<T>;
}

const subjects: Record<string, () => Subject> = {
  node: () => ({ net: nodeNet(new TestLog()), wait: (promise) => promise }),
  simulated: () => {
    const clock = new VirtualClock();
    const net = new SimNet(clock, new SeededRandom(1)).host();
    return { net, wait: (promise) => clock.resolve(promise, 60_000) };
  },
};

/** Remembers what it was told, and lets a test wait for it. */
function recorder(): StreamEvents & { text(): string; until(text: string): Promise<void>; end: Promise<Error | null> } {
  let received = "";
  let isOver = false;
  const end = Promise.withResolvers<Error | null>();
  const waiting: { text: string; resolve: () => void }[] = [];
  return {
    data(chunk) {
      if (isOver) throw new Error("data after closed");
      received += new TextDecoder().decode(chunk);
      for (const { text, resolve } of waiting) if (received.includes(text)) resolve();
    },
    closed(error) {
      if (isOver) throw new Error("closed twice");
      isOver = true;
      end.resolve(error);
    },
    text: () => received,
    until: (text) =>
      new Promise((resolve) => {
        if (received.includes(text)) resolve();
        else waiting.push({ text, resolve });
      }),
    end: end.promise,
  };
}

describe.each(Object.entries(subjects))("net contract, %s", (_name, make) => {
  const toDispose: (TcpListener | Disposable)[] = [];
  afterEach(async () => {
    for (const thing of toDispose.splice(0).reverse()) {
      if (Symbol.asyncDispose in thing) await thing[Symbol.asyncDispose]();
      else thing[Symbol.dispose]();
    }
  });

  async function pair({ net, wait }: Subject) {
    const serverSide = recorder();
    let server: TcpStream | null = null;
    const listener = await wait(
      net.listen({ host: LOOPBACK, port: 0 }, (stream) => {
        server = stream;
        return serverSide;
      }),
    );
    toDispose.push(listener);
    const clientSide = recorder();
    const client = await wait(net.connect(listener.address, clientSide, NEVER));
    toDispose.push(client);
    client.write(bytes("hello."));
    await wait(serverSide.until("hello."));
    if (server === null) throw new Error("not accepted");
    return { listener, client, clientSide, server: server as TcpStream, serverSide };
  }

  test("bytes arrive whole and in order, both ways", async () => {
    const subject = make();
    const { client, clientSide, server, serverSide } = await pair(subject);
    for (let part = 0; part < 200; part += 1) {
      client.write(bytes(`${part},`));
      server.write(bytes(`${-part};`));
    }
    await subject.wait(serverSide.until("199,"));
    await subject.wait(clientSide.until("-199;"));
    expect(serverSide.text()).toBe(`hello.${Array.from({ length: 200 }, (_, part) => `${part},`).join("")}`);
    expect(clientSide.text()).toBe(Array.from({ length: 200 }, (_, part) => `${-part};`).join(""));
  });

  test("disposing ends both sides without an error, once", async () => {
    const subject = make();
    const { client, clientSide, serverSide } = await pair(subject);
    client[Symbol.dispose]();
    client[Symbol.dispose]();
    expect(await subject.wait(clientSide.end)).toBeNull();
    expect(await subject.wait(serverSide.end)).toBeNull();
    client.write(bytes("too late"));
    expect(client.bufferedBytes).toBe(0);
  });

  test("a peer that leaves ends our side without an error", async () => {
    const subject = make();
    const { clientSide, server } = await pair(subject);
    server[Symbol.dispose]();
    expect(await subject.wait(clientSide.end)).toBeNull();
  });

  test("disposing a listener ends its streams and frees its port", async () => {
    const subject = make();
    const { listener, clientSide } = await pair(subject);
    await subject.wait(Promise.resolve(listener[Symbol.asyncDispose]()));
    await subject.wait(clientSide.end);
    await expect(subject.wait(subject.net.connect(listener.address, recorder(), NEVER))).rejects.toThrow(DeviceError);
    const again = await subject.wait(subject.net.listen(listener.address, () => recorder()));
    toDispose.push(again);
    expect(again.address).toEqual(listener.address);
  });

  test("nobody listens: unreachable, with the address in the message", async () => {
    const subject = make();
    const { listener } = await pair(subject);
    await subject.wait(Promise.resolve(listener[Symbol.asyncDispose]()));
    const error = await subject.wait(
      subject.net.connect(listener.address, recorder(), NEVER).catch((reason: unknown) => reason),
    );
    expect(error).toBeInstanceOf(DeviceError);
    expect(error).toMatchObject({ kind: "unreachable" });
    expect((error as Error).message).toContain(`connect ${LOOPBACK}:${listener.address.port}: `);
  });

  test("an abort ends a connect with the signal's reason and tells the stream's owner nothing", async () => {
    const subject = make();
    const { listener } = await pair(subject);
    const reason = new Error("enough");
    const controller = new AbortController();
    const events = recorder();
    const connecting = subject.net.connect(listener.address, events, controller.signal);
    controller.abort(reason);
    await expect(subject.wait(connecting)).rejects.toBe(reason);
    await expect(subject.wait(subject.net.connect(listener.address, events, controller.signal))).rejects.toBe(reason);
    expect(await Promise.race([events.end, Promise.resolve("not told")])).toBe("not told");
  });

  test("a port that is taken is named", async () => {
    const subject = make();
    const { listener } = await pair(subject);
    await expect(subject.wait(subject.net.listen(listener.address, () => recorder()))).rejects.toThrow(
      `cannot listen on ${LOOPBACK}:${listener.address.port}: the port is taken by another program`,
    );
  });

  test("an owner that throws on data loses its stream, not the process", async () => {
    const subject = make();
    const { listener } = await pair(subject);
    const ended = Promise.withResolvers<Error | null>();
    const events: StreamEvents = {
      data: () => {
        throw new Error("bad decoder");
      },
      closed: ended.resolve,
    };
    const echo = recorder();
    const other = await subject.wait(
      subject.net.listen({ host: LOOPBACK, port: 0 }, (stream) => ({ ...echo, data: (chunk) => stream.write(chunk) })),
    );
    toDispose.push(other);
    expect(other.address.port).not.toBe(listener.address.port);
    const client = await subject.wait(subject.net.connect(other.address, events, NEVER));
    client.write(bytes("x"));
    expect((await subject.wait(ended.promise))?.message).toContain("bad decoder");
  });
});
