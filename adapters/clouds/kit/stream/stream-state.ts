import type { Clock } from "hemgate/sdk";
import { CloudError } from "../session/cloud-error.ts";

/** How an account's stream stands. Times are monotonic ms. */
export interface StreamStanding {
  readonly isConnected: boolean;
  /** Since when it is, or is not; null: nobody listens. */
  readonly sinceMs: number | null;
  /** Null: none yet. */
  readonly lastMessageMs: number | null;
  /** Why it is not connected. */
  readonly problem: { readonly kind: string; readonly text: string } | null;
}

/** Keeps note of how a stream stands, for people to see. */
export class StreamState {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #standing: StreamStanding = { isConnected: false, sinceMs: null, lastMessageMs: null, problem: null };

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  get standing(): StreamStanding {
    return this.#standing;
  }

  /** Somebody listens, or nobody does any more. */
  setRequested(isRequested: boolean): void {
    const sinceMs = isRequested ? this.#clock.monotonicMs() : null;
    this.#standing = { ...this.#standing, isConnected: false, sinceMs, problem: null };
  }

  connected(): void {
    this.#standing = { ...this.#standing, isConnected: true, sinceMs: this.#clock.monotonicMs(), problem: null };
  }

  received(): void {
    this.#standing = { ...this.#standing, lastMessageMs: this.#clock.monotonicMs() };
  }

  /** A connection ended, or an attempt came to nothing. */
  lost(why: Error): void {
    const { isConnected, sinceMs } = this.#standing;
    // Other errors are mistakes of ours, and may quote what they tripped over.
    const problem =
      why instanceof CloudError
        ? { kind: why.kind, text: why.message }
        : { kind: "malformed", text: "the stream cannot be followed" };
    const lostMs = isConnected ? this.#clock.monotonicMs() : sinceMs;
    this.#standing = { ...this.#standing, isConnected: false, sinceMs: lostMs, problem };
  }
}
