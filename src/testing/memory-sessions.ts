import type { Mqtt5Message } from "../platform/ports/mqtt5-port.ts";
import type { Clock } from "../platform/ports/ports.ts";
import type { MemoryBroker } from "./memory-broker.ts";

/** Who holds a session now. */
export interface SessionHolder {
  /** Another came under the same client id. */
  takenOver(): void;
}

/** What a broker keeps of one client id. */
interface Kept {
  holder: SessionHolder | null;
  filters: readonly string[];
  readonly waiting: Mqtt5Message[];
  /** Of the time without a connection: what it listens to, when it ends, when its will is published. */
  readonly away: Disposable[];
  will: Mqtt5Message | null;
}

/** How a client left. */
export interface Leaving {
  readonly filters: readonly string[];
  /** What was under way to it. */
  readonly waiting: readonly Mqtt5Message[];
  readonly expirySeconds: number;
  readonly will: (Mqtt5Message & { readonly delaySeconds: number }) | null;
}

/** The sessions of MQTT 5 at one memory broker: who holds a client id, and what waits for who is away. */
export class MemorySessions {
  readonly #broker: MemoryBroker;
  readonly #clock: Pick<Clock, "timer">;
  readonly #kept = new Map<string, Kept>();

  constructor(broker: MemoryBroker, clock: Pick<Clock, "timer">) {
    this.#broker = broker;
    this.#clock = clock;
  }

  /** Messages that wait for a client that is away. */
  waiting(clientId: string): number {
    return this.#kept.get(clientId)?.waiting.length ?? 0;
  }

  /** Returns what the client was subscribed to and what waits for it; `null` if nothing is kept, or on a clean start. */
  take(
    clientId: string,
    holder: SessionHolder,
    isCleanStart: boolean,
  ): { readonly filters: readonly string[]; readonly waiting: readonly Mqtt5Message[] } | null {
    this.#kept.get(clientId)?.holder?.takenOver();
    const kept = this.#kept.get(clientId);
    this.#kept.set(clientId, { holder, filters: [], waiting: [], away: [], will: null });
    if (kept === undefined) return null;
    for (const thing of kept.away) thing[Symbol.dispose]();
    if (!isCleanStart) return kept;
    // The session ends here, and its will waits no longer (3.1.3.2.2).
    if (kept.will !== null) void this.#broker.publish(kept.will);
    return null;
  }

  /** Keeps the session of who left, unless another holds it. */
  leave(clientId: string, holder: SessionHolder, { filters, waiting, expirySeconds, will }: Leaving): void {
    const kept = this.#kept.get(clientId);
    if (kept?.holder !== holder) return;
    kept.holder = null;
    kept.filters = filters;
    kept.waiting.push(...waiting);
    const willSeconds = Math.min(will?.delaySeconds ?? 0, expirySeconds);
    if (will !== null && willSeconds === 0) void this.#broker.publish(will);
    if (expirySeconds === 0) {
      this.#kept.delete(clientId);
      return;
    }
    for (const filter of filters) {
      kept.away.push(this.#broker.subscribe(filter, (message) => void kept.waiting.push(message)));
    }
    if (will !== null && willSeconds > 0) {
      kept.will = will;
      kept.away.push(
        this.#clock.timer(willSeconds * 1_000, () => {
          kept.will = null;
          void this.#broker.publish(will);
        }),
      );
    }
    kept.away.push(this.#clock.timer(expirySeconds * 1_000, () => this.#forget(clientId, kept)));
  }

  #forget(clientId: string, kept: Kept): void {
    for (const thing of kept.away) thing[Symbol.dispose]();
    if (this.#kept.get(clientId) === kept) this.#kept.delete(clientId);
  }
}
