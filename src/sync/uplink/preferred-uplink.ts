import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { type Uplink, type UplinkConnection, type UplinkEnd, UplinkError, type UplinkEvents } from "./uplink.ts";

/** An uplink without a steady connection for this time is replaced by the next one. */
const SWITCH_AFTER_MS = 3 * MINUTE_MS;
/** A connection that received a frame and lasted this long is steady. */
const STEADY_MS = 60_000;
/** When the first uplink is tried again; the time doubles after each failed try. */
const RETURN_MS = { first: 15 * MINUTE_MS, longest: 4 * HOUR_MS } as const;

/** A transport with its name, such as `mqtt` or `https`. */
export interface NamedUplink {
  readonly name: string;
  readonly uplink: Uplink;
}

/** The state of an uplink. */
export interface UplinkStatus {
  readonly name: string;
  readonly isInUse: boolean;
  /** Why its last connection ended or failed; `null` if it has not failed since it was used last. */
  readonly failure: (Pick<UplinkEnd, "kind" | "reason"> & { readonly atMs: number }) | null;
}

export interface PreferredUplinkParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The state of the same uplinks before, such as which of them failed. */
  readonly before?: Pick<PreferredUplink, "status" | "current"> | null;
}

/**
 * Connects to one cloud service by one of several uplinks, in the order of preference. One is used at a time: the next
 * one after the current one has failed for some minutes or was refused, and the first one again when a trial of it is
 * steady. A quota, and another connection under the same name, come from the cloud service and do not count as
 * failures. The owner gets a refusal only after all uplinks were refused.
 */
export class PreferredUplink implements Uplink {
  readonly #uplinks: readonly NamedUplink[];
  readonly #parts: PreferredUplinkParts;
  readonly #failures: UplinkStatus["failure"][];
  #current: number;
  #inUse: number | null = null;
  /** Monotonic ms since when the uplink has failed; `null` if it works, or was not tried yet. */
  #failingSinceMs: number | null = null;
  /** True while the first uplink is tried although the previous one worked. */
  #isTrial = false;
  /** The uplink to return to if the trial fails. */
  #fallback = 0;
  #returnMs: number = RETURN_MS.first;
  #leftFirstAtMs: number;

  /** Needs at least one uplink. */
  constructor(uplinks: readonly NamedUplink[], parts: PreferredUplinkParts) {
    this.#uplinks = uplinks;
    this.#parts = parts;
    const before = parts.before?.status ?? [];
    const isKnown = before.length === uplinks.length && before.every(({ name }, at) => name === uplinks[at]?.name);
    this.#failures = uplinks.map((_uplink, at) => (isKnown ? (before[at]?.failure ?? null) : null));
    this.#current = isKnown ? (parts.before?.current ?? 0) : 0;
    this.#leftFirstAtMs = parts.clock.monotonicMs();
  }

