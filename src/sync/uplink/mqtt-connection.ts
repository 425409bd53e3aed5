import { type Mqtt5Connection, Mqtt5Error, type Mqtt5Events, type Mqtt5Message } from "../../platform/mqtt5-port.ts";
import type { Clock } from "../../platform/ports.ts";
import { MAX_MESSAGE_BYTES, MAX_WINDOW } from "../protocol/limits.ts";
import { kindOfEnd, kindOfReason } from "./mqtt-reasons.ts";
import type { MqttTopics } from "./mqtt-topics.ts";
import { type FrameHint, type UplinkConnection, type UplinkEnd, UplinkError, type UplinkEvents } from "./uplink.ts";

/** Messages that may come before the connection is handed over; a broker that kept more loses the rest. */
const MAX_EARLY = 256;
const REFUSED = 0x80;

interface Parts {
  readonly events: UplinkEvents;
  readonly topics: MqttTopics;
  readonly clock: Clock;
  /**
   * Once after the sign-in, with how it ended and whether the server acknowledged all that was sent; answers what the owner
   * is told.
   */
  readonly onEnd: (end: UplinkEnd, error: Mqtt5Error | null, isSettled: boolean) => UplinkEnd;
}

/** One connection by MQTT 5, with the server's Receive Maximum as credits. */
export class MqttConnection implements UplinkConnection {
  readonly name = "mqtt";
  readonly #parts: Parts;
  readonly #early: Uint8Array[] = [];
  readonly #held: Mqtt5Message[] = [];
  #link: Mqtt5Connection | null = null;
  #openedAtMs = 0;
  #unacknowledged = 0;
  #isHandedOver = false;
  #handing: Disposable | null = null;
  readonly #over = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What the port is given. */
  get portEvents(): Mqtt5Events {
    return {
      message: (message) => this.#take(message),
      closed: (error) => this.#closed(error),
    };
  }

  /** Aborts with an `UplinkError` when it ends. */
  get ended(): AbortSignal {
    return this.#over.signal;
  }

  get credits(): number {
    return !this.ended.aborted ? Math.max(0, this.#window - this.#unacknowledged - this.#held.length) : 0;
  }

  get maxFrameBytes(): number {
    return Math.min((this.#link?.maxPacketBytes ?? 0) - this.#parts.topics.headBytes, MAX_MESSAGE_BYTES);
  }

  /**
   * Subscribes, and says that the gateway is there: the server's answers show that both are allowed. Rejects with an
   * `UplinkError`.
   */
  async begin(link: Mqtt5Connection, isPresenceKept: boolean): Promise<void> {
    this.ended.throwIfAborted();
    this.#link = link;
    this.#openedAtMs = this.#parts.clock.monotonicMs();
    const { topics } = this.#parts;
    try {
      await link.subscribe([topics.down]);
    } catch (error) {
      if (error instanceof Mqtt5Error) this.#closed(error);
      else throw error;
    }
    this.ended.throwIfAborted();
    const payload = new TextEncoder().encode("online");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#publish({ topic: topics.presence, payload, isRetained: isPresenceKept }, resolve);
    await promise;
  }

  /** From now on the owner is told, beginning after this turn of the event loop. */
  handOver(): void {
    this.#isHandedOver = true;
    this.#handing = this.#parts.clock.timer(0, () => {
      this.#handing = null;
      for (const frame of this.#early.splice(0)) if (!this.ended.aborted) this.#parts.events.frame(frame);
    });
  }

  send(frame: Uint8Array, hint: FrameHint): void {
    if (this.ended.aborted) return;
    const message = this.#parts.topics.message(frame, hint);
    if (this.#unacknowledged < this.#window) this.#publish(message);
    else this.#held.push(message);
  }

  [Symbol.dispose](): void {
    this.#finish({ kind: "lost", reason: "closed by the gateway", retryAfterMs: null }, null);
  }

  /** A server that takes thousands is not given more than the contract has on its way. */
  get #window(): number {
    return Math.min(this.#link?.receiveMaximum ?? 0, MAX_WINDOW);
  }

  #publish(message: Mqtt5Message, taken: () => void = () => undefined): void {
    this.#unacknowledged += 1;
    this.#link?.publish(message, (reasonCode) => {
      if (this.ended.aborted) return;
      this.#unacknowledged -= 1;
      if (reasonCode < REFUSED) return this.#goOn(taken);
      const reason = `the server refused a message to ${message.topic}: reason ${reasonCode}`;
      this.#finish({ kind: kindOfReason(reasonCode), reason, retryAfterMs: null }, null);
    });
  }

  #goOn(taken: () => void): void {
    const hadRoom = this.#held.length === 0;
    const next = this.#held.shift();
    if (next !== undefined) this.#publish(next);
    taken();
    if (hadRoom && this.#isHandedOver && this.credits === 1) this.#parts.events.drained();
  }

  #take(message: Mqtt5Message): void {
    if (this.ended.aborted) return;
    if (this.#isHandedOver && this.#handing === null) this.#parts.events.frame(message.payload);
    else if (this.#early.length < MAX_EARLY) this.#early.push(message.payload);
  }

  #closed(error: Mqtt5Error | null): void {
    const openMs = this.#parts.clock.monotonicMs() - this.#openedAtMs;
    const kind = kindOfEnd(error?.reasonCode ?? null, this.#isHandedOver ? openMs : 0);
    this.#finish({ kind, reason: error?.message ?? "closed by the gateway", retryAfterMs: null }, error);
  }

  #finish(how: UplinkEnd, error: Mqtt5Error | null): void {
    if (this.ended.aborted) return;
    const end = this.#link === null ? how : this.#parts.onEnd(how, error, this.#unacknowledged === 0);
    this.#over.abort(new UplinkError(end));
    this.#handing?.[Symbol.dispose]();
    this.#link?.[Symbol.dispose]();
    if (this.#isHandedOver) this.#parts.events.closed(end);
  }
}
