import { HOUR_MS } from "../../domain/duration.ts";
import { topicMatches } from "../../platform/mqtt/topic-filter.ts";
import type { BrokerLimits, Clock } from "../../platform/ports/ports.ts";

/** A message that waits for a client, or the PUBREL that stands for it. */
export interface QueuedPacket {
  messageId?: number | undefined;
  /** With the counter it names a message; a PUBREL has neither. */
  readonly brokerId?: string;
  readonly brokerCounter?: number;
}

interface Session<Packet> {
  readonly username: string;
  readonly filters: Map<string, 0 | 1 | 2>;
  queue: Packet[];
  lastUsedMs: number;
}

type Limits = Pick<BrokerLimits, "sessions" | "queuedMessages" | "sessionHours">;

/**
 * Keeps sessions after their connections ended, in memory: they end with the gateway, after a time without their
 * client, or when too many others are newer.
 */
export class Sessions<Packet extends QueuedPacket> {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #limits: Limits;
  readonly #sessions = new Map<string, Session<Packet>>();

  constructor(clock: Pick<Clock, "monotonicMs">, limits: Limits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Whose session it is; null when there is none. */
  ownerOf(clientId: string): string | null {
    return this.#find(clientId)?.username ?? null;
  }

  subscribe(clientId: string, username: string, filter: { readonly topic: string; readonly qos: 0 | 1 | 2 }): void {
    const session = this.#find(clientId) ?? { username, filters: new Map(), queue: [], lastUsedMs: 0 };
    session.filters.set(filter.topic, filter.qos);
    this.#use(clientId, session);
    this.#makeRoom();
  }

  unsubscribe(clientId: string, filters: readonly string[]): void {
    const session = this.#find(clientId);
    for (const filter of filters) session?.filters.delete(filter);
    if (session?.filters.size === 0) this.#sessions.delete(clientId);
  }

  filtersOf(clientId: string): readonly { readonly topic: string; readonly qos: 0 | 1 | 2 }[] {
    const session = this.#find(clientId);
    if (session === null) return [];
    this.#use(clientId, session);
    return [...session.filters].map(([topic, qos]) => ({ topic, qos }));
  }

  end(clientId: string): void {
    this.#sessions.delete(clientId);
  }

  /** The sessions that a message at this topic waits in, with the most that they take of its QoS; QoS 0 never waits. */
  waitingFor(topic: string): readonly { readonly clientId: string; readonly topic: string; readonly qos: 1 | 2 }[] {
    return [...this.#sessions].flatMap(([clientId, session]) => {
      if (this.#isOver(session)) return [];
      const fitting = [...session.filters].filter(([filter]) => topicMatches(filter, topic));
      const qos = Math.max(0, ...fitting.map(([, each]) => each));
      return qos === 0 ? [] : [{ clientId, topic, qos: qos === 2 ? 2 : 1 }];
    });
  }

  /** Queues a message; beyond the limit the oldest one goes. */
  queue(clientId: string, packet: Packet): void {
    const session = this.#find(clientId);
    if (session === null) return;
    session.queue.push(packet);
    if (session.queue.length > this.#limits.queuedMessages) session.queue.shift();
  }

  queued(clientId: string): readonly Packet[] {
    return [...(this.#find(clientId)?.queue ?? [])];
  }

  /** Notes which id a queued message is sent with, or puts its PUBREL in its place. One that is gone is not missed. */
  update(clientId: string, packet: Packet): void {
    const queue = this.#find(clientId)?.queue ?? [];
    for (const [at, queued] of queue.entries()) {
      if (queued.brokerId === packet.brokerId) {
        if (queued.brokerCounter !== packet.brokerCounter) continue;
        queued.messageId = packet.messageId;
        return;
      }
      if (queued.messageId === packet.messageId) {
        queue[at] = packet;
        return;
      }
    }
  }

  /** Takes away what was acknowledged. A packet without an id was never sent, so it acknowledges nothing. */
  acknowledge(clientId: string, messageId: number | undefined): Packet | undefined {
    const session = this.#find(clientId);
    if (session === null || messageId === undefined) return undefined;
    const acknowledged = session.queue.find((queued) => queued.messageId === messageId);
    session.queue = session.queue.filter((queued) => queued !== acknowledged);
    session.lastUsedMs = this.#clock.monotonicMs();
    return acknowledged;
  }

  #find(clientId: string): Session<Packet> | null {
    const session = this.#sessions.get(clientId);
    if (session === undefined) return null;
    if (!this.#isOver(session)) return session;
    this.#sessions.delete(clientId);
    return null;
  }

  #isOver({ lastUsedMs }: Session<Packet>): boolean {
    return this.#clock.monotonicMs() - lastUsedMs > this.#limits.sessionHours * HOUR_MS;
  }

  /** Deleted first, so that the map stays ordered by the last use. */
  #use(clientId: string, session: Session<Packet>): void {
    session.lastUsedMs = this.#clock.monotonicMs();
    this.#sessions.delete(clientId);
    this.#sessions.set(clientId, session);
  }

  /** Ends the oldest sessions beyond the limit, of the user who has the most of them. */
  #makeRoom(): void {
    while (this.#sessions.size > this.#limits.sessions) {
      const byUser = Map.groupBy(this.#sessions, ([, { username }]) => username);
      const most = [...byUser.values()].reduce((one, other) => (other.length > one.length ? other : one));
      const [clientId] = most[0] ?? [""];
      this.#sessions.delete(clientId);
    }
  }
}
