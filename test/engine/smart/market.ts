/** Market prices that are made up from a seed and become known when they are published. */
import type { PriceSlot, PriceSource } from "../../../src/engine/contracts/places.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";

const HOUR = 3_600_000;

/** Hourly prices by day; what is not published is unknown. Every place has them. */
export class FakeMarket implements PriceSource {
  readonly #random: Pick<SeededRandom, "next">;
  readonly #slots: PriceSlot[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(random: Pick<SeededRandom, "next">) {
    this.#random = random;
  }

  between(_place: unknown, fromMs: number, toMs: number): readonly PriceSlot[] {
    return this.#slots
      .filter((slot) => slot.toMs > fromMs && slot.fromMs < toMs)
      .map((slot) => ({ ...slot, fromMs: Math.max(slot.fromMs, fromMs), toMs: Math.min(slot.toMs, toMs) }));
  }

  covers(): boolean {
    return true;
  }

  observe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Publishes the prices of the 24 hours from an instant; in a few of them there are none. */
  publish(fromMs: number): void {
    // Some nights are cheap, and cheaper from hour to hour, so that plans begin as late as they may.
    const isFalling = this.#random.next() < 0.4;
    for (let hour = 0; hour < 24; hour += 1) {
      const at = fromMs + hour * HOUR;
      if (this.#random.next() < 0.03) continue;
      const cost = (isFalling && hour < 6 ? -0.06 - hour / 100 : this.#random.next() * 0.4 - 0.05).toFixed(5);
      this.#slots.push({ fromMs: at, toMs: at + HOUR, cost });
    }
    this.#slots.sort((a, b) => a.fromMs - b.fromMs);
    for (const listener of this.#listeners) listener();
  }
}
