import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import type { Moment } from "../estate.ts";

const DAY_MS = 86_400_000;

/** When somebody comes home and leaves: another time each day. */
export class Evenings {
  readonly #random: SeededRandom;
  #day = -1;
  #comes = 18;
  #leaves = 7;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Whether the vehicle is at home. */
  isHome({ nowMs, hour }: Moment): boolean {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#comes = this.#random.between(16, 21);
      this.#leaves = this.#random.between(6, 9);
    }
    return hour < this.#leaves || hour > this.#comes;
  }
}
