import type { Log, MqttLink } from "../platform/ports/ports.ts";
import { DeviceError } from "../points/device-error.ts";

const NOTHING = new Uint8Array();

/**
 * Keeps the retained topics of a broker up to date, over lost connections: the newest text of each, one at a time. What
 * was not acknowledged is published again; what is gone is taken away from the broker.
 */
export class RetainedPublisher implements Disposable {
  readonly #link: MqttLink;
  readonly #log: Pick<Log, "warn">;
  readonly #encoder = new TextEncoder();
  readonly #texts = new Map<string, string>();
  /** Topics whose text the broker does not have yet; those without a text are to be taken away. */
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

  /** Whether the topic has a text, published or about to be. */
  has(topic: string): boolean {
    return this.#texts.has(topic);
  }

  /** Null takes the topic away. */
  set(topic: string, text: string | null): void {
    if (text !== null && this.#texts.get(topic) === text) return;
    if (text === null) this.#texts.delete(topic);
    else this.#texts.set(topic, text);
    this.#due.add(topic);
    this.#work();
  }

  /** Publishes the texts of the selected topics again. */
  refresh(isSelected: (topic: string) => boolean): void {
    for (const topic of this.#texts.keys()) if (isSelected(topic)) this.#due.add(topic);
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

  /** Publishes what is due. Never rejects. Ends without a connection; the next one starts it again. */
  async #publishDue(): Promise<void> {
    for (let topic = this.#nextDue(); topic !== null; topic = this.#nextDue()) {
      this.#due.delete(topic);
      const text = this.#texts.get(topic);
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
