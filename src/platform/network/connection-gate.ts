import type { Clock, Log } from "../ports/ports.ts";
import { networkOf } from "./network-of.ts";

/** At most one line in the log in this time, ms. */
const LOG_EVERY_MS = 60_000;

/** What is used of a socket. */
export interface GatedSocket {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

export interface GateLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Of those, the ones of one address that have not signed in. */
  readonly connectionsPerAddress: number;
}

/** Connections of one address: a set keeps the order in which they were put in. */
interface Peer {
  /** Have not signed in. */
  readonly strangers: Set<GatedSocket>;
  /** Have, and wait for nothing at present. */
  readonly idle: Set<GatedSocket>;
  /** Have, and are being served. */
  readonly served: Set<GatedSocket>;
}

interface GateParts {
  readonly limits: GateLimits;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "warn">;
  /** Of the log's line. */
  readonly name: string;
}

/**
 * Who may keep a connection to a listener. Nobody is shut out by sockets that say nothing: when there is no room, the
 * connection that has waited for longest without signing in gives way, of the address that has the most. One that is being
 * served after signing in never does.
 */
export class ConnectionGate {
  readonly #parts: GateParts;
  readonly #peers = new Map<string, Peer>();
  readonly #networks = new Map<GatedSocket, string>();
  #closed = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Gives a new connection its place, or ends it. */
  admit(socket: GatedSocket): boolean {
    const network = networkOf(socket.remoteAddress ?? "");
    const { connections, connectionsPerAddress } = this.#parts.limits;
    const own = this.#peers.get(network);
    if (own !== undefined && own.strangers.size >= connectionsPerAddress) this.#end(first(own.strangers), network);
    if (this.#networks.size >= connections && !this.#makeRoom()) {
      this.#end(socket, network);
      return false;
    }
    const peer = this.#peers.get(network) ?? { strangers: new Set(), idle: new Set(), served: new Set() };
    this.#peers.set(network, peer);
    this.#networks.set(socket, network);
    peer.strangers.add(socket);
    socket.once("close", () => this.#forget(socket));
    return true;
  }

  /** The connection has just been used: among its like it is the last to give way. A stranger stays one. */
  use(socket: GatedSocket): void {
    const peer = this.#peerOf(socket);
    for (const one of [peer?.strangers, peer?.idle]) if (one?.delete(socket) === true) one.add(socket);
  }

  /** The connection has signed in and is being served: it keeps its place. */
  serve(socket: GatedSocket): void {
    this.#move(socket, "served");
  }

  /** The connection has signed in, and waits. */
  rest(socket: GatedSocket): void {
    this.#move(socket, "idle");
  }

  #move(socket: GatedSocket, to: keyof Peer): void {
    const peer = this.#peerOf(socket);
    if (peer === null) return;
    peer.strangers.delete(socket);
    peer.idle.delete(socket);
    peer.served.delete(socket);
    peer[to].add(socket);
  }

  #peerOf(socket: GatedSocket): Peer | null {
    return this.#peers.get(this.#networks.get(socket) ?? "") ?? null;
  }

  /** Ends a connection of the address that has the most, if there is one that may be ended. */
  #makeRoom(): boolean {
    const ordered = [...this.#peers].sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    for (const [network, { strangers, idle }] of ordered) {
      const victim = first(strangers) ?? first(idle);
      if (victim === undefined) continue;
      this.#end(victim, network);
      return true;
    }
    return false;
  }

  #end(socket: GatedSocket | undefined, network: string): void {
    if (socket === undefined) return;
    this.#forget(socket);
    socket.destroy();
    this.#closed += 1;
    const nowMs = this.#parts.clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#parts.log.warn(
      { address: network, closed: this.#closed },
      `${this.#parts.name}: too many connections; some were closed`,
    );
    this.#loggedAtMs = nowMs;
    this.#closed = 0;
  }

  #forget(socket: GatedSocket): void {
    const network = this.#networks.get(socket);
    if (network === undefined) return;
    this.#networks.delete(socket);
    const peer = this.#peers.get(network);
    if (peer === undefined) return;
    for (const one of Object.values(peer)) one.delete(socket);
    if (sizeOf(peer) === 0) this.#peers.delete(network);
  }
}

function first(sockets: ReadonlySet<GatedSocket>): GatedSocket | undefined {
  return sockets.values().next().value;
}

function sizeOf({ strangers, idle, served }: Peer): number {
  return strangers.size + idle.size + served.size;
}
