import { SILENT_MS, SocketPulse } from "../../platform/network/socket-pulse.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { Clock, WebSocketConnection, WebSocketEvents } from "../../platform/ports/ports.ts";
import { MAX_UNSENT_BYTES } from "../../platform/ports/websocket-port.ts";

/** The server's end of a connection. */
export interface SimHubSocket {
  readonly isOpen: boolean;
  send(message: string): void;
  /** Says goodbye. */
  close(): void;
}

/** What a server does with a connection; the calls come in order. */
export interface SimHubEvents {
  text(message: string): void;
  closed(): void;
}

export interface SimSocketParts {
  readonly host: string;
  readonly maxMessageBytes: number;
  readonly clock: Clock;
  readonly events: WebSocketEvents;
  /** How long a message is under way now, ms. */
  readonly travelMs: () => number;
  /** True: nothing that is sent arrives. */
  readonly isSilent: () => boolean;
  /** The connection is over. */
  readonly onEnd: (socket: SimSocket) => void;
}

/** One simulated WebSocket, both ends of it. What travels takes its time and keeps its order. */
export class SimSocket implements WebSocketConnection {
  readonly host: string;
  readonly hubEnd: SimHubSocket;
  readonly #parts: SimSocketParts;
  #hub: SimHubEvents | null = null;
  #pulse: Disposable | null = null;
  /** What came before the owner had the connection. */
  #early: (() => void)[] | null = [];
  #isOver = false;
  #unsentBytes = 0;
  /** Monotonic ms at which the last message of each direction arrives. */
  readonly #lastMs = { toHub: 0, toOwner: 0 };

  constructor(parts: SimSocketParts) {
    this.#parts = parts;
    this.host = parts.host;
    const isOpen = (): boolean => !this.#isOver;
    this.hubEnd = {
      get isOpen() {
        return isOpen();
      },
      send: (message) => this.#travel("toOwner", () => this.#take(message)),
      close: () => this.#travel("toOwner", () => this.#end(null)),
    };
  }

  /** The server took the handshake. */
  taken(hub: SimHubEvents): void {
    this.#hub = hub;
  }

  /** Starts the events of the owner, which has the connection now. */
  begin(): void {
    const { clock } = this.#parts;
    const pulse = new SocketPulse(clock, {
      ping: () => this.#travel("toHub", () => this.#travel("toOwner", () => pulse.received())),
      silent: () => this.#end(this.#broken(`nothing heard for ${SILENT_MS / 1_000} s`)),
    });
    this.#pulse = pulse;
    const early = this.#early ?? [];
    this.#early = null;
    for (const arrival of early) clock.timer(0, arrival);
    if (this.#isOver) pulse[Symbol.dispose]();
  }

  send(message: string): void {
    if (this.#isOver) return;
    if (this.#parts.isSilent()) this.#unsentBytes += Buffer.byteLength(message);
    if (this.#unsentBytes > MAX_UNSENT_BYTES) this.#end(this.#broken("the server does not read"));
    else this.#travel("toHub", () => this.#hub?.text(message));
  }

  [Symbol.dispose](): void {
    this.#end(null);
  }

  /** The network ends it for both. */
  break(reason: string): void {
    this.#end(this.#broken(reason));
  }

  /** Ends the owner's process, which gets no more events. */
  die(): void {
    if (this.#isOver) return;
    this.#markOver();
    this.#hub?.closed();
  }

  #take(message: string): void {
    const { events, maxMessageBytes } = this.#parts;
    try {
      if (Buffer.byteLength(message) <= maxMessageBytes) events.text(message);
      else this.#end(this.#broken("a message that is too long"));
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #end(error: Error | null): void {
    if (this.#isOver) return;
    const { clock, events, isSilent } = this.#parts;
    this.#markOver();
    clock.timer(0, () => events.closed(error));
    if (!isSilent()) this.#hub?.closed();
  }

  #markOver(): void {
    this.#isOver = true;
    this.#pulse?.[Symbol.dispose]();
    this.#parts.onEnd(this);
  }

  #travel(direction: "toHub" | "toOwner", arrive: () => void): void {
    const { clock, travelMs, isSilent } = this.#parts;
    if (this.#isOver || isSilent()) return;
    const nowMs = clock.monotonicMs();
    this.#lastMs[direction] = Math.max(this.#lastMs[direction], nowMs + travelMs());
    const arrival = (): void => {
      if (!this.#isOver && !isSilent()) arrive();
    };
    clock.timer(this.#lastMs[direction] - nowMs, () => {
      if (direction === "toOwner" && this.#early !== null) this.#early.push(arrival);
      else arrival();
    });
  }

  #broken(why: string): HttpError {
    return new HttpError("broken", `the connection to ${this.host} broke: ${why}`);
  }
}