  /** The state of each uplink, in the order of preference. */
  get status(): readonly UplinkStatus[] {
    return this.#uplinks.map(({ name }, at) => ({
      name,
      isInUse: this.#inUse === at,
      failure: this.#failures[at] ?? null,
    }));
  }

  /** Index of the uplink that is used now, or next. */
  get current(): number {
    return this.#current;
  }

  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    for (let tries = 1; ; tries += 1) {
      const index = this.#current;
      try {
        return await this.#connectBy(index, events, signal);
      } catch (error) {
        signal.throwIfAborted();
        const end = endOf(error);
        this.#note(index, end);
        // A failed trial returns at once to the previous uplink.
        if (this.#isTrial) this.#giveUpTrial();
        else {
          this.#failed(end);
          if (end.kind !== "refused" || tries >= this.#uplinks.length) throw this.#errorOf(end, error);
        }
      }
    }
  }

  async #connectBy(index: number, events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const watch = new ConnectionWatch(this.#parts.clock, () => this.#steady(index));
    const closed = (end: UplinkEnd): void => {
      watch[Symbol.dispose]();
      this.#inUse = null;
      if (!watch.isClosedByOwner) this.#note(index, end);
      if (this.#isTrial && index === 0) this.#giveUpTrial();
      else if (!watch.isClosedByOwner) this.#failed(end);
      // If the owner closes a connection that received something, for example after a goodbye, the uplink has not
      // failed.
      else if (watch.hasReceived) this.#failingSinceMs = null;
      else this.#failed(NO_FRAME);
      if (watch.isClosedByOwner && !watch.hasReceived) this.#note(index, NO_FRAME);
      events.closed(this.#withoutRefusal(end));
    };
    const frame = (bytes: Uint8Array): void => {
      watch.received();
      events.frame(bytes);
    };
    const { uplink } = this.#uplinks[index] ?? noUplink();
    const connection = await uplink.connect({ frame, closed, drained: () => events.drained() }, signal);
    this.#inUse = index;
    this.#failures[index] = null;
    const handed = watched(connection, watch);
    if (index > 0) watch.later(this.#untilReturnMs(), () => this.#tryFirst(handed));
    return handed;
  }

  #note(index: number, { kind, reason }: UplinkEnd): void {
    const isNew = this.#failures[index]?.reason !== reason;
    const uplink = this.#uplinks[index]?.name;
    if (isNew && this.#uplinks.length > 1)
      this.#parts.log.warn({ uplink, reason }, "an uplink to the cloud service failed");
    this.#failures[index] = { kind, reason, atMs: this.#parts.clock.nowMs() };
  }

  /** The connection is steady: failures count from its end on. */
  #steady(index: number): void {
    this.#failingSinceMs = null;
    if (index > 0) return;
    this.#isTrial = false;
    this.#returnMs = RETURN_MS.first;
  }

  /** Counts a failure: after some minutes of failures, and at once after a refusal, the next uplink is used. */
  #failed({ kind }: UplinkEnd): void {
    const nowMs = this.#parts.clock.monotonicMs();
    this.#failingSinceMs ??= nowMs;
    if (kind === "quota" || kind === "taken-over") this.#failingSinceMs = null;
    else if (kind === "refused" || nowMs - this.#failingSinceMs >= SWITCH_AFTER_MS) this.#useNext(nowMs);
  }

  #useNext(nowMs: number): void {
    if (this.#current === 0) this.#leftFirstAtMs = nowMs;
    this.#current = (this.#current + 1) % this.#uplinks.length;
    this.#failingSinceMs = null;
  }

  #untilReturnMs(): number {
    return Math.max(STEADY_MS, this.#leftFirstAtMs + this.#returnMs - this.#parts.clock.monotonicMs());
  }

  /** Closes a connection by another uplink, so that the next one uses the first. */
  #tryFirst(connection: UplinkConnection): void {
    this.#fallback = this.#current;
    connection[Symbol.dispose]();
    this.#isTrial = true;
    this.#current = 0;
    this.#failingSinceMs = null;
  }

  #giveUpTrial(): void {
    this.#isTrial = false;
    this.#current = this.#fallback;
    this.#failingSinceMs = null;
    this.#leftFirstAtMs = this.#parts.clock.monotonicMs();
    this.#returnMs = Math.min(RETURN_MS.longest, 2 * this.#returnMs);
  }

  /**
   * Returns the end for the owner. A refusal makes the owner wait long, so it is reported as `lost` while another
   * uplink may still be accepted.
   */
  #withoutRefusal(end: UplinkEnd): UplinkEnd {
    const isFinal = this.#failures.every((failure) => failure?.kind === "refused");
    return end.kind === "refused" && !isFinal ? { ...end, kind: "lost" } : end;
  }

  #errorOf(end: UplinkEnd, error: unknown): UplinkError {
    const reported = this.#withoutRefusal(end);
    return reported === end && error instanceof UplinkError ? error : new UplinkError(reported, { cause: error });
  }
}

const NO_FRAME: UplinkEnd = { kind: "lost", reason: "connected, but nothing was received", retryAfterMs: null };

function endOf(error: unknown): UplinkEnd {
  if (error instanceof UplinkError) return error.end;
  return { kind: "lost", reason: errorText(error), retryAfterMs: null };
}

function noUplink(): never {
  throw new UplinkError({
    kind: "refused",
    reason: "no uplink to the cloud service is configured",
    retryAfterMs: null,
  });
}

/** Returns the connection with its dispose recorded. */
function watched(connection: UplinkConnection, watch: ConnectionWatch): UplinkConnection {
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
      watch.isClosedByOwner = true;
      connection[Symbol.dispose]();
    },
  };
}

/** Records the state of one connection: its timers, whether it received a frame, and whether its owner closed it. */
class ConnectionWatch implements Disposable {
  readonly #clock: Clock;
  readonly #steady: () => void;
  readonly #timers: Disposable[] = [];
  isClosedByOwner = false;
  hasReceived = false;
  #isOver = false;

  constructor(clock: Clock, steady: () => void) {
    this.#clock = clock;
    this.#steady = steady;
  }

  /** Notes that a frame was received. */
  received(): void {
    if (this.hasReceived) return;
    this.hasReceived = true;
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
