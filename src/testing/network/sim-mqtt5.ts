import { mqttAddress } from "../../platform/mqtt/mqtt-address.ts";
import {
  type Mqtt5,
  type Mqtt5Connection,
  Mqtt5Error,
  type Mqtt5Events,
  type Mqtt5Message,
  type Mqtt5Request,
} from "../../platform/ports/mqtt5-port.ts";
import type { BrokerMessage, Clock } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { BrokerClient, MemoryBroker } from "../memory-broker.ts";
import { MemorySessions, type SessionHolder } from "../memory-sessions.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type BehaviourConnection, Mqtt5Behaviour } from "./mqtt5-behaviour.ts";
import { latencyMs } from "./sim-connection.ts";
import type { SimMqtt } from "./sim-mqtt.ts";

const CONNECT_MS = 20_000;
/** Bytes of a packet beside its topic and payload, at most. */
const HEAD_BYTES = 64;
const TAKEN_OVER = 0x8e;
const NOT_AUTHORIZED = 0x87;
const RECEIVE_MAXIMUM_EXCEEDED = 0x93;
const PACKET_TOO_LARGE = 0x95;
const SHUTTING_DOWN = 0x8b;
const UNSUPPORTED_VERSION = 0x84;

/** MQTT 5 at the brokers of a world. */
export class SimMqtt5 {
  readonly #brokers: SimMqtt;
  readonly #clock: Clock;
  readonly #behaviour = new WeakMap<MemoryBroker, Mqtt5Behaviour>();

  constructor(brokers: SimMqtt, clock: Clock) {
    this.#brokers = brokers;
    this.#clock = clock;
  }

