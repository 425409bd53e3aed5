import {
  type Mqtt5Connection,
  Mqtt5Error,
  type Mqtt5Events,
  type Mqtt5Message,
} from "../../platform/ports/mqtt5-port.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { MAX_MESSAGE_BYTES, MAX_WINDOW } from "../protocol/limits.ts";
import { Handover } from "./handover.ts";
import { kindOfEnd, kindOfReason } from "./mqtt-reasons.ts";
import type { MqttTopics } from "./mqtt-topics.ts";
import { type FrameHint, type UplinkConnection, type UplinkEnd, UplinkError, type UplinkEvents } from "./uplink.ts";

const REFUSED = 0x80;

interface Parts {
  readonly events: UplinkEvents;
  readonly topics: MqttTopics;
  readonly clock: Clock;
  /**
   * Called once after the sign-in, with the end and whether the server acknowledged all messages. Returns the end to
   * report to the owner.
   */
  readonly onEnd: (end: UplinkEnd, error: Mqtt5Error | null, isSettled: boolean) => UplinkEnd;
}

/** One MQTT connection; its credits are the server's Receive Maximum. */
export class MqttConnection implements UplinkConnection {
  readonly name = "mqtt";
  readonly #parts: Parts;
  readonly #handover: Handover;
  readonly #queued: Mqtt5Message[] = [];
  #link: Mqtt5Connection | null = null;
  #openedAtMs = 0;
  #unacknowledged = 0;
  readonly #over = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#handover = new Handover(parts.events, parts.clock);
  }

  /** The event handlers for the MQTT port. */
  get portEvents(): Mqtt5Events {
    return {
      message: ({ payload }) => this.#handover.frame(payload),
      closed: (error) => this.#closed(error),
    };
  }

  /** Aborts with an `UplinkError` when the connection ends. */
  get ended(): AbortSignal {
    return this.#over.signal;
  }

  get credits(): number {
    return !this.ended.aborted ? Math.max(0, this.#window - this.#unacknowledged - this.#queued.length) : 0;
  }

  get maxFrameBytes(): number {
    return Math.min((this.#link?.maxPacketBytes ?? 0) - this.#parts.topics.headBytes, MAX_MESSAGE_BYTES);
  }

  /**
   * Subscribes and publishes the gateway's presence; the server's answers show that both are allowed. Rejects with an
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

  /** Starts to pass events to the owner. */
  handOver(): void {
    this.#handover.begin();
  }

  send(frame: Uint8Array, hint: FrameHint): void {
    if (this.ended.aborted) return;
    const message = this.#parts.topics.message(frame, hint);
    if (this.#unacknowledged < this.#window) this.#publish(message);
    else this.#queued.push(message);
  }

  [Symbol.dispose](): void {
    this.#finish({ kind: "lost", reason: "closed by the gateway", retryAfterMs: null }, null);
  }

  /** Unacknowledged messages at a time: never more than the protocol allows, even if the server does. */
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
    const hadRoom = this.#queued.length === 0;
    const next = this.#queued.shift();
    if (next !== undefined) this.#publish(next);
    taken();
    if (hadRoom && this.credits === 1) this.#handover.drained();
  }

  #closed(error: Mqtt5Error | null): void {
    const openMs = this.#parts.clock.monotonicMs() - this.#openedAtMs;
    const kind = kindOfEnd(error?.reasonCode ?? null, this.#handover.hasBegun ? openMs : 0);
    this.#finish({ kind, reason: error?.message ?? "closed by the gateway", retryAfterMs: null }, error);
  }

  #finish(how: UplinkEnd, error: Mqtt5Error | null): void {
    if (this.ended.aborted) return;
    const end = this.#link === null ? how : this.#parts.onEnd(how, error, this.#unacknowledged === 0);
    this.#over.abort(new UplinkError(end));
    this.#link?.[Symbol.dispose]();
    this.#handover.closed(end);
  }
}
