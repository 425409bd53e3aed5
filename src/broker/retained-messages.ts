import type { KeptMessage, RetainedMemory } from "../platform/ports.ts";
import { topicMatches } from "../platform/topic-filter.ts";

export interface RetainedLimits {
  readonly retainedMessages: number;
  /** Topics and payloads together. */
  readonly retainedBytes: number;
}

/** A topic that clients changed: its message, or null when it is gone. */
export type RetainedChange = (topic: string, message: KeptMessage | null) => void;

/**
 * The retained messages of the embedded broker. Those of clients are counted, and told on so that they can be stored;
 * the gateway's own are neither, because it publishes them anew at each start.
 */
export class RetainedMessages implements RetainedMemory {
  readonly #limits: RetainedLimits;
  readonly #changed: RetainedChange;
  readonly #own = new Map<string, KeptMessage>();
  readonly #ofClients = new Map<string, KeptMessage>();
  #bytes = 0;

  constructor(limits: RetainedLimits, changed: RetainedChange = () => undefined) {
    this.#limits = limits;
    this.#changed = changed;
  }

  /** Messages of clients, and their bytes. */
  get size(): { readonly messages: number; readonly bytes: number } {
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
    const bytes = this.#bytes + weight(message) - (before === undefined ? 0 : weight(before));
    const isRoomy = before !== undefined || this.#ofClients.size < this.#limits.retainedMessages;
    // What was kept before is older than what could not be kept, so it must not be shown any longer.
    if (!isRoomy || bytes > this.#limits.retainedBytes) {
      this.#forget(message.topic);
      return false;
    }
    this.#own.delete(message.topic);
    this.#ofClients.set(message.topic, message);
    this.#bytes = bytes;
    this.#changed(message.topic, message);
    return true;
  }

  *under(filter: string): Iterable<KeptMessage> {
    // Whoever takes them slowly gets each as it is by then: an old value must not come after a newer one.
    for (const topic of [...this.#own.keys(), ...this.#ofClients.keys()]) {
      const message = this.#own.get(topic) ?? this.#ofClients.get(topic);
      if (message !== undefined && topicMatches(filter, topic)) yield message;
    }
  }

  #forget(topic: string): void {
    const before = this.#ofClients.get(topic);
    if (before === undefined) return;
    this.#ofClients.delete(topic);
    this.#bytes -= weight(before);
    this.#changed(topic, null);
  }
}

function weight({ topic, payload }: KeptMessage): number {
  return Buffer.byteLength(topic) + payload.length;
}
