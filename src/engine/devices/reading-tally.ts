import type { ReadingCounts } from "../contracts/engine.ts";

/** Counts the readings of all devices, those that left included, since the gateway started. */
export class ReadingTally implements ReadingCounts {
  #taken = 0;
  #dropped = 0;

  get taken(): number {
    return this.#taken;
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(taken: number, dropped: number): void {
    this.#taken += taken;
    this.#dropped += dropped;
  }
}
