import { LinkListeners } from "../platform/mqtt/link-listeners.ts";
import { mqttAddress } from "../platform/mqtt/mqtt-address.ts";
import { isTopicFilter } from "../platform/mqtt/topic-filter.ts";
import type { Broker, BrokerMessage, Log, Mqtt, MqttLink, MqttLinks, MqttServer } from "../platform/ports/ports.ts";
import { DeviceError } from "../points/device-error.ts";

/** The broker of the configuration: the embedded one, one elsewhere, or none. */
export type ConfiguredBroker =
  | { readonly kind: "embedded"; readonly broker: Broker }
  | { readonly kind: "elsewhere"; readonly server: MqttServer }
  | { readonly kind: "none" };

interface SharedConnection {
  readonly link: MqttLink;
  users: number;
}

/** Hands out links; those to one server share its connection, which ends with the last of them. */
export function createMqttLinks(parts: {
  readonly mqtt: Mqtt;
  readonly configured: ConfiguredBroker;
  readonly log: Pick<Log, "warn">;
}): MqttLinks {
  const { mqtt, configured, log } = parts;
  const shared = new Map<string, SharedConnection>();

  const share = (server: MqttServer): MqttLink => {
    const key = keyOf(server);
    const connection = shared.get(key) ?? { link: mqtt.connect(server), users: 0 };
    shared.set(key, connection);
    connection.users += 1;
    return new SharedLink(connection.link, () => {
      connection.users -= 1;
      if (connection.users > 0) return;
      shared.delete(key);
      connection.link[Symbol.dispose]();
    });
  };

  return {
    link(server) {
      if (server !== null) return share(server);
      switch (configured.kind) {
        case "embedded":
          return new EmbeddedLink(configured.broker, log);
        case "elsewhere":
          return share(configured.server);
        case "none":
          throw new DeviceError("rejected", "no MQTT broker is configured: the configuration has no mqtt section");
        default:
          return configured satisfies never;
      }
    },
  };
}

/** Returns the key of a connection. Links with the same sign-in share one; one with a will has its own. */
function keyOf(server: MqttServer): string {
  const { host, port, isSecure } = mqttAddress(server);
  const { username, password, clientId, caFile, will } = server;
  const left = will === undefined ? null : [will.topic, Buffer.from(will.payload).toString("base64"), will.isRetained];
  return JSON.stringify([host, port, isSecure, username, password, clientId, caFile, left]);
}

/** One user's part of a shared connection: what it subscribed and observed ends with it. */
class SharedLink implements MqttLink {
  readonly #link: MqttLink;
  readonly #release: () => void;
  readonly #own = new Set<Disposable>();
  #isOpen = true;

  constructor(link: MqttLink, release: () => void) {
    this.#link = link;
    this.#release = release;
  }

  get isConnected(): boolean {
    return this.#isOpen && this.#link.isConnected;
  }

  get failure(): Error | null {
    return this.#isOpen ? this.#link.failure : closedError();
  }

  subscribe(filter: string, listener: (message: BrokerMessage) => void): Disposable {
    return this.#keep(() => this.#link.subscribe(filter, listener));
  }

  async publish(message: BrokerMessage): Promise<void> {
    if (!this.#isOpen) throw closedError();
    await this.#link.publish(message);
  }

  observe(listener: (isConnected: boolean) => void): Disposable {
    return this.#keep(() => this.#link.observe(listener));
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const part of this.#own) part[Symbol.dispose]();
    this.#own.clear();
    this.#release();
  }

  #keep(begin: () => Disposable): Disposable {
    if (!this.#isOpen) throw closedError();
    const part = begin();
    this.#own.add(part);
    return {
      [Symbol.dispose]: () => {
        if (this.#own.delete(part)) part[Symbol.dispose]();
      },
    };
  }
}

/** A client of the broker in this process: connected for as long as it is open. */
class EmbeddedLink implements MqttLink {
  readonly failure = null;
  readonly #broker: Broker;
  readonly #log: Pick<Log, "warn">;
  readonly #own = new Set<Disposable>();
  #isOpen = true;

  constructor(broker: Broker, log: Pick<Log, "warn">) {
    this.#broker = broker;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#isOpen;
  }

  subscribe(filter: string, listener: (message: BrokerMessage) => void): Disposable {
    if (!this.#isOpen) throw closedError();
    if (!isTopicFilter(filter)) throw new RangeError(`not a topic filter: ${filter}`);
    const listeners = new LinkListeners((err, topic) => this.#log.warn({ err, topic }, "MQTT listener failed"));
    listeners.add(filter, listener);
    const subscription = this.#broker.subscribe(filter, (message) => listeners.tell(message));
    this.#own.add(subscription);
    return {
      [Symbol.dispose]: () => {
        listeners.clear();
        if (this.#own.delete(subscription)) subscription[Symbol.dispose]();
      },
    };
  }

  async publish(message: BrokerMessage): Promise<void> {
    if (!this.#isOpen) throw closedError();
    await this.#broker.publish(message);
  }

  observe(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }

  [Symbol.dispose](): void {
    this.#isOpen = false;
    for (const subscription of this.#own) subscription[Symbol.dispose]();
    this.#own.clear();
  }
}

function closedError(): DeviceError {
  return new DeviceError("unreachable", "the MQTT link is closed");
}
