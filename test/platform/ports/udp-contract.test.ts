/** What UDP keeps, the real one on loopback and the simulated one. */
import { afterEach, describe, expect, test } from "vitest";
import { nodeUdp } from "../../../src/platform/node/node-udp.ts";
import type { TcpAddress, Udp, UdpEvents, UdpSettings, UdpSocket } from "../../../src/platform/ports/ports.ts";
import { FaultPlan } from "../../../src/testing/fault-plan.ts";
import { SimUdp } from "../../../src/testing/network/sim-udp.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const GROUP = "239.12.255.254";

interface Subject {
  readonly udp: Udp;
  readonly host: string;
  wait<T>(promise: Promise<T>): Promise<T>;
}

const subjects: Record<string, () => Subject> = {
  node: () => ({ udp: nodeUdp, host: "127.0.0.1", wait: (promise) => promise }),
  simulated: () => {
    const clock = new VirtualClock();
    const random = new SeededRandom(1);
    const udp = new SimUdp(clock, random, new FaultPlan(clock, random)).host("192.168.1.2");
    return { udp, host: "192.168.1.2", wait: (promise) => clock.resolve(promise, 60_000) };
  },
};

/** Remembers what it was told, and lets a test wait for a text. */
function recorder() {
  const heard: [text: string, from: TcpAddress][] = [];
  let look = (): void => undefined;
  const end = Promise.withResolvers<Error | null>();
  const events: UdpEvents = {
    datagram(bytes, from) {
      heard.push([Buffer.from(bytes).toString(), from]);
      look();
    },
    closed: end.resolve,
  };
  const until = (text: string): Promise<TcpAddress> =>
    new Promise((resolve) => {
      look = () => {
        const found = heard.find(([each]) => each === text);
        if (found !== undefined) resolve(found[1]);
      };
      look();
    });
  return { events, heard, until, end: end.promise };
}

describe.each(Object.entries(subjects))("UDP contract, %s", (_name, make) => {
  const sockets: UdpSocket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket[Symbol.dispose]();
  });

  async function open({ udp, wait }: Subject, settings: UdpSettings = {}) {
    const heard = recorder();
    const socket = await wait(udp.open(settings, heard.events));
    sockets.push(socket);
    return { socket, ...heard };
  }

  test("a datagram arrives whole, with the address that an answer reaches", async () => {
    const subject = make();
    const [asking, answering] = [await open(subject), await open(subject)];
    asking.socket.send(Buffer.from("who?"), { host: subject.host, port: answering.socket.address.port });
    const from = await subject.wait(answering.until("who?"));
    expect(from.port).toBe(asking.socket.address.port);
    answering.socket.send(Buffer.from("me"), from);
    expect(await subject.wait(asking.until("me"))).toEqual({
      host: subject.host,
      port: answering.socket.address.port,
    });
  });

  test("every socket of a group hears what is sent to it, on a port that they share", async () => {
    const subject = make();
    const { address } = (await open(subject)).socket;
    sockets.splice(0)[0]?.[Symbol.dispose]();
    const settings = { port: address.port + 1, groups: [GROUP] };
    const listeners = [await open(subject, settings), await open(subject, settings)];
    const sender = await open(subject);
    sender.socket.send(Buffer.from("meter"), { host: GROUP, port: settings.port });
    for (const listener of listeners) await subject.wait(listener.until("meter"));
  });

  test("a port without groups belongs to one", async () => {
    const subject = make();
    const { socket } = await open(subject);
    const again = subject.wait(subject.udp.open({ port: socket.address.port }, recorder().events));
    await expect(again).rejects.toThrow(`cannot open UDP port ${socket.address.port}: it is taken by another program`);
  });

  test("a closed socket says so once, without an error, and sends nothing more", async () => {
    const subject = make();
    const [sender, listener] = [await open(subject), await open(subject)];
    const to = { host: subject.host, port: listener.socket.address.port };
    sender.socket[Symbol.dispose]();
    sender.socket[Symbol.dispose]();
    expect(await subject.wait(sender.end)).toBeNull();
    sender.socket.send(Buffer.from("late"), to);
    const other = await open(subject);
    other.socket.send(Buffer.from("fine"), to);
    await subject.wait(listener.until("fine"));
    expect(listener.heard.map(([text]) => text)).toEqual(["fine"]);
  });

  test("what cannot be sent is lost and harms nothing", async () => {
    const subject = make();
    const [sender, listener] = [await open(subject), await open(subject)];
    sender.socket.send(new Uint8Array(70_000), { host: subject.host, port: 9 });
    sender.socket.send(Buffer.from("next"), { host: subject.host, port: listener.socket.address.port });
    await subject.wait(listener.until("next"));
  });
});
