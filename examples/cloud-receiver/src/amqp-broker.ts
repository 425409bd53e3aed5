/** RabbitMQ by AMQP 0-9-1. Gateways speak to its MQTT plugin, which hands all on to the exchange `amq.topic`. */
import { setTimeout as pause } from "node:timers/promises";
import { type Channel, type ChannelModel, type ConfirmChannel, type ConsumeMessage, connect } from "amqplib";
import { type Broker, dotted, type Sent, slashed, UnderWay, type Workers } from "./broker.ts";
import type { Log } from "./log.ts";

const EXCHANGE = "amq.topic";
const CONNECT_MS = 10_000;
const RETRY_MS = 1_000;

interface Sender {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
}

/** Sends by one connection and receives by another: RabbitMQ stops reading from who publishes while it is short of memory. */
export class AmqpBroker implements Broker {
  readonly #url: string;
  readonly #log: Log;
  readonly #over = new AbortController();
  /** Open, or being opened. */
  #sender: Promise<Sender> | null = null;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  async send(message: Sent): Promise<void> {
    for (;;) {
      this.#over.signal.throwIfAborted();
      try {
        this.#sender ??= this.#openSender();
        return await publish((await this.#sender).channel, message);
      } catch (err) {
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
    await sender?.connection.close().catch(() => undefined);
  }

  /** One connection after the other, until it is over. */
  async #consume(workers: Workers, ready: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const connection = await this.#connect();
        try {
          await consumeBy(connection, workers, ready, signal);
        } finally {
          await connection.close().catch(() => undefined);
        }
      } catch (err) {
        this.#log.warn({ err }, "messages could not be received");
      }
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #openSender(): Promise<Sender> {
    try {
      const connection = await this.#connect();
      connection.once("close", () => {
        this.#sender = null;
      });
      const channel = await connection.createConfirmChannel();
      channel.on("error", (err) => this.#log.warn({ err }, "the channel to send by failed"));
      // Without its channel the connection is of no use.
      channel.once("close", () => void connection.close().catch(() => undefined));
      return { connection, channel };
    } catch (error) {
      this.#sender = null;
      throw error;
    }
  }

  async #connect(): Promise<ChannelModel> {
    const connection = await connect(this.#url, { timeout: CONNECT_MS });
    connection.on("error", (err) => this.#log.warn({ err }, "the connection to the broker failed"));
    return connection;
  }
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
  { count, filter, group, take }: Workers,
  ready: () => void,
  signal: AbortSignal,
): Promise<void> {
  const channel = await connection.createChannel();
  const ended = Promise.withResolvers<void>();
  channel.once("error", ended.reject);
  channel.once("close", ended.resolve);
  // Until it is waited for, an end that comes before is told by the call that fails by it.
  ended.promise.catch(() => undefined);
  const queue = `${dotted(filter.slice(0, filter.indexOf("/+")))}.${group}`;
  await channel.assertQueue(queue, { durable: true, arguments: { "x-queue-type": "quorum" } });
  await channel.bindQueue(queue, EXCHANGE, dotted(filter));
  await channel.prefetch(count);
  const underWay = new UnderWay();
  const { consumerTag } = await channel.consume(queue, (message) => {
    // Null: the queue was deleted.
    if (message === null) return ended.reject(new Error(`the queue ${queue} is gone`));
    const { fields, content: payload } = message;
    underWay.add(take({ topic: slashed(fields.routingKey), payload }), () => acknowledge(channel, message));
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
