import type { Clock } from "../../platform/ports.ts";
import { type Uplink, type UplinkConnection, type UplinkEnd, UplinkError, type UplinkEvents } from "./uplink.ts";

/** A way that brought no connection that held for so long makes room for the next one. */
const SWITCH_AFTER_MS = 3 * 60_000;
/** A connection that brought a frame and held for so long was a good one. */
const STEADY_MS = 60_000;
/** When the first way is tried again; twice as long after each try that came to nothing. */
const RETURN_MS = { first: 15 * 60_000, longest: 4 * 3_600_000 } as const;

/**
 * Several ways to one cloud service, in the order in which they are liked. One is used at a time: the next when the one
 * before has failed for some minutes, the first again when a try of it holds. A quota, and another connection under our
 * name, are the service's own word and no failure of the way.
 */
export class PreferredUplink implements Uplink {
  readonly #ways: readonly Uplink[];
  readonly #clock: Clock;
  #way = 0;
  /** Since when the way has brought nothing, monotonic ms; null: it works, or was not tried yet. */
  #failingSinceMs: number | null = null;
  /** True: the first way is tried, although the way before it worked. */
  #isTrial = false;
  /** Where to go back to when a trial comes to nothing. */
  #fallback = 0;
  #returnMs: number = RETURN_MS.first;
  #leftFirstAtMs = 0;

  /** One way at least. */
  constructor(ways: readonly Uplink[], clock: Clock) {
    this.#ways = ways;
    this.#clock = clock;
  }

  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    try {
      return await this.#connectBy(this.#way, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      // A trial costs no more than the moment that it takes.
      if (this.#isTrial) {
        this.#giveUpTrial();
        return await this.connect(events, signal);
      }
      this.#failed(error instanceof UplinkError ? error.end : null);
      throw error;
    }
  }

  async #connectBy(way: number, events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const watch = new Watch(this.#clock, () => this.#steady(way));
    const closed = (end: UplinkEnd): void => {
      watch[Symbol.dispose]();
      if (this.#isTrial && way === 0) this.#giveUpTrial();
      else if (!watch.isOurs) this.#failed(end);
      // Whoever ends it on purpose after it was heard, such as at the other side's goodbye, found no failure.
      else if (watch.hasHeard) this.#failingSinceMs = null;
      else this.#failed(null);
      events.closed(end);
    };
    const frame = (bytes: Uint8Array): void => {
      watch.heard();
      events.frame(bytes);
    };
    const connection = await (this.#ways[way] ?? nowhere()).connect(
      { frame, closed, drained: () => events.drained() },
      signal,
    );
    if (way > 0) watch.later(this.#untilReturnMs(), () => this.#tryFirst(connection));
    return watched(connection, watch);
  }

  /** The way works: it may fail anew from its end on. */
  #steady(way: number): void {
    this.#failingSinceMs = null;
    if (way > 0) return;
    this.#isTrial = false;
    this.#returnMs = RETURN_MS.first;
  }

  /** It came to nothing once more; after some minutes of that the next way is due. */
  #failed(end: UplinkEnd | null): void {
    const nowMs = this.#clock.monotonicMs();
    this.#failingSinceMs ??= nowMs;
    if (end?.kind === "quota" || end?.kind === "taken-over") this.#failingSinceMs = null;
    else if (nowMs - this.#failingSinceMs >= SWITCH_AFTER_MS) {
      if (this.#way === 0) this.#leftFirstAtMs = nowMs;
      this.#way = (this.#way + 1) % this.#ways.length;
      this.#failingSinceMs = null;
    }
  }

  #untilReturnMs(): number {
    return Math.max(STEADY_MS, this.#leftFirstAtMs + this.#returnMs - this.#clock.monotonicMs());
  }

  /** Ends a connection by another way, so that the next one is tried by the first. */
  #tryFirst(connection: UplinkConnection): void {
    this.#fallback = this.#way;
    connection[Symbol.dispose]();
    this.#isTrial = true;
    this.#way = 0;
    this.#failingSinceMs = null;
  }

  #giveUpTrial(): void {
    this.#isTrial = false;
    this.#way = this.#fallback;
    this.#failingSinceMs = null;
    this.#leftFirstAtMs = this.#clock.monotonicMs();
    this.#returnMs = Math.min(RETURN_MS.longest, 2 * this.#returnMs);
  }
}

function nowhere(): never {
  throw new UplinkError({ kind: "refused", reason: "no way to the cloud service is configured", retryAfterMs: null });
}

/** The connection, with its owner's dispose noted. */
function watched(connection: UplinkConnection, watch: Watch): UplinkConnection {
  return {
    name: connection.name,
    get credits() {
      return connection.credits;
    },
    get maxFrameBytes() {
      return connection.maxFrameBytes;
    },
    send: (...what) => connection.send(...what),
    [Symbol.dispose]() {
      watch.isOurs = true;
      connection[Symbol.dispose]();
    },
  };
}

/** What happens around one connection: its timers, whether it was heard, and whether its owner ended it. */
class Watch implements Disposable {
  readonly #clock: Clock;
  readonly #steady: () => void;
  readonly #timers: Disposable[] = [];
  isOurs = false;
  hasHeard = false;
  #isOver = false;

  constructor(clock: Clock, steady: () => void) {
    this.#clock = clock;
    this.#steady = steady;
  }

  /** A frame came. */
  heard(): void {
    if (this.hasHeard) return;
    this.hasHeard = true;
    this.later(STEADY_MS, this.#steady);
  }

  later(delayMs: number, what: () => void): void {
    if (!this.#isOver) this.#timers.push(this.#clock.timer(delayMs, what));
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const timer of this.#timers.splice(0)) timer[Symbol.dispose]();
  }
}
