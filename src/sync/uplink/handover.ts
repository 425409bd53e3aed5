import type { Clock } from "../../platform/ports/ports.ts";
import type { UplinkEnd, UplinkEvents } from "./uplink.ts";

/** Frames that may come before the connection is handed over; the rest is lost, as a transport may lose. */
const MAX_EARLY = 256;

/** Tells the owner of a connection what happens, and nothing before it has the connection in hand, or after the end. */
export class Handover {
  readonly #events: UplinkEvents;
  readonly #clock: Pick<Clock, "timer">;
  readonly #early: Uint8Array[] = [];
  #state: "connecting" | "handing over" | "open" | "over" = "connecting";
  #handing: Disposable | null = null;

  constructor(events: UplinkEvents, clock: Pick<Clock, "timer">) {
    this.#events = events;
    this.#clock = clock;
  }

  get hasBegun(): boolean {
    return this.#state === "handing over" || this.#state === "open";
  }

  /** The connection came about: the owner is told from the next turn of the event loop on. */
  begin(): void {
    this.#state = "handing over";
    this.#handing = this.#clock.timer(0, () => {
      this.#state = "open";
      for (const frame of this.#early.splice(0)) this.frame(frame);
    });
  }

  frame(frame: Uint8Array): void {
    if (this.#state === "open") this.#events.frame(frame);
    else if (this.#state !== "over" && this.#early.length < MAX_EARLY) this.#early.push(frame);
  }

  drained(): void {
    if (this.hasBegun) this.#events.drained();
  }

  /** The owner of a connection that never came about is not told: its `connect` rejects. */
  closed(end: UplinkEnd): void {
    const { hasBegun } = this;
    this.#state = "over";
    this.#handing?.[Symbol.dispose]();
    if (hasBegun) this.#events.closed(end);
  }
}
