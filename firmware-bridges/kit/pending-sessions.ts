import { type Clock, MINUTE_MS } from "hemgate/sdk";
import type { BridgeDevice } from "./bridge.ts";
import type { DeviceSession } from "./device-session.ts";

/** Longer than any pause between two tries of the engine; a device that left the configuration is let go of then. */
const KEPT_MS = 10 * MINUTE_MS;

/** One device that is being listened to. */
export interface PendingSession {
  readonly device: BridgeDevice;
  readonly session: DeviceSession;
  /** The session and its link. */
  readonly resources: DisposableStack;
}

interface Kept {
  readonly pending: PendingSession;
  /** What it was opened with. */
  readonly terms: string;
  readonly timer: Disposable;
}

/**
 * Devices that did not show themselves yet. They are listened to between two tries as well: one that speaks each half
 * minute, or each ten, would else be met by chance only.
 */
export class PendingSessions implements Disposable {
  readonly #clock: Pick<Clock, "timer">;
  readonly #kept = new Map<string, Kept>();
  /** Those that a try works with now. */
  readonly #tried = new Set<PendingSession>();

  constructor(clock: Pick<Clock, "timer">) {
    this.#clock = clock;
  }

  /** Takes part in a try, until it is kept or released. */
  begin(pending: PendingSession): PendingSession {
    this.#tried.add(pending);
    return pending;
  }

  /** The device showed itself: it is the caller's from here on. */
  release(pending: PendingSession): void {
    this.#tried.delete(pending);
  }

  /** Keeps one for the next try. */
  keep(deviceId: string, terms: string, pending: PendingSession): void {
    // All was let go of while the try went on.
    if (!this.#tried.delete(pending)) return;
    this.#end(deviceId);
    this.#kept.set(deviceId, { pending, terms, timer: this.#clock.timer(KEPT_MS, () => this.#end(deviceId)) });
  }

  /** Takes up, for another try, what was kept of a device under these terms; null when there is nothing. */
  take(deviceId: string, terms: string): PendingSession | null {
    const kept = this.#kept.get(deviceId);
    if (kept?.terms !== terms) {
      this.#end(deviceId);
      return null;
    }
    this.#kept.delete(deviceId);
    kept.timer[Symbol.dispose]();
    return this.begin(kept.pending);
  }

  [Symbol.dispose](): void {
    for (const deviceId of [...this.#kept.keys()]) this.#end(deviceId);
    // A try may hang in a publish that nobody acknowledges.
    for (const { resources } of this.#tried) resources[Symbol.dispose]();
    this.#tried.clear();
  }

  #end(deviceId: string): void {
    const kept = this.#kept.get(deviceId);
    this.#kept.delete(deviceId);
    kept?.timer[Symbol.dispose]();
    kept?.pending.resources[Symbol.dispose]();
  }
}
