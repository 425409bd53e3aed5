/** Connections to an MQTT 5 broker: one to send by, and some to receive by. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { MAX_MESSAGE_BYTES } from "hemgate/cloud-protocol";
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from "mqtt";
import type { Configuration } from "./configuration.ts";
import type { Log } from "./log.ts";

const KEEPALIVE_S = 60;
/** How long what is being taken may go on after the connections ended. */
const STOP_MS = 5_000;
/** Of a packet beside the frame in it. */
const PACKET_HEAD_BYTES = 16_384;

export type BrokerAddress = Pick<Configuration, "MQTT_URL" | "MQTT_USERNAME" | "MQTT_PASSWORD" | "MQTT_CA_FILE">;

export interface Sent {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** After this the broker need not deliver it, s. */
  readonly expirySeconds?: number | undefined;
}

/**
 * Sends at QoS 1, and again after a lost connection. Its own connection: the library reads one packet after the other, so
 * a worker that waits for the broker's word on what it sent would wait for itself.
 */
export class Sender {
  readonly #client: MqttClient;

  constructor(address: BrokerAddress, log: Log) {
    this.#client = open(address, 1, log);
  }

  /** Resolves when the broker has it. */
  async send({ topic, payload, expirySeconds }: Sent): Promise<void> {
    const properties = {
      contentType: "application/vnd.hemgate.frame",
      ...(expirySeconds !== undefined && { messageExpiryInterval: expirySeconds }),
    };
    await this.#client.publishAsync(topic, Buffer.from(payload), { qos: 1, properties });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true);
  }
}

export interface Workers {
  readonly count: number;
  /** Messages that the broker sends a worker before it has taken the first. */
  readonly receiveMaximum: number;
  readonly filter: string;
  /** Takes a message; the broker is told when it resolves, and sends the next. It must not reject. */
  take(packet: IPublishPacket): Promise<void>;
}

/**
 * Subscribes with each of some connections. Sessions end with their connection: a broker that keeps one goes on to put a
 * share of the messages aside for a copy that is away. What is lost with a session is sent again by the gateway.
 */
export async function startWorkers(address: BrokerAddress, workers: Workers, log: Log): Promise<AsyncDisposable> {
  const { count, receiveMaximum, filter, take } = workers;
  const clients = Array.from({ length: count }, () => open(address, receiveMaximum, log));
  const running = new Set<Promise<void>>();
  const stop = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.endAsync(true)));
    await Promise.race([Promise.all(running), pause(STOP_MS, undefined, { ref: false })]);
  };
  for (const client of clients) {
    client.handleMessage = (packet, done) => {
      const taking = take(packet).finally(() => {
        running.delete(taking);
        done();
      });
      running.add(taking);
    };
  }
  try {
    for (const client of clients) await subscribed(client, filter);
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

/** Rejects when the broker has no shared subscriptions, or does not allow this one. */
async function subscribed(client: MqttClient, filter: string): Promise<void> {
  const [granted] = await client.subscribeAsync(filter, { qos: 1 });
  if (granted?.qos !== 1) throw new Error(`the broker did not grant ${filter} at QoS 1`);
}

function open(
  { MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD, MQTT_CA_FILE }: BrokerAddress,
  receiveMaximum: number,
  log: Log,
): MqttClient {
  const options: IClientOptions = {
    protocolVersion: 5,
    clean: true,
    keepalive: KEEPALIVE_S,
    reconnectPeriod: 1_000,
    ...(MQTT_USERNAME !== undefined && { username: MQTT_USERNAME }),
    ...(MQTT_PASSWORD !== undefined && { password: MQTT_PASSWORD }),
    ...(MQTT_CA_FILE !== undefined && { ca: readFileSync(MQTT_CA_FILE) }),
    properties: {
      sessionExpiryInterval: 0,
      receiveMaximum,
      maximumPacketSize: MAX_MESSAGE_BYTES + PACKET_HEAD_BYTES,
    },
  };
  const client = connect(MQTT_URL, options);
  client.on("error", (err) => log.warn({ err }, "the connection to the broker failed"));
  return client;
}
