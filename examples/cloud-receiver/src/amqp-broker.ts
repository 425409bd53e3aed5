/** RabbitMQ by AMQP 0-9-1. Gateways speak to its MQTT plugin, which hands all on to the exchange `amq.topic`. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Channel, type ChannelModel, type ConfirmChannel, type ConsumeMessage, connect } from "amqplib";
import { type Broker, dotted, type Sent, slashed, UnderWay, type Workers } from "./broker.ts";
import type { Configuration } from "./configuration.ts";
import type { Log } from "./log.ts";

const EXCHANGE = "amq.topic";
const CONNECT_MS = 10_000;
const RETRY_MS = 1_000;

interface AmqpAddress extends Pick<Configuration, "AMQP_CA_FILE"> {
  readonly AMQP_URL: string;
}

interface Sender {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
}

/** Sends by one connection and receives by another: RabbitMQ stops reading from who publishes while it is short of memory. */
export class AmqpBroker implements Broker {
  readonly #address: AmqpAddress;
  readonly #log: Log;
  readonly #over = new AbortController();
  /** Open, or being opened. */
  #sender: Promise<Sender> | null = null;

  constructor(address: AmqpAddress, log: Log) {
    this.#address = address;
    this.#log = log;
  }

  async send(message: Sent): Promise<void> {
    for (;;) {
      this.#over.signal.throwIfAborted();
      const sender = this.#sender ?? this.#keepSender();
      try {
        return await publish((await sender).channel, message);
      } catch (err) {
        this.#forget(sender);
        this.#log.warn({ err }, "a message could not be sent");
        await pause(RETRY_MS, undefined, { signal: this.#over.signal });
      }
    }
  }

  async receive(workers: Workers): Promise<AsyncDisposable> {
    const over = new AbortController();
    const ready = Promise.withResolvers<void>();
    const running = this.#consume(workers, ready.resolve, over.signal);
    await ready.promise;
    const stop = async (): Promise<void> => {
      over.abort();
      await running;
    };
    return { [Symbol.asyncDispose]: stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    const sender = await this.#sender?.catch(() => undefined);
    if (sender !== undefined) await closed(sender.connection);
  }

  /** One connection after the other, until it is over. */
  async #consume(workers: Workers, ready: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const connection = await this.#connect();
        try {
          await consumeBy(connection, workers, ready, signal);
        } finally {
          await closed(connection);
        }
      } catch (err) {
        this.#log.warn({ err }, "messages could not be received");
      }
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  #keepSender(): Promise<Sender> {
    const opening = this.#openSender();
    const forget = (): void => this.#forget(opening);
    opening.then(({ channel }) => channel.once("close", forget), forget);
    this.#sender = opening;
    return opening;
  }

  /** Without its channel its connection is of no use. Whoever sends next opens another one. */
  #forget(sender: Promise<Sender>): void {
    if (this.#sender !== sender) return;
    this.#sender = null;
    void sender.then(({ connection }) => closed(connection)).catch(() => undefined);
  }

  async #openSender(): Promise<Sender> {
    const connection = await this.#connect();
    try {
      const channel = await connection.createConfirmChannel();
      channel.on("error", (err) => this.#log.warn({ err }, "the channel to send by failed"));
      return { connection, channel };
    } catch (error) {
      await closed(connection);
      throw error;
    }
  }

  async #connect(): Promise<ChannelModel> {
    const { AMQP_URL, AMQP_CA_FILE } = this.#address;
    const connection = await connect(AMQP_URL, {
      timeout: CONNECT_MS,
      noDelay: true,
      ...(AMQP_CA_FILE !== undefined && { ca: readFileSync(AMQP_CA_FILE) }),
    });
    connection.on("error", (err) => this.#log.warn({ err }, "the connection to the broker failed"));
    return connection;
  }
}

/** Closes it, if it is open still. It may end before the broker's word on that comes, which then never comes. */
async function closed(connection: ChannelModel): Promise<void> {
  const ended = new Promise<void>((resolve) => connection.once("close", () => resolve()));
  await Promise.race([ended, connection.close().catch(() => undefined)]);
}

/** Resolves when the broker has it on its disks, or no queue wants it. Rejects when the channel ends before that. */
async function publish(channel: ConfirmChannel, { topic, payload, expirySeconds }: Sent): Promise<void> {
  const properties = {
    // Persistent is what the MQTT plugin delivers at QoS 1.
    persistent: true,
    contentType: "application/vnd.hemgate.frame",
    ...(expirySeconds !== undefined && { expiration: String(expirySeconds * 1_000) }),
  };
  await new Promise<void>((resolve, reject) => {
    const confirmed = (error: unknown): void => (error == null ? resolve() : reject(error));
    channel.publish(EXCHANGE, dotted(topic), Buffer.from(payload), properties, confirmed);
  });
}

/** Consumes until the connection ends, or it is over. What was not taken then goes back to the queue. */
async function consumeBy(
  connection: ChannelModel,
  { count, receiveMaximum, filter, group, take }: Workers,
  ready: () => void,
  signal: AbortSignal,
): Promise<void> {
  const channel = await connection.createChannel();
  const ended = Promise.withResolvers<void>();
  channel.on("error", ended.reject);
  channel.once("close", ended.resolve);
  // Until it is waited for, an end that comes before is told by the call that fails by it.
  ended.promise.catch(() => undefined);
  const queue = `${dotted(filter.slice(0, filter.indexOf("/+")))}.${group}`;
  await channel.assertQueue(queue, { durable: true, arguments: { "x-queue-type": "quorum" } });
  await channel.bindQueue(queue, EXCHANGE, dotted(filter));
  await channel.prefetch(count * receiveMaximum);
  const underWay = new UnderWay();
  const { consumerTag } = await channel.consume(queue, (message) => {
    // Null: the queue was deleted.
    if (message === null) return ended.reject(new Error(`the queue ${queue} is gone`));
    const { fields, content: payload } = message;
    const taking = take({ topic: slashed(fields.routingKey), payload }, () => undefined);
    void underWay.add(taking.then((isTaken) => (isTaken ? acknowledge(channel, message) : undefined)));
  });
  ready();
  const stopped = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => stopped.resolve(), { once: true });
  if (!signal.aborted) await Promise.race([ended.promise, stopped.promise]);
  if (!signal.aborted) return;
  await channel.cancel(consumerTag);
  await underWay.settled();
}

/** Nothing when the channel has ended meanwhile: the message comes again. */
function acknowledge(channel: Channel, message: ConsumeMessage): void {
  try {
    channel.ack(message);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "IllegalOperationError") throw error;
  }
}
