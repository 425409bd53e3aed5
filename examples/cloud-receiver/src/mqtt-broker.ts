/** Connections to an MQTT 5 broker: one to send by, and some to receive by. */
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { MAX_MESSAGE_BYTES } from "hemgate/cloud-protocol";
import { connect, ErrorWithSubackPacket, type IClientOptions, type ISubscriptionGrant, type MqttClient } from "mqtt";
import { type Broker, type Sent, UnderWay, type Workers } from "./broker.ts";
import type { Configuration } from "./configuration.ts";
import type { Log } from "./log.ts";

const KEEPALIVE_S = 60;
/** Of a packet beside the frame in it. */
const PACKET_HEAD_BYTES = 16_384;

export interface MqttAddress extends Pick<Configuration, "MQTT_USERNAME" | "MQTT_PASSWORD" | "MQTT_CA_FILE"> {
  readonly MQTT_URL: string;
}

/**
 * Sends at QoS 1 by a connection of its own: the library reads one packet after the other, so a worker that waits for the
 * broker's word on what it sent would wait for itself.
 */
export class MqttBroker implements Broker {
  readonly #address: MqttAddress;
  readonly #log: Log;
  readonly #sender: MqttClient;

  constructor(address: MqttAddress, log: Log) {
    this.#address = address;
    this.#log = log;
    this.#sender = open(address, 1, log);
  }

  async send({ topic, payload, expirySeconds }: Sent): Promise<void> {
    const properties = {
      contentType: "application/vnd.hemgate.frame",
      ...(expirySeconds !== undefined && { messageExpiryInterval: expirySeconds }),
    };
    await this.#sender.publishAsync(topic, Buffer.from(payload), { qos: 1, properties });
  }

  /**
   * Subscribes with each of some connections. Sessions end with their connection: a broker that keeps one goes on to put a
   * share of the messages aside for a copy that is away. What is lost with a session is sent again by the gateway.
   */
  async receive({ count, receiveMaximum, filter, group, take }: Workers): Promise<AsyncDisposable> {
    const clients = Array.from({ length: count }, () => open(this.#address, receiveMaximum, this.#log));
    const underWay = new UnderWay();
    const stop = async (): Promise<void> => {
      await Promise.all(clients.map((client) => client.endAsync(true)));
      await underWay.settled();
    };
    for (const client of clients) {
      client.handleMessage = (packet, done) => {
        const { topic, payload } = packet;
        let isDone = false;
        const goOn = (): void => {
          if (!isDone) done();
          isDone = true;
        };
        // The library reads nothing more of this connection until then.
        const taking = take({ topic, payload: Buffer.from(payload) }, goOn);
        void underWay.add(taking.then((isTaken) => (isTaken ? goOn() : undefined)));
      };
    }
    try {
      await Promise.all(clients.map((client) => subscribed(client, `$share/${group}/${filter}`, this.#log)));
    } catch (error) {
      await stop();
      throw error;
    }
    return { [Symbol.asyncDispose]: stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sender.endAsync(true);
  }
}

/**
 * Subscribes at each connection, as sessions end with theirs. Resolves when the broker grants it. Rejects when the broker has
 * no shared subscriptions, or does not allow this one; after the first time that is logged.
 */
async function subscribed(client: MqttClient, filter: string, log: Log): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const heard = (error: Error | null, granted: readonly ISubscriptionGrant[] = []): void => {
      if (granted[0]?.qos === 1) {
        resolve();
        return;
      }
      // Without an answer the connection ended before one came, and there will be another one.
      if (error instanceof ErrorWithSubackPacket && error.packet === undefined) return;
      const err = new Error(`the broker did not grant ${filter} at QoS 1`, { cause: error });
      log.warn({ err }, "messages cannot be received");
      reject(err);
    };
    client.on("connect", () => void client.subscribe(filter, { qos: 1 }, heard));
  });
}

function open(
  { MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD, MQTT_CA_FILE }: MqttAddress,
  receiveMaximum: number,
  log: Log,
): MqttClient {
  const options: IClientOptions = {
    protocolVersion: 5,
    clean: true,
    resubscribe: false,
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
  // The library leaves Nagle's algorithm on, by which a small packet may wait 40 ms for the one before.
  client.on("connect", () => void (client.stream instanceof Socket && client.stream.setNoDelay(true)));
  client.on("error", (err) => log.warn({ err }, "the connection to the broker failed"));
  return client;
}
