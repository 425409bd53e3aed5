import type { Log, MqttLink } from "../platform/ports/ports.ts";
import { DeviceError } from "../points/device-error.ts";

const NOTHING = new Uint8Array();

/**
 * Keeps retained topics at what they shall hold, over lost connections: the newest text of each, one at a time. What was
 * not acknowledged is published again; what is gone is taken away from the broker.
 */
export class RetainedPublisher implements Disposable {
  readonly #link: MqttLink;
  readonly #log: Pick<Log, "warn">;
  readonly #encoder = new TextEncoder();
  readonly #wanted = new Map<string, string>();
  /** Topics whose text the broker does not have yet; those that are not wanted any more are to be taken away. */
  readonly #due = new Set<string>();
  readonly #observation: Disposable;
  #idle: Promise<void> = Promise.resolve();
  #isAtWork = false;
  #isClosed = false;

  constructor(link: MqttLink, log: Pick<Log, "warn">) {
    this.#link = link;
    this.#log = log;
    this.#observation = link.observe((isConnected) => {
      // A broker that was away may have lost what it kept.
      if (isConnected) this.refresh(() => true);
    });
  }

  /** Topics that hold something, or shall. */
  has(topic: string): boolean {
    return this.#wanted.has(topic);
  }

  /** Null takes the topic away. */
  set(topic: string, text: string | null): void {
    if (text !== null && this.#wanted.get(topic) === text) return;
    if (text === null) this.#wanted.delete(topic);
    else this.#wanted.set(topic, text);
    this.#due.add(topic);
    this.#work();
  }

  /** Publishes again what is wanted at these topics. */
  refresh(isMeant: (topic: string) => boolean): void {
    for (const topic of this.#wanted.keys()) if (isMeant(topic)) this.#due.add(topic);
    this.#work();
  }

  /** Resolves when the broker has everything, or cannot be reached. */
  settled(): Promise<void> {
    return this.#idle;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#observation[Symbol.dispose]();
    this.#due.clear();
  }

  #work(): void {
    if (this.#isAtWork || this.#isClosed || this.#due.size === 0) return;
    this.#isAtWork = true;
    this.#idle = this.#publishDue().finally(() => {
      this.#isAtWork = false;
    });
  }

  /** Never rejects. Ends without a connection; the next one begins it anew. */
  async #publishDue(): Promise<void> {
    for (let topic = this.#nextDue(); topic !== null; topic = this.#nextDue()) {
      this.#due.delete(topic);
      const text = this.#wanted.get(topic);
      const payload = text === undefined ? NOTHING : this.#encoder.encode(text);
      try {
        await this.#link.publish({ topic, payload, isRetained: true });
      } catch (err) {
        if (this.#isClosed) return;
        // A topic that cannot be published at all is not tried for ever.
        if (err instanceof DeviceError) this.#due.add(topic);
        else this.#log.warn({ err, topic }, "MQTT state not published");
      }
    }
  }

  #nextDue(): string | null {
    if (this.#isClosed || !this.#link.isConnected) return null;
    const [topic] = this.#due;
    return topic ?? null;
  }
}
