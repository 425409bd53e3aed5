import type { Clock } from "hemgate/sdk";
import type { BridgeDevice } from "./bridge.ts";
import type { DeviceSession } from "./device-session.ts";

/** Longer than any pause between two tries of the engine; a device that left the configuration is let go of then. */
const KEPT_MS = 10 * 60_000;

/** One device that is being listened to. */
export interface Meeting {
  readonly device: BridgeDevice;
  readonly session: DeviceSession;
  /** The session and its link. */
  readonly resources: DisposableStack;
}

interface Kept {
  readonly meeting: Meeting;
  /** What it was opened with. */
  readonly terms: string;
  readonly timer: Disposable;
}

/**
 * Devices that did not show themselves yet. They are listened to between two tries as well: one that speaks each half
 * minute, or each ten, would else be met by chance only.
 */
export class Meetings implements Disposable {
  readonly #clock: Pick<Clock, "timer">;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, "timer">) {
    this.#clock = clock;
  }

  /** Keeps one for the next try. */
  keep(deviceId: string, terms: string, meeting: Meeting): void {
    this.#end(deviceId);
    this.#kept.set(deviceId, { meeting, terms, timer: this.#clock.timer(KEPT_MS, () => this.#end(deviceId)) });
  }

  /** Hands over what was kept of a device under these terms, which is the caller's now; null when there is none. */
  take(deviceId: string, terms: string): Meeting | null {
    const kept = this.#kept.get(deviceId);
    if (kept?.terms !== terms) {
      this.#end(deviceId);
      return null;
    }
    this.#kept.delete(deviceId);
    kept.timer[Symbol.dispose]();
    return kept.meeting;
  }

  [Symbol.dispose](): void {
    for (const deviceId of [...this.#kept.keys()]) this.#end(deviceId);
  }

  #end(deviceId: string): void {
    const kept = this.#kept.get(deviceId);
    this.#kept.delete(deviceId);
    kept?.timer[Symbol.dispose]();
    kept?.meeting.resources[Symbol.dispose]();
  }
}