  /** How the broker at a URL behaves. */
  behaviour(url: string): Mqtt5Behaviour {
    return this.behaviourOf(this.#brokers.broker(url));
  }

  behaviourOf(broker: MemoryBroker): Mqtt5Behaviour {
    const known = this.#behaviour.get(broker);
    if (known !== undefined) return known;
    const made = new Mqtt5Behaviour(new MemorySessions(broker, this.#clock));
    this.#behaviour.set(broker, made);
    return made;
  }

  at(url: string): MemoryBroker | undefined {
    return this.#brokers.at(mqttAddress({ url }));
  }

  /** MQTT 5 as one process sees it. */
  host(parts: { readonly clock: Clock; readonly random: SeededRandom }): SimMqtt5Host {
    return new SimMqtt5Host(this, parts);
  }
}

/** The MQTT 5 of one process: what it opened dies with it. */
export class SimMqtt5Host implements Mqtt5 {
  readonly #world: SimMqtt5;
  readonly #parts: { readonly clock: Clock; readonly random: SeededRandom };
  readonly #open = new Set<SimMqtt5Connection>();

  constructor(world: SimMqtt5, parts: { readonly clock: Clock; readonly random: SeededRandom }) {
    this.#world = world;
    this.#parts = parts;
  }

  /** Connections that are open. */
  get openConnections(): number {
    return this.#open.size;
  }

  /** Ends the process as SIGKILL does. */
  kill(): void {
    for (const connection of [...this.#open]) connection.die();
  }

  async open(request: Mqtt5Request, events: Mqtt5Events, signal: AbortSignal): Promise<Mqtt5Connection> {
    const { clock } = this.#parts;
    mqttAddress(request);
    try {
      return await within(clock, CONNECT_MS, signal, (limit) => this.#signIn(request, events, limit));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TimeoutError)) throw error;
      throw new Mqtt5Error(`${request.url}: connack timeout`, { reasonCode: null });
    }
  }

  async #signIn(request: Mqtt5Request, events: Mqtt5Events, limit: AbortSignal): Promise<Mqtt5Connection> {
    const { clock, random } = this.#parts;
    await clock.sleep(latencyMs(random) + latencyMs(random), limit);
    const broker = this.#world.at(request.url);
    if (broker?.isRunning !== true) throw new Mqtt5Error(`${request.url}: ECONNREFUSED`, { reasonCode: null });
    const behaviour = this.#world.behaviourOf(broker);
    if (behaviour.isSilent) await clock.sleep(CONNECT_MS, limit);
    behaviour.connects.push(request);
    checkVersion(request, behaviour);
    const { username = "", password = "" } = request.credentials;
    const rights = await broker.access.signIn({ username, password, address: "192.168.1.2" });
    limit.throwIfAborted();
    const refusal = rights === null ? { reasonCode: NOT_AUTHORIZED } : behaviour.refusal;
    if (refusal !== null) throw new Mqtt5Error(`${request.url}: the server refused the connection`, refusal);
    const connection = new SimMqtt5Connection(request, events, {
      ...this.#parts,
      broker,
      behaviour,
      onEnd: () => this.#open.delete(connection),
    });
    this.#open.add(connection);
    return connection;
  }
}

interface Parts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly broker: MemoryBroker;
  readonly behaviour: Mqtt5Behaviour;
  readonly onEnd: () => void;
}

/** One connection between a process and a broker. What travels takes its time and keeps its order. */
class SimMqtt5Connection implements Mqtt5Connection, BrokerClient, SessionHolder, BehaviourConnection {
  readonly isSessionPresent: boolean;
  readonly receiveMaximum: number;
  readonly maxPacketBytes: number;
  /** The session publishes the will. */
  readonly will = null;
  readonly #request: Mqtt5Request;
  readonly #events: Mqtt5Events;
  readonly #parts: Parts;
  readonly #filters = new Set<string>();
  readonly #underWay = new Set<Disposable>();
  /** On the way to the process. */
  readonly #arriving = new Set<Mqtt5Message>();
  #unacknowledged = 0;
  #lastArrivalMs = 0;
  #isOpen = true;

  constructor(request: Mqtt5Request, events: Mqtt5Events, parts: Parts) {
    const { behaviour, broker } = parts;
    this.#request = request;
    this.#events = events;
    this.#parts = parts;
    this.receiveMaximum = behaviour.receiveMaximum;
    this.maxPacketBytes = behaviour.maxPacketBytes;
    const kept = behaviour.sessions.take(request.clientId, this, request.isCleanStart);
    this.isSessionPresent = kept !== null;
    behaviour.add(this);
    broker.signIn(this);
    for (const filter of kept?.filters ?? []) this.#listen(filter);
    for (const message of kept?.waiting ?? []) this.deliver(message);
  }

  publish(message: Mqtt5Message, acknowledged: (reasonCode: number) => void): void {
    if (!this.#isOpen) return;
    const { behaviour, broker } = this.#parts;
    this.#unacknowledged += 1;
    const isTooMany = this.#unacknowledged > this.receiveMaximum;
    this.#travel(() => {
      if (isTooMany) return this.disconnected(RECEIVE_MAXIMUM_EXCEEDED);
      if (message.payload.length + message.topic.length + HEAD_BYTES > this.maxPacketBytes) {
        return this.disconnected(PACKET_TOO_LARGE);
      }
      const reasonCode = behaviour.acknowledge(message);
      if (reasonCode !== null && reasonCode >= 0x80) return this.#answer(acknowledged, reasonCode);
      if (broker.receive(message) && reasonCode !== null) this.#answer(acknowledged, reasonCode);
    });
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#travel(() => {
        for (const filter of filters) this.#listen(filter);
        this.#travel(resolve);
      });
    });
  }

  deliver(message: BrokerMessage): void {
    this.#arriving.add(message);
    this.#travel(() => {
      this.#arriving.delete(message);
      this.#events.message(message);
    });
  }

  cut(): void {
    this.disconnected(SHUTTING_DOWN);
  }

  takenOver(): void {
    this.disconnected(TAKEN_OVER);
  }

  /** The broker ends the connection, with a word. */
  disconnected(reasonCode: number, serverReference: string | null = null): void {
    if (!this.#end()) return;
    const { clock, random } = this.#parts;
    const error = new Mqtt5Error(`${this.#request.url}: the server ended the connection`, {
      reasonCode,
      serverReference,
    });
    clock.timer(latencyMs(random), () => this.#events.closed(error));
  }

  /** Nothing comes any more: the keepalive notices after one and a half times its length (3.1.2.10). */
  silenced(): void {
    const { keepaliveSeconds, url } = this.#request;
    const notice = (): void => {
      if (this.#end()) this.#events.closed(new Mqtt5Error(`${url}: Keepalive timeout`, { reasonCode: null }));
    };
    this.#underWay.add(this.#parts.clock.timer(keepaliveSeconds * 1_500, notice));
  }

  /** The process died: the broker notices, the process does not. */
  die(): void {
    this.#end();
  }

  [Symbol.dispose](): void {
    if (this.#end()) this.#events.closed(null);
  }

  #listen(filter: string): void {
    this.#filters.add(filter);
    this.#parts.broker.listen(this, filter);
  }

  #answer(acknowledged: (reasonCode: number) => void, reasonCode: number): void {
    this.#travel(() => {
      this.#unacknowledged -= 1;
      acknowledged(reasonCode);
    });
  }

  #end(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    const { broker, behaviour, onEnd } = this.#parts;
    for (const timer of this.#underWay) timer[Symbol.dispose]();
    this.#underWay.clear();
    onEnd();
    behaviour.remove(this);
    for (const filter of this.#filters) broker.leave(this, filter);
    broker.signOut(this, true);
    behaviour.sessions.leave(this.#request.clientId, this, {
      filters: [...this.#filters],
      waiting: [...this.#arriving],
      expirySeconds: this.#request.sessionExpirySeconds,
      will: this.#request.will,
    });
    return true;
  }

  /** Runs what arrives, after all that was sent before, unless the connection ended meanwhile. */
  #travel(arrive: () => void): void {
    if (!this.#isOpen) return;
    const { clock, random, behaviour } = this.#parts;
    const nowMs = clock.monotonicMs();
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, nowMs + latencyMs(random));
    const timer = clock.timer(this.#lastArrivalMs - nowMs, () => {
      this.#underWay.delete(timer);
      if (!behaviour.isSilent) arrive();
    });
    this.#underWay.add(timer);
  }
}

function checkVersion({ version = "5", url }: Mqtt5Request, { versions, isWordlessToOthers }: Mqtt5Behaviour): void {
  if (versions.includes(version)) return;
  const said = isWordlessToOthers ? { reasonCode: null, isWordless: true } : { reasonCode: UNSUPPORTED_VERSION };
  throw new Mqtt5Error(`${url}: it does not speak MQTT ${version}`, said);
}
