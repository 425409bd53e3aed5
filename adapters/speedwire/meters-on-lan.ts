import {
  type AdapterContext,
  backoffMs,
  DeviceError,
  errorText,
  HOUR_MS,
  type PointName,
  TimeoutError,
  type UdpSocket,
  within,
} from "hemgate/sdk";
import { DatagramError, type MeterDatagram, readDatagram } from "./datagram.ts";

/** Meters of one LAN that are kept apart; a LAN with more is flooded by somebody. */
const MAX_METERS = 64;
/** One that was not heard for so long gives way to another, ms. */
const FORGOTTEN_MS = 30_000;
const BACKOFF = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** One that is a little older than the last came late, or by a second way; one that is much older follows a restart. */
const REORDERED_MS = 5_000;
const TICKS = 2 ** 32;
/** Damaged datagrams are logged at most once in this time, ms. */
const TELL_EVERY_MS = HOUR_MS;

export interface GroupAddress {
  readonly group: string;
  readonly port: number;
}

/** The last datagram of one meter. */
export interface SeenMeter {
  readonly datagram: MeterDatagram;
  /** Address that it came from. */
  readonly host: string;
  /** Monotonic ms. */
  readonly atMs: number;
  /** All points that any datagram contained. */
  readonly points: ReadonlySet<PointName>;
}

/** Listens to one group and port, for all devices there. */
export class MetersOnLan implements Disposable {
  readonly #context: AdapterContext;
  readonly #address: GroupAddress;
  readonly #stop = new AbortController();
  /** By address and serial number: who sends in another's name is kept apart. */
  readonly #meters = new Map<string, SeenMeter>();
  #failure: string | null = null;
  #damaged = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
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

  all(): readonly SeenMeter[] {
    return [...this.#meters.values()];
  }

  /** Returns a meter's latest values, received from this address or (`null`) from any. */
  of(serial: number, host: string | null): SeenMeter | null {
    const all = [...this.#meters.values()].filter((meter) => meter.datagram.serial === serial);
    const own = all.filter((meter) => host === null || meter.host === host);
    return own.toSorted((a, b) => b.atMs - a.atMs)[0] ?? null;
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
        this.#failure = errorText(error);
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
      this.#drop(errorText(error), host);
    }
  }

  #keep(datagram: MeterDatagram, host: string): void {
    const key = `${host} ${datagram.serial}`;
    const before = this.#meters.get(key);
    if (before === undefined && !this.#hasRoom()) {
      this.#drop(`more than ${MAX_METERS} meters`, host);
      return;
    }
    if (before !== undefined && isOlder(datagram.tickMs, before.datagram.tickMs)) return;
    const points = new Set([...(before?.points ?? []), ...datagram.points.keys()]);
    const atMs = this.#context.clock.monotonicMs();
    this.#meters.set(key, { datagram, host, atMs, points });
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }

  #hasRoom(): boolean {
    if (this.#meters.size < MAX_METERS) return true;
    const [oldest] = [...this.#meters].toSorted(([, a], [, b]) => a.atMs - b.atMs);
    if (oldest === undefined || this.#context.clock.monotonicMs() - oldest[1].atMs < FORGOTTEN_MS) return false;
    return this.#meters.delete(oldest[0]);
  }

  #drop(why: string, host: string): void {
    this.#damaged += 1;
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < TELL_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    this.#context.log.warn({ why, host, dropped: this.#damaged }, "datagram of a meter dropped");
  }
}

/** The tick runs over. */
function isOlder(tickMs: number, thanMs: number): boolean {
  const behindMs = (thanMs - tickMs + TICKS) % TICKS;
  return behindMs < REORDERED_MS;
}
