import { Readable } from "node:stream";
import type { AedesPublishPacket } from "aedes";
import type { KeptMessage, RetainedMemory } from "../../platform/ports/ports.ts";
import { isOwnTopic } from "../reserved-topics.ts";
import { ClientFault } from "./client-fault.ts";
import type { QueuedPacket, Sessions } from "./sessions.ts";

/** A packet that waits: a message, or the PUBREL of one. */
export type Waiting = QueuedPacket & Partial<Omit<AedesPublishPacket, keyof QueuedPacket>>;

interface ClientName {
  readonly id: string;
}

interface Filter {
  readonly topic: string;
  readonly qos: 0 | 1 | 2;
}

interface PersistenceParts {
  readonly sessions: Sessions<Waiting>;
  readonly retained: RetainedMemory;
  /** Who a connected client signed in as. */
  readonly usernameOf: (clientId: string) => string;
  readonly noRoom: (topic: string) => void;
}

/**
 * What aedes asks to be kept (the interface of aedes-persistence 11), in memory and with limits. Of a message at QoS 2
 * only the id is kept until its PUBREL: it was handed on before, so its body serves nobody.
 */
export class BoundedPersistence {
  readonly #parts: PersistenceParts;
  readonly #incoming = new Map<string, Set<number>>();
  readonly #wills = new Map<string, AedesPublishPacket & { clientId?: string; brokerId?: string }>();
  #brokerId = "";

  constructor(parts: PersistenceParts) {
    this.#parts = parts;
  }

  async setup(broker: { readonly id: string }): Promise<void> {
    this.#brokerId = broker.id;
  }

  async storeRetained(packet: AedesPublishPacket & { readonly clientId?: string }): Promise<void> {
    const { topic, payload, qos, clientId } = packet;
    // Nobody but the gateway has a memory there: a command that comes out of it is a ghost.
    if (isOwnTopic(topic)) return;
    // Copied, because the parser's buffer is larger than the payload.
    const username = clientId === undefined ? undefined : this.#parts.usernameOf(clientId);
    const kept = { topic, payload: Uint8Array.from(Buffer.from(payload)), qos, username };
    const isKept = this.#parts.retained.put(kept, false);
    if (!isKept) this.#parts.noRoom(topic);
  }

  createRetainedStream(filter: string): Readable {
    return this.createRetainedStreamCombi([filter]);
  }

  createRetainedStreamCombi(filters: readonly string[]): Readable {
    return Readable.from(this.#keptUnder(filters));
  }

  /** Does nothing: aedes passes refused filters, too, and the access control stores those that it grants. */
  async addSubscriptions(): Promise<void> {}

  async removeSubscriptions({ id }: ClientName, filters: readonly string[]): Promise<void> {
    this.#parts.sessions.unsubscribe(id, filters);
  }

  async subscriptionsByClient({ id }: ClientName): Promise<readonly Filter[]> {
    return this.#parts.sessions.filtersOf(id).map((filter) => ({ ...filter }));
  }

  async subscriptionsByTopic(topic: string): Promise<readonly (Filter & { readonly clientId: string })[]> {
    return this.#parts.sessions.waitingFor(topic);
  }

  async cleanSubscriptions({ id }: ClientName): Promise<void> {
    this.#parts.sessions.end(id);
  }

  async outgoingEnqueue({ clientId }: { readonly clientId: string }, packet: Waiting): Promise<void> {
    this.#parts.sessions.queue(clientId, { ...packet, messageId: undefined });
  }

  async outgoingEnqueueCombi(
    waiting: readonly { readonly clientId: string; readonly qos: 1 | 2 }[],
    packet: Waiting & Pick<AedesPublishPacket, "qos">,
  ): Promise<void> {
    for (const { clientId, qos } of waiting) {
      this.#parts.sessions.queue(clientId, {
        ...packet,
        qos: packet.qos === 2 && qos === 2 ? 2 : 1,
        messageId: undefined,
      });
    }
  }

  async outgoingUpdate({ id }: ClientName, packet: Waiting): Promise<void> {
    this.#parts.sessions.update(id, packet);
  }

  async outgoingClearMessageId({ id }: ClientName, packet: Waiting): Promise<Waiting | undefined> {
    return this.#parts.sessions.acknowledge(id, packet.messageId);
  }

  outgoingStream({ id }: ClientName): Readable {
    return Readable.from(this.#parts.sessions.queued(id));
  }

  async incomingStorePacket({ id }: ClientName, { messageId }: { readonly messageId: number }): Promise<void> {
    const ids = this.#incoming.get(id) ?? new Set();
    this.#incoming.set(id, ids.add(messageId));
  }

  async incomingGetPacket({ id }: ClientName, packet: { readonly messageId: number }): Promise<object> {
    if (this.#incoming.get(id)?.has(packet.messageId) !== true)
      throw new ClientFault("it released a message of QoS 2 that it did not send");
    return packet;
  }

  async incomingDelPacket({ id }: ClientName, { messageId }: { readonly messageId: number }): Promise<void> {
    if (this.#incoming.get(id)?.delete(messageId) !== true)
      throw new ClientFault("it released a message of QoS 2 that it did not send");
  }

  async cleanIncoming({ id }: ClientName): Promise<void> {
    this.#incoming.delete(id);
  }

  async putWill({ id }: ClientName, will: AedesPublishPacket): Promise<void> {
    this.#wills.set(id, Object.assign(will, { clientId: id, brokerId: this.#brokerId }));
  }

  async getWill({ id }: ClientName): Promise<AedesPublishPacket | undefined> {
    return this.#wills.get(id);
  }

  async delWill({ id }: ClientName): Promise<AedesPublishPacket | undefined> {
    const will = this.#wills.get(id);
    this.#wills.delete(id);
    return will;
  }

  /** Wills of other brokers: there are none. */
  streamWill(): Readable {
    return Readable.from([]);
  }

  getClientList(): Readable {
    return Readable.from([]);
  }

  async destroy(): Promise<void> {
    this.#incoming.clear();
    this.#wills.clear();
  }

  *#keptUnder(filters: readonly string[]): Iterable<object> {
    for (const filter of filters) {
      for (const message of this.#parts.retained.under(filter)) yield packetOf(message);
    }
  }
}

function packetOf({ topic, payload, qos }: KeptMessage): object {
  return { cmd: "publish", topic, payload: Buffer.from(payload), qos, retain: true };
}
