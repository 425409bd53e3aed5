import { DeviceError } from "../../points/device-error.ts";
import { type BackoffRange, backoffMs } from "../backoff.ts";
import { errorText } from "../error-text.ts";
import { Listeners } from "../listeners.ts";
import type { BrokerMessage, Clock, Log, MqttLink, Random } from "../ports/ports.ts";
import { within } from "../within.ts";
import { LinkListeners } from "./link-listeners.ts";
import { isTopicFilter, isTopicName } from "./topic-filter.ts";

/** How long a server may take to acknowledge. */
const ACKNOWLEDGE_MS = 5_000;
/** Publishes that wait for their acknowledgement; one more is refused. */
const MAX_UNACKNOWLEDGED = 1_000;
const PAUSE: BackoffRange = { floorMs: 1_000, ceilingMs: 60_000 };
/** A connection that held so long was a good one. One that ends at once may be thrown out by another of its name. */
const STEADY_MS = 30_000;

/** One connection to a server, from the sign-in to its end. */
export interface MqttSession extends Disposable {
  /** Resolves when the server has acknowledged. */
  publish(message: BrokerMessage): Promise<void>;
  /** Rejects when the server refuses the filter. */
  subscribe(filter: string): Promise<void>;
  unsubscribe(filter: string): void;
}

export interface SessionEvents {
  message(message: BrokerMessage): void;
  /** Once, also after our dispose. */
  closed(error: Error | null): void;
}

/** Connects and signs in. Rejects with a `DeviceError`, or with the signal's reason; nothing is left open then. */
export type Dial = (events: SessionEvents, signal: AbortSignal) => Promise<MqttSession>;

interface Connection {
  readonly session: MqttSession;
  readonly ended: AbortController;
}

/** The link of the `Mqtt` port over whatever can open one connection. */
export class ReconnectingLink implements MqttLink {
  readonly #clock: Clock;
  readonly #random: Pick<Random, "next">;
  readonly #log: Pick<Log, "info" | "warn">;
  readonly #dial: Dial;
  readonly #closing = new AbortController();
  readonly #listeners: LinkListeners;
  readonly #observers = new Listeners<[isConnected: boolean]>();
  #connection: Connection | null = null;
  #unacknowledged = 0;
  #failure: Error | null = null;

  constructor(parts: { clock: Clock; random: Pick<Random, "next">; log: Pick<Log, "info" | "warn"> }, dial: Dial) {
    this.#clock = parts.clock;
    this.#random = parts.random;
    this.#log = parts.log;
    this.#dial = dial;
    this.#listeners = new LinkListeners((err, topic) => this.#log.warn({ err, topic }, "MQTT listener failed"));
    void this.#run();
  }

  get isConnected(): boolean {
    return this.#connection !== null;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  subscribe(filter: string, listener: (message: BrokerMessage) => void): Disposable {
    if (!isTopicFilter(filter)) throw new RangeError(`not a topic filter: ${filter}`);
    const remove = this.#listeners.add(filter, listener);
    if (this.#connection !== null) void this.#ask(this.#connection.session, filter);
    return {
      [Symbol.dispose]: () => {
        if (remove()) this.#connection?.session.unsubscribe(filter);
      },
    };
  }

  async publish(message: BrokerMessage): Promise<void> {
    if (!isTopicName(message.topic)) throw new RangeError(`not a topic: ${message.topic}`);
    const connection = this.#connection;
    if (connection === null) throw this.#unsent(message, this.#failure ?? new Error("not connected yet"));
    if (this.#unacknowledged >= MAX_UNACKNOWLEDGED) {
      throw this.#unsent(message, new Error(`${MAX_UNACKNOWLEDGED} others wait to be acknowledged`));
    }
    this.#unacknowledged += 1;
    try {
      const { session, ended } = connection;
      await within(this.#clock, ACKNOWLEDGE_MS, ended.signal, () => session.publish(message));
    } catch (error) {
      throw this.#unsent(message, error);
    } finally {
      this.#unacknowledged -= 1;
    }
  }

  observe(listener: (isConnected: boolean) => void): Disposable {
    return this.#observers.subscribe((isConnected) => {
      try {
        listener(isConnected);
      } catch (err) {
        this.#log.warn({ err }, "MQTT observer failed");
      }
    });
  }

  [Symbol.dispose](): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new DeviceError("unreachable", "the MQTT link is closed"));
    this.#listeners.clear();
    this.#observers.clear();
    const connection = this.#connection;
    this.#connection = null;
    connection?.ended.abort(this.#closing.signal.reason);
    connection?.session[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    try {
      while (!signal.aborted) {
        const sinceMs = this.#clock.monotonicMs();
        await this.#connectOnce(signal);
        if (signal.aborted) return;
        failures = this.#clock.monotonicMs() - sinceMs >= STEADY_MS ? 1 : failures + 1;
        await this.#clock.sleep(backoffMs(failures, PAUSE, this.#random), signal);
      }
    } catch {
      // The sleep ends with the signal's reason: the link is closed.
    }
  }

  /** Resolves when the connection is over, or did not come about; never rejects. */
  async #connectOnce(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const over = Promise.withResolvers<void>();
    const events: SessionEvents = {
      message: (message) => {
        if (!signal.aborted) this.#listeners.tell(message);
      },
      closed: (error) => {
        this.#lost(ended, error);
        over.resolve();
      },
    };
    try {
      const session = await this.#dial(events, signal);
      if (signal.aborted) return session[Symbol.dispose]();
      if (ended.signal.aborted) return;
      this.#found({ session, ended });
    } catch (error) {
      this.#blame(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    await over.promise;
  }

  #found(connection: Connection): void {
    this.#connection = connection;
    this.#failure = null;
    this.#log.info({}, "MQTT server connected");
    for (const filter of this.#listeners.filters) void this.#ask(connection.session, filter);
    this.#tell(true);
  }

  #lost(ended: AbortController, error: Error | null): void {
    const cause = error ?? new DeviceError("unreachable", "the server closed the connection");
    ended.abort(cause);
    if (this.#closing.signal.aborted) return;
    this.#blame(cause);
    if (this.#connection?.ended !== ended) return;
    this.#connection = null;
    this.#tell(false);
  }

  /** Once a cause, not once an attempt. */
  #blame(error: Error): void {
    if (this.#closing.signal.aborted) return;
    if (this.#failure?.message !== error.message)
      this.#log.warn({ reason: error.message }, "MQTT server not connected");
    this.#failure = error;
  }

  async #ask(session: MqttSession, filter: string): Promise<void> {
    try {
      await session.subscribe(filter);
    } catch (error) {
      if (this.#connection?.session !== session) return;
      const reason = errorText(error);
      this.#log.warn({ filter, reason }, "MQTT subscription refused");
    }
  }

  #tell(isConnected: boolean): void {
    this.#observers.emit(isConnected);
  }

  #unsent({ topic }: BrokerMessage, cause: unknown): DeviceError {
    const reason = errorText(cause);
    return new DeviceError("unreachable", `publish ${topic}: ${reason}`, { cause });
  }
}
