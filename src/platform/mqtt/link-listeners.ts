import type { BrokerMessage } from "../ports/ports.ts";
import { FilterTree } from "./filter-tree.ts";

type Listener = (message: BrokerMessage) => void;

/** Who listens to what on one connection. */
export class LinkListeners {
  readonly #byFilter = new Map<string, Set<Listener>>();
  readonly #tree = new FilterTree<Set<Listener>>();
  readonly #failed: (error: unknown, topic: string) => void;

  /** `failed` is called when a listener throws. */
  constructor(failed: (error: unknown, topic: string) => void) {
    this.#failed = failed;
  }

  get filters(): readonly string[] {
    return [...this.#byFilter.keys()];
  }

  /** Adds a listener. The answer takes it away, and is true when it was the last one of its filter. */
  add(filter: string, listener: Listener): () => boolean {
    const listeners = this.#byFilter.get(filter) ?? new Set();
    this.#byFilter.set(filter, listeners);
    this.#tree.set(filter, listeners);
    // The same function may listen twice; each time is a separate listener.
    const own: Listener = (message) => listener(message);
    listeners.add(own);
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return false;
      this.#tree.delete(filter);
      return this.#byFilter.delete(filter);
    };
  }

  /** Hands a message to all whose filter fits. */
  tell(message: BrokerMessage): void {
    for (const listeners of this.#tree.under(message.topic)) {
      for (const listener of [...listeners]) {
        if (listeners.has(listener)) this.#tellOne(listener, message);
      }
    }
  }

  clear(): void {
    for (const listeners of this.#byFilter.values()) listeners.clear();
    this.#byFilter.clear();
    this.#tree.clear();
  }

  #tellOne(listener: Listener, message: BrokerMessage): void {
    try {
      listener(message);
    } catch (error) {
      this.#failed(error, message.topic);
    }
  }
}
