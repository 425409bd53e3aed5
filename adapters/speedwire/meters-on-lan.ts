import {
  type AdapterContext,
  backoffMs,
  DeviceError,
  type PointName,
  TimeoutError,
  type UdpSocket,
  within,
} from "hemgate/sdk";
import { DatagramError, type MeterDatagram, readDatagram } from "./datagram.ts";

/** Meters of one LAN that are kept apart; a LAN with more is flooded by somebody. */
const MAX_METERS = 64;
const BACKOFF = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** One that is a little older than the last came late, or by a second way; one that is much older follows a restart. */
const REORDERED_MS = 5_000;
const TICKS = 2 ** 32;
/** Damaged datagrams are told once in this time, ms. */
const TELL_EVERY_MS = 3_600_000;

export interface GroupAddress {
  readonly group: string;
  readonly port: number;
}

/** The last datagram of one meter. */
export interface HeardMeter {
  readonly datagram: MeterDatagram;
  /** Address that it came from. */
  readonly host: string;
  /** Monotonic ms. */
  readonly atMs: number;
  /** Of the datagrams of this meter, from 1. */
  readonly number: number;
  /** All points that any datagram told. */
  readonly points: ReadonlySet<PointName>;
}

/** Listens to one group and port, for all devices there. */
export class MetersOnLan implements Disposable {
  readonly #context: AdapterContext;
  readonly #address: GroupAddress;
  readonly #stop = new AbortController();
  readonly #meters = new Map<number, HeardMeter>();
  #failure: string | null = null;
  #damaged = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #news = Promise.withResolvers<void>();

  /** The caller disposes it. */
  static start(context: AdapterContext, address: GroupAddress): MetersOnLan {
    const meters = new MetersOnLan(context, address);
    void meters.#run();
    return meters;
  }

  private constructor(context: AdapterContext, address: GroupAddress) {
    this.#context = context;
    this.#address = address;
  }

  /** Why the port is not open; null while it is. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Datagrams that were a meter's, but not whole or not right. */
  get damaged(): number {
    return this.#damaged;
  }

  all(): readonly HeardMeter[] {
    return [...this.#meters.values()];
  }

  of(serial: number): HeardMeter | null {
    return this.#meters.get(serial) ?? null;
  }

  /** Resolves with what `find` finds after some datagram; null when that takes too long. */
  async until<T>(find: () => T | null, limitMs: number, signal: AbortSignal): Promise<T | null> {
    try {
      return await within(this.#context.clock, limitMs, signal, async () => {
        for (;;) {
          const found = find();
          if (found !== null) return found;
          await this.#news.promise;
        }
      });
    } catch (error) {
      if (error instanceof TimeoutError && !signal.aborted) return null;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort(new DeviceError("unreachable", "closed"));
  }

  /** Opens the port, and again after a failure. Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { clock, random, log } = this.#context;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#listen(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failure = error instanceof Error ? error.message : String(error);
        log.debug({ reason: this.#failure }, "listening for SMA's meters failed");
      }
      await clock.sleep(backoffMs(failures, BACKOFF, random), signal).catch(() => undefined);
    }
  }

  /** Rejects when the socket fails, or with the signal's reason. */
  async #listen(signal: AbortSignal): Promise<never> {
    const { udp } = this.#context;
    const { group, port } = this.#address;
    const over = Promise.withResolvers<never>();
    // Nobody waits for it yet when opening fails.
    over.promise.catch(() => undefined);
    const end = (): void => over.reject(signal.reason);
    using listening = new DisposableStack();
    signal.addEventListener("abort", end, { once: true });
    listening.defer(() => signal.removeEventListener("abort", end));
    using _socket: UdpSocket = await udp.open(
      { port, groups: [group] },
      {
        datagram: (bytes, from) => this.#take(bytes, from.host),
        closed: (error) => over.reject(error ?? new Error("the socket closed")),
      },
    );
    signal.throwIfAborted();
    this.#failure = null;
    return await over.promise;
  }

  #take(bytes: Uint8Array, host: string): void {
    try {
      const datagram = readDatagram(bytes);
      if (datagram !== null) this.#keep(datagram, host);
    } catch (error) {
      if (!(error instanceof DatagramError)) throw error;
      this.#drop(error.message, host);
    }
  }

  #keep(datagram: MeterDatagram, host: string): void {
    const before = this.#meters.get(datagram.serial);
    if (before === undefined && this.#meters.size >= MAX_METERS) {
      this.#drop(`more than ${MAX_METERS} meters`, host);
      return;
    }
    if (before !== undefined && isOlder(datagram.tickMs, before.datagram.tickMs)) return;
    const points = new Set([...(before?.points ?? []), ...datagram.points.keys()]);
    const atMs = this.#context.clock.monotonicMs();
    this.#meters.set(datagram.serial, { datagram, host, atMs, number: (before?.number ?? 0) + 1, points });
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }

  #drop(why: string, host: string): void {
    this.#damaged += 1;
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    this.#context.log.warn({ why, host, dropped: this.#damaged }, "datagram of a meter dropped");
  }
}

/** The tick runs over. */
function isOlder(tickMs: number, thanMs: number): boolean {
  const behindMs = (thanMs - tickMs + TICKS) % TICKS;
  return behindMs < REORDERED_MS;
}
