import { hostOf } from "../../platform/network/vetted-addresses.ts";
import { HandshakeRefused } from "../../platform/ports/handshake-refused.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type {
  Clock,
  HttpPolicy,
  WebSocketConnection,
  WebSocketEvents,
  WebSocketRequest,
  WebSockets,
} from "../../platform/ports/ports.ts";
import { HANDSHAKE_MS } from "../../platform/ports/websocket-port.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { dial, dialRules } from "./sim-dial.ts";
import { type SimHubEvents, type SimHubSocket, SimSocket } from "./sim-socket.ts";
import type { SimWeb, SimWebRequest } from "./sim-web.ts";

/** A server that speaks WebSocket: takes a handshake, or refuses it with a status. */
export type SimHub = (request: SimWebRequest, socket: SimHubSocket) => SimHubEvents | { readonly status: number };

/** The WebSockets of a world, and what goes wrong with them, by the host that was connected to. */
export class SimWebSockets {
  /** Hosts whose open connections carry nothing any more, in either direction, unnoticed by both sides. */
  readonly silent = new Set<string>();
  /** How much longer each message of a host is under way, ms. */
  readonly slowMs = new Map<string, number>();
  readonly web: SimWeb;
  readonly #open = new Set<SimSocket>();

  constructor(web: SimWeb) {
    this.web = web;
  }

  /** Breaks all connections to a host. Answers how many there were. */
  cut(host: string): number {
    const struck = [...this.#open].filter((socket) => socket.host === host);
    for (const socket of struck) socket.break("ECONNRESET");
    return struck.length;
  }

  /** Connections to a host that are open now. */
  count(host: string): number {
    return [...this.#open].filter((socket) => socket.host === host).length;
  }

  travelMs(host: string): number {
    return this.web.latencyMs() + (this.slowMs.get(host) ?? 0);
  }

  add(socket: SimSocket): void {
    this.#open.add(socket);
  }

  remove(socket: SimSocket): void {
    this.#open.delete(socket);
  }

  /** WebSockets as one process opens them. */
  host(clock: Clock): SimWebSocketsHost {
    return new SimWebSocketsHost(this, clock);
  }
}

/** The WebSockets of one process: what it opened dies with it. */
export class SimWebSocketsHost implements WebSockets {
  readonly #world: SimWebSockets;
  readonly #clock: Clock;
  readonly #own = new Set<SimSocket>();
  #opening = 0;
  #isDead = false;

  constructor(world: SimWebSockets, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Connections that are open or on their way. */
  get openConnections(): number {
    return this.#own.size + this.#opening;
  }

  /** Ends the process as SIGKILL does: its kernel resets what was open. */
  kill(): void {
    this.#isDead = true;
    for (const socket of this.#own) socket.die();
  }

  async open(
    request: WebSocketRequest,
    policy: HttpPolicy,
    events: WebSocketEvents,
    signal: AbortSignal,
  ): Promise<WebSocketConnection> {
    this.#opening += 1;
    try {
      return await within(this.#clock, HANDSHAKE_MS, signal, (inTime) => this.#shake(request, policy, events, inTime));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TimeoutError)) throw error;
      const host = hostOf(request.url);
      throw new HttpError("unreachable", `${host} did not shake hands within ${HANDSHAKE_MS / 1_000} s`);
    } finally {
      this.#opening -= 1;
    }
  }

  async #shake(
    { url, headers, maxMessageBytes, onSent }: WebSocketRequest,
    policy: HttpPolicy,
    events: WebSocketEvents,
    signal: AbortSignal,
  ): Promise<WebSocketConnection> {
    const host = hostOf(url);
    const server = await dial(this.#world.web, url, dialRules(policy), (ms) => this.#pass(ms, signal));
    await this.#pass(this.#world.travelMs(host), signal);
    if (this.#world.silent.has(host)) await this.#pass(Number.POSITIVE_INFINITY, signal);
    onSent?.();
    const socket = this.#socket(host, maxMessageBytes, events);
    const path = `${url.pathname}${url.search}`;
    const atMs = this.#clock.monotonicMs();
    const taken = server.hub?.({ method: "GET", host: url.host, path, headers, body: "", atMs }, socket.hubEnd);
    if (taken === undefined || "status" in taken) throw new HandshakeRefused(host, taken?.status ?? 404);
    socket.taken(taken);
    this.#own.add(socket);
    this.#world.add(socket);
    try {
      await this.#pass(this.#world.travelMs(host), signal);
    } catch (error) {
      socket.die();
      throw error;
    }
    socket.begin();
    return socket;
  }

  #socket(host: string, maxMessageBytes: number, events: WebSocketEvents): SimSocket {
    return new SimSocket({
      host,
      maxMessageBytes,
      events,
      clock: this.#clock,
      travelMs: () => this.#world.travelMs(host),
      isSilent: () => this.#world.silent.has(host),
      onEnd: (socket) => {
        this.#own.delete(socket);
        this.#world.remove(socket);
      },
    });
  }

  /** Lets time pass; never ends for a dead process. */
  async #pass(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal);
    if (this.#isDead) await new Promise(() => undefined);
  }
}
