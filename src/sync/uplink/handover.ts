import type { Clock } from "../../platform/ports/ports.ts";
import type { UplinkEnd, UplinkEvents } from "./uplink.ts";

/**
 * Frames that may arrive before the caller has the connection; further ones are dropped, as a transport may drop
 * frames.
 */
const MAX_EARLY = 256;

/** Passes the events of a connection to its owner: none before `connect` has resolved, and none after the end. */
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

  /** Starts to pass events, from the next turn of the event loop on, when the owner has the connection. */
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

  /** Ends the connection. The owner is informed only if it has the connection; otherwise its `connect` rejects. */
  closed(end: UplinkEnd): void {
    const { hasBegun } = this;
    this.#state = "over";
    this.#handing?.[Symbol.dispose]();
    if (hasBegun) this.#events.closed(end);
  }
}
