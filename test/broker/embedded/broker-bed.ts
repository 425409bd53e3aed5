/** A broker on loopback whose guards run on a clock that the test moves, and clients of two kinds. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { generate, type Packet, parser } from "mqtt-packet";
import { openAedesBroker } from "../../../src/broker/embedded/open-broker.ts";
import { RetainedMessages } from "../../../src/broker/retained-messages.ts";
import { MqttLimits } from "../../../src/config/mqtt-config.ts";
import type { Broker, BrokerRights, BrokerSettings } from "../../../src/platform/ports/ports.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const RIGHTS: readonly BrokerRights[] = [
  { username: "app", publish: [], subscribe: ["hemgate/#"] },
  {
    username: "plug",
    publish: ["tele/#", "will/#", "a/#", "+/x"],
    subscribe: ["cmnd/#", "a/#", "will/#", "tele/#", "+/x"],
  },
  { username: "hub", publish: ["#"], subscribe: ["#"] },
];

export const bytes = (text: string) => new TextEncoder().encode(text);

export interface Bed extends AsyncDisposable {
  readonly broker: Broker;
  readonly clock: VirtualClock;
  readonly log: TestLog;
  readonly retained: RetainedMessages;
  /** An MQTT.js client that is connected. */
  client(username: string, more?: IClientOptions): Promise<MqttClient>;
  raw(): Promise<Raw>;
}

export async function openBed(limits: Partial<MqttLimits> = {}, settings: Partial<BrokerSettings> = {}): Promise<Bed> {
  const all = MqttLimits.parse(limits);
  const clock = new VirtualClock();
  const log = new TestLog();
  const retained = new RetainedMessages(all);
  const access = {
    signIn: async ({ username, password }: { username: string; password: string }) =>
      password === "right" ? (RIGHTS.find((each) => each.username === username) ?? null) : null,
    rightsOf: (username: string) => RIGHTS.find((each) => each.username === username) ?? null,
  };
  const opening = { host: "127.0.0.1", port: 0, tls: null, limits: all, ...settings };
  const broker = await openAedesBroker(opening, { clock, log, access, retained });
  const clients: MqttClient[] = [];
  const sockets: Socket[] = [];
  return {
    broker,
    clock,
    log,
    retained,
    async client(username, more = {}) {
      const client = mqtt.connect({
        host: "127.0.0.1",
        port: broker.address.port,
        username,
        password: "right",
        reconnectPeriod: 0,
        protocolVersion: 4,
        ...more,
      });
      clients.push(client);
      client.on("error", () => undefined);
      await Promise.race([
        next(client, "connect"),
        next(client, "close").then(() => Promise.reject(new Error("refused"))),
      ]);
      return client;
    },
    async raw() {
      const socket = connect(broker.address.port, "127.0.0.1");
      sockets.push(socket);
      await once(socket, "connect");
      return new Raw(socket);
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end(true);
      for (const socket of sockets) socket.destroy();
      await broker[Symbol.asyncDispose]();
    },
  };
}

/** A client that sends what no library would. */
export class Raw {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  readonly #packets: Packet[] = [];
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    const reader = parser({ protocolVersion: 4 });
    reader.on("packet", (packet) => {
      this.#packets.push(packet);
      this.#wake();
    });
    socket.on("data", (chunk) => void reader.parse(chunk));
    socket.on("error", () => undefined);
    this.closed = once(socket, "close");
  }

  send(packet: Packet | Uint8Array): void {
    this.socket.write(packet instanceof Uint8Array ? packet : generate(packet));
  }

  connect(username = "hub", more: object = {}): Promise<Packet> {
    const credentials = { username, password: Buffer.from("right") };
    this.send({
      cmd: "connect",
      clientId: "raw",
      protocolId: "MQTT",
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      ...credentials,
      ...more,
    });
    return this.next("connack");
  }

  /** The next packet of a kind; those before it are let go. */
  async next(cmd: Packet["cmd"]): Promise<Packet & Record<string, unknown>> {
    for (;;) {
      const packet = this.#packets.shift();
      if (packet?.cmd === cmd) return { ...packet };
      if (packet !== undefined) continue;
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
        this.closed.then(() => Promise.reject(new Error(`closed before ${cmd}`))),
      ]);
    }
  }
}

/** Messages as text, gathered until one says `end`. */
export function gather(client: MqttClient): { readonly seen: string[]; readonly end: Promise<void> } {
  const seen: string[] = [];
  const end = new Promise<void>((resolve) => {
    client.on("message", (topic, payload, packet) => {
      if (String(payload) === "end") return resolve();
      seen.push(`${topic}=${payload} q${packet.qos}${packet.retain ? " kept" : ""}`);
    });
  });
  return { seen, end };
}

/** The arguments of the next event. */
export function next(client: MqttClient, event: "connect" | "close" | "message"): Promise<readonly unknown[]> {
  return new Promise((resolve) => {
    client.once(event as "message", (...given: readonly unknown[]) => resolve(given));
  });
}
