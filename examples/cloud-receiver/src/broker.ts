/** What a copy of the service needs of a broker, whichever it is. */
import { setTimeout as pause } from "node:timers/promises";
import type { Configuration } from "./configuration.ts";
import type { Log } from "./log.ts";

/** How long what is being taken may go on after the copy was told to stop. */
const STOP_MS = 5_000;

export interface Arriving {
  /** As MQTT writes it, with slashes. */
  readonly topic: string;
  readonly payload: Uint8Array;
}

export interface Sent extends Arriving {
  /** After this the broker need not deliver it, s. */
  readonly expirySeconds?: number | undefined;
}

export interface Workers {
  /** Messages that are taken at once. */
  readonly count: number;
  /** Messages that the broker sends ahead, for each that is taken. */
  readonly receiveMaximum: number;
  /** Filter of MQTT for what is taken. */
  readonly filter: string;
  /** All copies with the same one share the messages. */
  readonly group: string;
  /**
   * Takes a message; the broker is told when it resolves with true. False: it was not taken, as the copy ends. It must not
   * reject. `free` is called when it may take long for its gateway's sake alone: whoever can take nothing else before that is
   * told goes on then.
   */
  take(message: Arriving, free: () => void): Promise<boolean>;
}

/** Connections that come back by themselves, for as long as it is not disposed. */
export interface Broker extends AsyncDisposable {
  /** Resolves when the broker has it, after a lost connection too. */
  send(message: Sent): Promise<void>;
  /**
   * Begins to take what gateways send. A message goes to one copy of a group; one that was not taken when the copy died
   * comes to another one or is sent again by the gateway. Disposing waits for what is being taken.
   */
  receive(workers: Workers): Promise<AsyncDisposable>;
}

/** The broker that the configuration names. Only its library is loaded. */
export async function openBroker(configuration: Configuration, log: Log): Promise<Broker> {
  const { AMQP_URL, NATS_URL, MQTT_URL } = configuration;
  if (AMQP_URL !== undefined) {
    return new (await import("./amqp-broker.ts")).AmqpBroker({ ...configuration, AMQP_URL }, log);
  }
  if (NATS_URL !== undefined) {
    return await (await import("./nats-broker.ts")).NatsBroker.connect({ ...configuration, NATS_URL }, log);
  }
  if (MQTT_URL === undefined) throw new Error("no broker is configured");
  return new (await import("./mqtt-broker.ts")).MqttBroker({ ...configuration, MQTT_URL }, log);
}

/** What is being taken at the moment. */
export class UnderWay {
  readonly #all = new Set<Promise<void>>();

  /** The same promise. */
  async add(taking: Promise<void>): Promise<void> {
    this.#all.add(taking);
    try {
      await taking;
    } finally {
      this.#all.delete(taking);
    }
  }

  /** Resolves when all of it was taken, or it took too long. */
  async settled(): Promise<void> {
    await Promise.race([Promise.all(this.#all), pause(STOP_MS, undefined, { ref: false })]);
  }
}

/** The words of a topic or filter as AMQP and NATS write them; both have dots where MQTT has slashes. */
export function dotted(topic: string): string {
  return topic.replaceAll("/", ".").replaceAll("+", "*");
}

export function slashed(key: string): string {
  return key.replaceAll(".", "/");
}
