import type { Clock, StreamEvents, TcpAddress, TcpStream } from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";
import type { FaultPlan } from "../fault-plan.ts";
import type { SeededRandom } from "../seeded-random.ts";

/** One-way latency on the simulated LAN, ms. */
const LATENCY_MS = { min: 0.2, max: 1.5 } as const;
/** How late a late answer is, ms: beyond the patience of any Modbus client. */
const LATE_MS = { min: 5_000, max: 30_000 } as const;
const SLICE_GAP_MS = 0.2;
const MAX_GARBAGE_BYTES = 40;
/** What the simulated kernel takes of unread bytes, and what the sender queues beyond before the stream is given up. */
const KERNEL_BUFFER_BYTES = 256 * 1024;
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Keep-alive notices a half-open stream after so long: 30 s of silence and nine unanswered probes at 75 s. */
const KEEP_ALIVE_MS = 705_000;

export interface SimParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly faults: FaultPlan;
  /** Sees every delivery. */
  readonly onTraffic: (bytes: Uint8Array) => void;
}

export function latencyMs(random: SeededRandom): number {
  return random.between(LATENCY_MS.min, LATENCY_MS.max);
}

/** One end of a simulated TCP connection. */
export class SimEnd implements TcpStream {
  readonly remote: TcpAddress;
  /** The listener that took this connection; null at the end that opened it. */
  readonly listener: TcpAddress | null;
  readonly #parts: SimParts;
  /** Host whose faults strike this connection. */
  readonly #serverHost: string;
  #peer: SimEnd | null = null;
  #events: StreamEvents | null = null;
  /** Bytes under way to this end. A list beside the timers, so that rounding of due times cannot reorder a stream. */
  readonly #incoming: Uint8Array[] = [];
  #lastArrivalMs = 0;
  #unsentBytes = 0;
  #isClosed = false;
  #isHalfOpen = false;
  readonly #onClose: (end: SimEnd) => void;

  constructor(
    parts: SimParts,
    options: {
      readonly remote: TcpAddress;
      readonly serverHost: string;
      readonly listener: TcpAddress | null;
      readonly onClose: (end: SimEnd) => void;
    },
  ) {
    this.#parts = parts;
    this.remote = options.remote;
    this.#serverHost = options.serverHost;
    this.listener = options.listener;
    this.#onClose = options.onClose;
  }

  /** Joins two ends. */
  static join(client: SimEnd, server: SimEnd): void {
    client.#peer = server;
    server.#peer = client;
  }

  /** Sets the owner of this end, which gets its events. */
  own(events: StreamEvents): void {
    this.#events = events;
  }

  get bufferedBytes(): number {
    return Math.max(0, this.#unsentBytes - KERNEL_BUFFER_BYTES);
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed || this.#peer === null) return;
    if (this.#isHalfOpen) this.#pileUp(bytes.length);
    else if (this.listener !== null) this.#answer(this.#peer, bytes);
    else this.#request(this.#peer, bytes);
  }

  [Symbol.dispose](): void {
    this.#close(null);
  }

  /** Ends the process behind this end: it gets no more events, and its kernel resets the connection. */
  kill(): void {
    this.#events = null;
    if (this.#isClosed) return;
    const peer = this.#peer;
    this.#markClosed();
    if (!this.#isHalfOpen) peer?.reset();
  }

  /** The other side resets the connection; word of it takes a moment. */
  reset(): void {
    this.#later(latencyMs(this.#parts.random), () => this.#close(this.#failure("read ECONNRESET")));
  }

  #request(peer: SimEnd, bytes: Uint8Array): void {
    const { faults, random } = this.#parts;
    if (faults.strikes("half-open", this.#serverHost)) {
      this.#goSilent();
      peer.#goSilent();
      return;
    }
    if (faults.strikes("reset", this.#serverHost)) {
      this.reset();
      peer.reset();
      return;
    }
    peer.#arrive(bytes.slice(), latencyMs(random));
  }

  #answer(peer: SimEnd, bytes: Uint8Array): void {
    const { faults, random } = this.#parts;
    const latency = latencyMs(random);
    if (faults.strikes("lost-answer", this.#serverHost)) return;
    if (faults.strikes("late-answer", this.#serverHost)) {
      peer.#arrive(bytes.slice(), random.between(LATE_MS.min, LATE_MS.max));
    } else if (faults.strikes("garbage", this.#serverHost)) {
      peer.#arrive(random.secretBytes(1 + random.below(MAX_GARBAGE_BYTES)), latency);
    } else if (faults.strikes("sliced", this.#serverHost)) {
      for (let at = 0; at < bytes.length; at += 1) peer.#arrive(bytes.slice(at, at + 1), latency + at * SLICE_GAP_MS);
    } else {
      peer.#arrive(bytes.slice(), latency);
    }
  }

  #pileUp(byteCount: number): void {
    this.#unsentBytes += byteCount;
    if (this.bufferedBytes <= MAX_UNSENT_BYTES) return;
    this.#close(this.#failure(`the peer does not read: more than ${MAX_UNSENT_BYTES} bytes unsent`));
  }

  #arrive(bytes: Uint8Array, delayMs: number): void {
    const now = this.#parts.clock.monotonicMs();
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, now + delayMs);
    this.#incoming.push(bytes);
    this.#parts.clock.timer(this.#lastArrivalMs - now, () => {
      const next = this.#incoming.shift();
      if (next === undefined || this.#isClosed || this.#isHalfOpen) return;
      this.#parts.onTraffic(next);
      this.#hand(next);
    });
  }

  #hand(bytes: Uint8Array): void {
    try {
      this.#events?.data(bytes);
    } catch (error) {
      // As on a real socket: a bug in the owner's decoder costs its stream.
      this.#close(this.#failure(error instanceof Error ? error.message : String(error), error));
    }
  }

  /** Ends this side; the peer hears of it, and the owner gets its event a turn of the event loop later, as in Node. */
  #close(error: Error | null): void {
    if (this.#isClosed) return;
    this.#markClosed();
    this.#later(0, () => {
      this.#events?.closed(error);
      this.#events = null;
    });
    const peer = this.#peer;
    if (peer !== null && !this.#isHalfOpen) peer.#later(peer.#lastWordMs(), () => peer.#close(null));
  }

  #markClosed(): void {
    this.#isClosed = true;
    this.#incoming.length = 0;
    this.#onClose(this);
  }

  #goSilent(): void {
    this.#isHalfOpen = true;
    this.#later(KEEP_ALIVE_MS, () => this.#close(this.#failure("read ETIMEDOUT")));
  }

  /** Returns after how many ms the end of the stream reaches the peer: after all that was sent before. */
  #lastWordMs(): number {
    return Math.max(latencyMs(this.#parts.random), this.#lastArrivalMs - this.#parts.clock.monotonicMs());
  }

  #failure(text: string, cause?: unknown): DeviceError {
    return new DeviceError("unreachable", `stream ${this.remote.host}:${this.remote.port}: ${text}`, { cause });
  }

  #later(delayMs: number, callback: () => void): void {
    this.#parts.clock.timer(delayMs, callback);
  }
}
