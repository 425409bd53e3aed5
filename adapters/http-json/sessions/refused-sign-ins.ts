import { MINUTE_MS } from "hemgate/sdk";

/** After a refused sign-in: the password does not become right by itself, and many tries lock a device. */
const LONG_REST_MS = 10 * MINUTE_MS;
/** After the first refusal of a password that was right before: a device that starts refuses everybody. */
const SHORT_REST_MS = 60_000;

/** How long nobody signs in after refusals. */
export class RefusedSignIns {
  #wasRight = false;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  /** How much longer signing in rests, ms; 0: it may be tried. */
  restMs(nowMs: number): number {
    return Math.max(0, this.#notBeforeMs - nowMs);
  }

  accepted(): void {
    this.#wasRight = true;
  }

  refused(nowMs: number): void {
    this.#notBeforeMs = nowMs + (this.#wasRight ? SHORT_REST_MS : LONG_REST_MS);
    this.#wasRight = false;
  }

  /** Not before then, whatever comes of the sign-in that begins. */
  spaced(nowMs: number, gapMs: number): void {
    this.#notBeforeMs = Math.max(this.#notBeforeMs, nowMs + gapMs);
  }
}
