import { mqttAddress } from "../../platform/mqtt/mqtt-address.ts";
import { type MqttSession, ReconnectingLink, type SessionEvents } from "../../platform/mqtt/reconnecting-link.ts";
import type {
  Broker,
  BrokerAccess,
  BrokerMessage,
  Clock,
  Log,
  Mqtt,
  MqttLink,
  MqttServer,
  TcpAddress,
} from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import { DeviceError } from "../../points/device-error.ts";
import { type BrokerClient, MemoryBroker } from "../memory-broker.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { latencyMs } from "./sim-connection.ts";

const CONNECT_MS = 10_000;

/** The MQTT brokers of a simulated world, by where they are. */
export class SimMqtt {
  readonly #brokers = new Map<string, MemoryBroker>();

  /** The broker at a URL such as `mqtt://10.0.0.9`, which begins to run when it is first asked for. */
  broker(url: string, access?: BrokerAccess): MemoryBroker {
    const address = mqttAddress({ url });
    return this.at(address) ?? this.add(new MemoryBroker(address, access));
  }

  at({ host, port }: TcpAddress): MemoryBroker | undefined {
    return this.#brokers.get(`${host}:${port}`);
  }

  add(broker: MemoryBroker): MemoryBroker {
    this.#brokers.set(`${broker.address.host}:${broker.address.port}`, broker);
    return broker;
  }

  remove(broker: MemoryBroker): void {
    if (this.at(broker.address) === broker) this.#brokers.delete(`${broker.address.host}:${broker.address.port}`);
  }

  /** MQTT as one process sees it. */
  host(parts: { readonly clock: Clock; readonly random: SeededRandom; readonly log: Log }): SimMqttHost {
    return new SimMqttHost(this, parts);
  }
}

/** The MQTT of one process: what it opened dies with it. */
export class SimMqttHost implements Mqtt {
  readonly #world: SimMqtt;
  readonly #parts: { readonly clock: Clock; readonly random: SeededRandom; readonly log: Log };
  readonly #clients = new Set<SimSession>();
  readonly #own = new Set<MemoryBroker>();
  #isDead = false;

  constructor(world: SimMqtt, parts: { readonly clock: Clock; readonly random: SeededRandom; readonly log: Log }) {
    this.#world = world;
    this.#parts = parts;
  }

  /** Connections and own brokers that are open. */
  get open(): number {
    return this.#clients.size + this.#own.size;
  }

  connect(server: MqttServer): MqttLink {
    const address = mqttAddress(server);
    return new ReconnectingLink(this.#parts, (events, signal) => this.#dial(server, address, events, signal));
  }

  /** Opens a broker that runs in this process; clients of others find it, too. */
  async openBroker(address: TcpAddress, access: BrokerAccess): Promise<Broker> {
    if (this.#isDead) return await new Promise(() => undefined);
    if (this.#world.at(address) !== undefined) {
      throw new Error(`the MQTT broker cannot listen on ${address.host}:${address.port}`);
    }
    const broker = new MemoryBroker(address, access, () => {
      this.#own.delete(broker);
      this.#world.remove(broker);
    });
    this.#own.add(broker);
    return this.#world.add(broker);
  }

  /** Ends the process as SIGKILL does: its connections break, its brokers are gone with all that they kept. */
  kill(): void {
    this.#isDead = true;
    for (const session of this.#clients) session.die();
    this.#clients.clear();
    for (const broker of this.#own) {
      this.#world.remove(broker);
      broker.stop();
    }
    this.#own.clear();
  }

  async #dial(
    server: MqttServer,
    address: TcpAddress,
    events: SessionEvents,
    signal: AbortSignal,
  ): Promise<MqttSession> {
    const { clock, random } = this.#parts;
    const asked = `connect ${address.host}:${address.port}`;
    return await within(clock, CONNECT_MS, signal, async (limit) => {
      await clock.sleep(latencyMs(random) + latencyMs(random), limit);
      const broker = this.#world.at(address);
      if (broker?.isRunning !== true) throw new DeviceError("unreachable", `${asked}: ECONNREFUSED`);
      const { username = "", password = "" } = server;
      const rights = await broker.access.signIn({ username, password, address: "192.168.1.2" });
      if (rights === null)
        throw new DeviceError("unauthorized", `${asked}: Connection refused: Bad username or password`);
      limit.throwIfAborted();
      const session = new SimSession(broker, events, {
        ...this.#parts,
        will: server.will ?? null,
        onEnd: () => this.#clients.delete(session),
      });
      this.#clients.add(session);
      return session;
    });
  }
}

/** One connection between a process and a broker. What travels takes its time and keeps its order. */
class SimSession implements MqttSession, BrokerClient {
  readonly #filters = new Set<string>();
  readonly will: BrokerMessage | null;
  readonly #broker: MemoryBroker;
  readonly #events: SessionEvents;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #onEnd: () => void;
  readonly #underWay = new Set<Disposable>();
  #isOpen = true;
  #lastArrivalMs = 0;

  constructor(
    broker: MemoryBroker,
    events: SessionEvents,
    parts: { clock: Clock; random: SeededRandom; will: BrokerMessage | null; onEnd: () => void },
  ) {
    this.#broker = broker;
    this.#events = events;
    this.#clock = parts.clock;
    this.#random = parts.random;
    this.will = parts.will;
    this.#onEnd = parts.onEnd;
    broker.signIn(this);
  }

  publish(message: BrokerMessage): Promise<void> {
    return new Promise((acknowledged) => {
      this.#travel(() => {
        if (this.#broker.receive(message)) this.#travel(acknowledged);
      });
    });
  }

  subscribe(filter: string): Promise<void> {
    return new Promise((acknowledged) => {
      this.#travel(() => {
        this.#filters.add(filter);
        this.#broker.listen(this, filter);
        this.#travel(acknowledged);
        for (const message of this.#broker.keptUnder(filter)) this.deliver(message);
      });
    });
  }

  unsubscribe(filter: string): void {
    this.#travel(() => {
      this.#filters.delete(filter);
      this.#broker.leave(this, filter);
    });
  }

  deliver(message: BrokerMessage): void {
    this.#travel(() => this.#events.message(message));
  }

  cut(): void {
    if (!this.#end(false)) return;
    const notify = (): void => this.#events.closed(new DeviceError("unreachable", "the broker closed the connection"));
    this.#clock.timer(latencyMs(this.#random), notify);
  }

  /** The process died: the broker notices, the process does not. */
  die(): void {
    this.#end(false);
  }

  [Symbol.dispose](): void {
    if (this.#end(true)) this.#events.closed(null);
  }

  #end(hasSaidGoodbye: boolean): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    for (const timer of this.#underWay) timer[Symbol.dispose]();
    this.#underWay.clear();
    this.#onEnd();
    for (const filter of this.#filters) this.#broker.leave(this, filter);
    this.#broker.signOut(this, hasSaidGoodbye);
    return true;
  }

  /** Runs what arrives, after all that was sent before, unless the connection ended meanwhile. */
  #travel(arrive: () => void): void {
    const nowMs = this.#clock.monotonicMs();
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, nowMs + latencyMs(this.#random));
    const timer = this.#clock.timer(this.#lastArrivalMs - nowMs, () => {
      this.#underWay.delete(timer);
      arrive();
    });
    this.#underWay.add(timer);
  }
}
