import { topicMatches } from "../platform/mqtt/topic-filter.ts";
import type { KeptMessage, RetainedMemory } from "../platform/ports/ports.ts";
import { userShare } from "./user-share.ts";

export interface RetainedLimits {
  readonly retainedMessages: number;
  /** Topics and payloads together. */
  readonly retainedBytes: number;
}

interface Size {
  readonly messages: number;
  /** Topics and payloads together. */
  readonly bytes: number;
}

const EMPTY: Size = { messages: 0, bytes: 0 };

/** A topic that clients changed: its message, or null when it is gone. */
export type RetainedChange = (topic: string, message: KeptMessage | null) => void;

/**
 * Keeps the retained messages of the embedded broker. Those of clients are counted, and reported so that they can be
 * stored; the gateway's own are neither, because it publishes them again at each start.
 */
export class RetainedMessages implements RetainedMemory {
  readonly #limits: RetainedLimits;
  readonly #changed: RetainedChange;
  readonly #own = new Map<string, KeptMessage>();
  readonly #ofClients = new Map<string, KeptMessage>();
  readonly #ofUsers = new Map<string, Size>();
  #bytes = 0;

  constructor(limits: RetainedLimits, changed: RetainedChange = () => undefined) {
    this.#limits = limits;
    this.#changed = changed;
  }

  /** Messages of clients, and their bytes. */
  get size(): Size {
    return { messages: this.#ofClients.size, bytes: this.#bytes };
  }

  put(message: KeptMessage, isOwn: boolean): boolean {
    if (isOwn) {
      this.#forget(message.topic);
      if (message.payload.length === 0) this.#own.delete(message.topic);
      else this.#own.set(message.topic, message);
      return true;
    }
    const before = this.#ofClients.get(message.topic);
    if (message.payload.length === 0) {
      this.#own.delete(message.topic);
      this.#forget(message.topic);
      return true;
    }
    // What was kept before is older than what could not be kept, so it must not be shown any longer.
    if (!this.#hasRoom(message, before)) {
      this.#forget(message.topic);
      return false;
    }
    this.#own.delete(message.topic);
    this.#count(before, -1);
    this.#ofClients.set(message.topic, message);
    this.#count(message, 1);
    this.#changed(message.topic, message);
    return true;
  }

  *under(filter: string): Iterable<KeptMessage> {
    // A slow reader gets each message as it is when it is read: an old value must not come after a newer one.
    for (const topic of [...this.#own.keys(), ...this.#ofClients.keys()]) {
      const message = this.#own.get(topic) ?? this.#ofClients.get(topic);
      if (message !== undefined && topicMatches(filter, topic)) yield message;
    }
  }

  /** True if a message fits beside all others, and beside the others of its user, in place of the one before. */
  #hasRoom(message: KeptMessage, before: KeptMessage | undefined): boolean {
    const { retainedMessages, retainedBytes } = this.#limits;
    const all = sum(this.size, message, before);
    const own = sum(
      this.#ofUsers.get(message.username ?? "") ?? EMPTY,
      message,
      before?.username === message.username ? before : undefined,
    );
    const fitsAll = all.messages <= retainedMessages && all.bytes <= retainedBytes;
    return fitsAll && own.messages <= userShare(retainedMessages) && own.bytes <= userShare(retainedBytes);
  }

  #count(message: KeptMessage | undefined, sign: 1 | -1): void {
    if (message === undefined) return;
    const username = message.username ?? "";
    const { messages, bytes } = this.#ofUsers.get(username) ?? EMPTY;
    const own = { messages: messages + sign, bytes: bytes + sign * weight(message) };
    if (own.messages === 0) this.#ofUsers.delete(username);
    else this.#ofUsers.set(username, own);
    this.#bytes += sign * weight(message);
  }

  #forget(topic: string): void {
    const before = this.#ofClients.get(topic);
    if (before === undefined) return;
    this.#ofClients.delete(topic);
    this.#count(before, -1);
    this.#changed(topic, null);
  }
}

/** The size with a message added and another taken away. */
function sum({ messages, bytes }: Size, added: KeptMessage, taken: KeptMessage | undefined): Size {
  if (taken === undefined) return { messages: messages + 1, bytes: bytes + weight(added) };
  return { messages, bytes: bytes + weight(added) - weight(taken) };
}

function weight({ topic, payload }: KeptMessage): number {
  return Buffer.byteLength(topic) + payload.length;
}
