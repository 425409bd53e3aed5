import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { type Uplink, type UplinkConnection, type UplinkEnd, UplinkError, type UplinkEvents } from "./uplink.ts";

/** A way that brought no connection that held for so long makes room for the next one. */
const SWITCH_AFTER_MS = 3 * 60_000;
/** A connection that brought a frame and held for so long was a good one. */
const STEADY_MS = 60_000;
/** When the first way is tried again; twice as long after each try that came to nothing. */
const RETURN_MS = { first: 15 * 60_000, longest: 4 * 3_600_000 } as const;

/** A transport with its name, such as `mqtt` or `https`. */
export interface Way {
  readonly name: string;
  readonly uplink: Uplink;
}

/** How a way does. */
export interface WayStanding {
  readonly name: string;
  readonly isInUse: boolean;
  /** Why the last connection by it ended or did not come about; null: it did not fail since it was used last. */
  readonly failure: (Pick<UplinkEnd, "kind" | "reason"> & { readonly atMs: number }) | null;
}

export interface PreferredUplinkParts {
  readonly clock: Clock;
  readonly log: Log;
  /** What is known of the same ways already, such as which of them does not work. */
  readonly before?: Pick<PreferredUplink, "standing" | "way"> | null;
}

/**
 * Several ways to one cloud service, in the order in which they are liked. One is used at a time: the next when the one
 * before has failed for some minutes or does not take us, the first again when a try of it holds. A quota, and another
 * connection under our name, are the service's own word and no failure of the way. Who is refused by one way is not
 * told so before all of them refuse.
 */
export class PreferredUplink implements Uplink {
  readonly #ways: readonly Way[];
  readonly #parts: PreferredUplinkParts;
  readonly #failures: WayStanding["failure"][];
  #way: number;
  #inUse: number | null = null;
  /** Since when the way has brought nothing, monotonic ms; null: it works, or was not tried yet. */
  #failingSinceMs: number | null = null;
  /** True: the first way is tried, although the way before it worked. */
  #isTrial = false;
  /** Where to go back to when a trial comes to nothing. */
  #fallback = 0;
  #returnMs: number = RETURN_MS.first;
  #leftFirstAtMs: number;

  /** One way at least. */
  constructor(ways: readonly Way[], parts: PreferredUplinkParts) {
    this.#ways = ways;
    this.#parts = parts;
    const before = parts.before?.standing ?? [];
    const isKnown = before.length === ways.length && before.every(({ name }, at) => name === ways[at]?.name);
    this.#failures = ways.map((_way, at) => (isKnown ? (before[at]?.failure ?? null) : null));
    this.#way = isKnown ? (parts.before?.way ?? 0) : 0;
    this.#leftFirstAtMs = parts.clock.monotonicMs();
  }

  /** In the order of preference. */
  get standing(): readonly WayStanding[] {
    return this.#ways.map(({ name }, at) => ({
      name,
      isInUse: this.#inUse === at,
      failure: this.#failures[at] ?? null,
    }));
  }

  /** The way that is used now, or will be next. */
  get way(): number {
    return this.#way;
  }

  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    for (let tries = 1; ; tries += 1) {
      const way = this.#way;
      try {
        return await this.#connectBy(way, events, signal);
      } catch (error) {
        signal.throwIfAborted();
        const end = endOf(error);
        this.#note(way, end);
        // A trial costs no more than the moment that it takes.
        if (this.#isTrial) this.#giveUpTrial();
        else {
          this.#failed(end);
          if (end.kind !== "refused" || tries >= this.#ways.length) throw this.#told(end, error);
        }
      }
    }
  }

  async #connectBy(way: number, events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const watch = new Watch(this.#parts.clock, () => this.#steady(way));
    const closed = (end: UplinkEnd): void => {
      watch[Symbol.dispose]();
      this.#inUse = null;
      if (!watch.isOurs) this.#note(way, end);
      if (this.#isTrial && way === 0) this.#giveUpTrial();
      else if (!watch.isOurs) this.#failed(end);
      // Whoever ends it on purpose after it was heard, such as at the other side's goodbye, found no failure.
      else if (watch.hasHeard) this.#failingSinceMs = null;
      else this.#failed(UNHEARD);
      if (watch.isOurs && !watch.hasHeard) this.#note(way, UNHEARD);
      events.closed(this.#softened(end));
    };
    const frame = (bytes: Uint8Array): void => {
      watch.heard();
      events.frame(bytes);
    };
    const { uplink } = this.#ways[way] ?? nowhere();
    const connection = await uplink.connect({ frame, closed, drained: () => events.drained() }, signal);
    this.#inUse = way;
    this.#failures[way] = null;
    const handed = watched(connection, watch);
    if (way > 0) watch.later(this.#untilReturnMs(), () => this.#tryFirst(handed));
    return handed;
  }

  #note(way: number, { kind, reason }: UplinkEnd): void {
    const isNew = this.#failures[way]?.reason !== reason;
    const uplink = this.#ways[way]?.name;
    if (isNew && this.#ways.length > 1) this.#parts.log.warn({ uplink, reason }, "a way to the cloud service failed");
    this.#failures[way] = { kind, reason, atMs: this.#parts.clock.nowMs() };
  }

  /** The way works: it may fail anew from its end on. */
  #steady(way: number): void {
    this.#failingSinceMs = null;
    if (way > 0) return;
    this.#isTrial = false;
    this.#returnMs = RETURN_MS.first;
  }

  /** It came to nothing once more; after some minutes of that the next way is due, and at once when we are refused. */
  #failed({ kind }: UplinkEnd): void {
    const nowMs = this.#parts.clock.monotonicMs();
    this.#failingSinceMs ??= nowMs;
    if (kind === "quota" || kind === "taken-over") this.#failingSinceMs = null;
    else if (kind === "refused" || nowMs - this.#failingSinceMs >= SWITCH_AFTER_MS) this.#goOn(nowMs);
  }

  #goOn(nowMs: number): void {
    if (this.#way === 0) this.#leftFirstAtMs = nowMs;
    this.#way = (this.#way + 1) % this.#ways.length;
    this.#failingSinceMs = null;
  }

  #untilReturnMs(): number {
    return Math.max(STEADY_MS, this.#leftFirstAtMs + this.#returnMs - this.#parts.clock.monotonicMs());
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
    this.#leftFirstAtMs = this.#parts.clock.monotonicMs();
    this.#returnMs = Math.min(RETURN_MS.longest, 2 * this.#returnMs);
  }

  /** The owner stays away for long from who refuses it: not while another way may let it in. */
  #softened(end: UplinkEnd): UplinkEnd {
    const isFinal = this.#failures.every((failure) => failure?.kind === "refused");
    return end.kind === "refused" && !isFinal ? { ...end, kind: "lost" } : end;
  }

  #told(end: UplinkEnd, error: unknown): UplinkError {
    const softened = this.#softened(end);
    return softened === end && error instanceof UplinkError ? error : new UplinkError(softened, { cause: error });
  }
}

const UNHEARD: UplinkEnd = { kind: "lost", reason: "it was connected, and nothing came", retryAfterMs: null };

function endOf(error: unknown): UplinkEnd {
  if (error instanceof UplinkError) return error.end;
  return { kind: "lost", reason: errorText(error), retryAfterMs: null };
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
