import { FilterTree } from "../platform/mqtt/filter-tree.ts";
import { LinkListeners } from "../platform/mqtt/link-listeners.ts";
import { isTopicFilter, isTopicName, topicMatches } from "../platform/mqtt/topic-filter.ts";
import type { Broker, BrokerAccess, BrokerMessage, TcpAddress } from "../platform/ports/ports.ts";

/** A client of a memory broker, as the broker sees it. */
export interface BrokerClient {
  deliver(message: BrokerMessage): void;
  /** The broker ended the connection. */
  cut(): void;
  /** Published in the client's place when it ends without a goodbye. */
  readonly will: BrokerMessage | null;
}

const MAX_PUBLISHED = 1_000;

const ANYBODY: BrokerAccess = {
  signIn: async ({ username }) => ({ username, publish: ["#"], subscribe: ["#"] }),
  rightsOf: (username) => ({ username, publish: ["#"], subscribe: ["#"] }),
};

/**
 * A broker without a network, for tests: what it keeps and what was published can be looked at, it can be stopped and
 * started, and it can lose messages. It keeps what was retained over a stop, as a broker with a disk does.
 */
export class MemoryBroker implements Broker {
  readonly address: TcpAddress;
  readonly tlsPort = null;
  readonly access: BrokerAccess;
  readonly #retained = new Map<string, Uint8Array>();
  readonly #clients = new Set<BrokerClient>();
  /** Who subscribed to what, by filter. */
  readonly #subscribers = new Map<string, Set<BrokerClient>>();
  readonly #byTopic = new FilterTree<Set<BrokerClient>>();
  readonly #own = new LinkListeners((error) => {
    throw error;
  });
  readonly #onClose: () => void;
  #isRunning = true;
  #toLose = 0;
  readonly #published: BrokerMessage[] = [];

  constructor(address: TcpAddress, access: BrokerAccess = ANYBODY, onClose: () => void = () => undefined) {
    this.address = address;
    this.access = access;
    this.#onClose = onClose;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The retained payload of each topic as text. */
  get retained(): ReadonlyMap<string, string> {
    return new Map([...this.#retained].map(([topic, payload]) => [topic, Buffer.from(payload).toString("utf8")]));
  }

  /** The last 1,000 messages that arrived, in their order; `isRetained` as their senders asked for it. */
  get published(): readonly BrokerMessage[] {
    return this.#published.slice(-MAX_PUBLISHED);
  }

  /** Clients that are signed in. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Ends all connections and takes none until it starts again. */
  stop(): void {
    this.#isRunning = false;
    this.disconnectAll();
  }

  start(): void {
    this.#isRunning = true;
  }

  /** Ends all connections; clients may come back at once. */
  disconnectAll(): void {
    for (const client of [...this.#clients]) {
      this.#clients.delete(client);
      client.cut();
    }
  }

  /** Loses the next messages of clients: they are neither delivered nor acknowledged. */
  loseNext(count: number): void {
    this.#toLose = count;
  }

  /** True: the message arrived. */
  receive(message: BrokerMessage): boolean {
    if (this.#toLose > 0) {
      this.#toLose -= 1;
      return false;
    }
    this.#take(message);
    return true;
  }

  signIn(client: BrokerClient): void {
    this.#clients.add(client);
  }

  listen(client: BrokerClient, filter: string): void {
    const clients = this.#subscribers.get(filter) ?? new Set();
    this.#subscribers.set(filter, clients);
    this.#byTopic.set(filter, clients.add(client));
  }

  leave(client: BrokerClient, filter: string): void {
    const clients = this.#subscribers.get(filter);
    if (clients?.delete(client) !== true || clients.size > 0) return;
    this.#subscribers.delete(filter);
    this.#byTopic.delete(filter);
  }

  /** A client that left without a goodbye leaves its will. */
  signOut(client: BrokerClient, hasSaidGoodbye: boolean): void {
    if (this.#clients.delete(client) && !hasSaidGoodbye && client.will !== null) this.#take(client.will);
  }

  keptUnder(filter: string): readonly BrokerMessage[] {
    return [...this.#retained]
      .filter(([topic]) => topicMatches(filter, topic))
      .map(([topic, payload]) => ({ topic, payload, isRetained: true }));
  }

  publish(message: BrokerMessage): Promise<void> {
    this.#take(message);
    return Promise.resolve();
  }

  subscribe(filter: string, listener: (message: BrokerMessage) => void): Disposable {
    if (!isTopicFilter(filter)) throw new RangeError(`not a topic filter: ${filter}`);
    let isListening = true;
    const kept = this.keptUnder(filter);
    const remove = this.#own.add(filter, listener);
    queueMicrotask(() => {
      for (const message of kept) if (isListening) listener(message);
    });
    return {
      [Symbol.dispose]: () => {
        isListening = false;
        remove();
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#own.clear();
    this.stop();
    this.#onClose();
    return Promise.resolve();
  }

  #take(message: BrokerMessage): void {
    if (!isTopicName(message.topic)) throw new RangeError(`not a topic: ${message.topic}`);
    this.#published.push(message);
    if (this.#published.length >= 2 * MAX_PUBLISHED) this.#published.splice(0, MAX_PUBLISHED);
    if (message.isRetained && message.payload.length === 0) this.#retained.delete(message.topic);
    else if (message.isRetained) this.#retained.set(message.topic, message.payload);
    const live = { ...message, isRetained: false };
    const clients = new Set(this.#byTopic.under(message.topic).flatMap((subscribed) => [...subscribed]));
    for (const client of clients) if (this.#clients.has(client)) client.deliver(live);
    // As with a socket between them: nothing is delivered while the sender still sends.
    queueMicrotask(() => this.#own.tell(live));
  }
}

/** A broker in memory at an address. */
export function memoryBroker(address: TcpAddress): MemoryBroker {
  return new MemoryBroker(address);
}
