/** NATS with JetStream. Gateways speak to its MQTT side; what they send is kept in a stream, which the copies pull from. */
import { setTimeout as pause } from "node:timers/promises";
import {
  AckPolicy,
  type Consumer,
  JetStreamApiCodes,
  JetStreamApiError,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { connect, type NatsConnection, nanos } from "@nats-io/transport-node";
import { type Broker, dotted, type Sent, slashed, UnderWay, type Workers } from "./broker.ts";
import type { Configuration } from "./configuration.ts";
import type { Log } from "./log.ts";

const RETRY_MS = 1_000;
/** Without a word of its worker for so long, a message is given to another one. */
const ACK_WAIT_MS = 10_000;
/** A worker asks anew after this, as a question may be lost with a connection. */
const PULL_MS = 5_000;
/** What nobody took is kept for so long; the gateways have it still. */
const MAX_AGE_MS = 24 * 3_600_000;

interface NatsAddress extends Pick<Configuration, "NATS_CA_FILE"> {
  readonly NATS_URL: string;
}

export class NatsBroker implements Broker {
  readonly #connection: NatsConnection;
  readonly #log: Log;

  private constructor(connection: NatsConnection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Waits for the server. The URL is `nats://user:password@host:4222`, or `tls://…`, which takes no other connection. */
  static async connect({ NATS_URL, NATS_CA_FILE }: NatsAddress, log: Log): Promise<NatsBroker> {
    const { host, username, password, protocol } = new URL(NATS_URL);
    const tls = NATS_CA_FILE === undefined ? {} : { caFile: NATS_CA_FILE };
    const connection = await connect({
      servers: host,
      ...(username !== "" && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
      ...(protocol === "tls:" && { tls }),
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS,
      // A server that starts may refuse for a while whom it knows.
      ignoreAuthErrorAbort: true,
    });
    return new NatsBroker(connection, log);
  }

  /** NATS delivers at QoS 0 what was not sent by MQTT: it is lost with the gateway's connection. The contract sends it again. */
  async send({ topic, payload }: Sent): Promise<void> {
    for (;;) {
      try {
        this.#connection.publish(dotted(topic), payload);
        // Rejects when the connection is lost, and what was to be sent by it with it.
        return await this.#connection.flush();
      } catch (err) {
        if (this.#connection.isClosed()) throw err;
        this.#log.warn({ err }, "a message could not be sent");
        await pause(RETRY_MS);
      }
    }
  }

  async receive(workers: Workers): Promise<AsyncDisposable> {
    const over = new AbortController();
    const underWay = new UnderWay();
    for (;;) {
      try {
        await this.#consumer(workers);
        break;
      } catch (err) {
        this.#log.warn({ err }, "the stream of messages could not be opened");
        await pause(RETRY_MS);
      }
    }
    const hands = workers.count * workers.receiveMaximum;
    for (let hand = 0; hand < hands; hand += 1) void this.#work(workers, underWay, over.signal);
    const stop = async (): Promise<void> => {
      over.abort();
      await underWay.settled();
    };
    return { [Symbol.asyncDispose]: stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }

  /** Takes one message after the other. */
  async #work(workers: Workers, underWay: UnderWay, signal: AbortSignal): Promise<void> {
    let consumer: Consumer | null = null;
    while (!signal.aborted) {
      try {
        consumer ??= await this.#consumer(workers);
        const message = await consumer.next({ expires: PULL_MS });
        if (message === null || signal.aborted) continue;
        await underWay.add(this.#take(workers, message));
      } catch (err) {
        if (signal.aborted) return;
        this.#log.warn({ err }, "messages could not be received");
        consumer = null;
        await pause(RETRY_MS);
      }
    }
  }

  /** The server hears of it as long as it goes on. What a closed connection cannot tell comes again. */
  async #take({ take }: Workers, message: JsMsg): Promise<void> {
    const tell = (word: () => void): void => (this.#connection.isClosed() ? undefined : word());
    const beat = setInterval(() => tell(() => message.working()), ACK_WAIT_MS / 3);
    try {
      const isTaken = await take({ topic: slashed(message.subject), payload: message.data }, () => undefined);
      tell(() => (isTaken ? message.ack() : message.nak()));
    } finally {
      clearInterval(beat);
    }
  }

  /** Makes the stream and the consumer that are not there yet; a stream that is there stays as it is. */
  async #consumer({ filter, group }: Workers): Promise<Consumer> {
    const manager = await jetstreamManager(this.#connection);
    const subject = dotted(filter).replace("#", ">");
    const stream = named(filter.slice(0, filter.indexOf("/+")));
    await manager.streams.info(stream).catch(async (error: unknown) => {
      const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
      if (!isMissing) throw error;
      await manager.streams.add({
        name: stream,
        subjects: [subject],
        storage: StorageType.File,
        // Gone when each group has taken it.
        retention: RetentionPolicy.Interest,
        max_age: nanos(MAX_AGE_MS),
      });
    });
    await manager.consumers.add(stream, {
      durable_name: named(group),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    });
    return await jetstream(this.#connection).consumers.get(stream, named(group));
  }
}

/** Streams and consumers have plain names. */
function named(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, "-");
}
