import { Temporal } from "temporal-polyfill";
import { MINUTE_MS } from "../domain/duration.ts";
import type { PriceSlot, PriceSource } from "../engine/contracts/places.ts";
import { Listeners } from "../platform/listeners.ts";
import type { Clock } from "../platform/ports/ports.ts";
import { SeededRandom } from "./seeded-random.ts";

export interface SimulatedPricesOptions {
  readonly clock: Pick<Clock, "nowMs" | "timer">;
  readonly seed: number | string;
  /** IANA zone of the market's days. */
  readonly zone?: string;
  /** Length of a slot, min: 15 or 60. */
  readonly slotMinutes?: number;
  /** Chance that a day is published late, by up to ten hours. */
  readonly lateness?: number;
  /** Chance that a day is never published. */
  readonly lostDays?: number;
  /** Chance that a slot of a published day is missing. */
  readonly gaps?: number;
}

/** The hour of the day before at which a day's prices are usually there. */
const PUBLISHED_AT_HOUR = 13;
const MAX_LATE_MINUTES = 600;
const DAYS_AHEAD = 3;

interface MarketDay {
  /** Wall-clock ms; null: never. */
  readonly publishedAtMs: number | null;
  readonly slots: readonly PriceSlot[];
}

/**
 * A day-ahead market from a seed: cheap at night, dear in the evening, negative at noon of sunny days. Days come late or
 * never, slots are missing, and the days on which clocks change have 23 and 25 hours.
 */
export class SimulatedPrices implements PriceSource {
  readonly #options: Required<SimulatedPricesOptions>;
  readonly #random: SeededRandom;
  readonly #listeners = new Listeners<[]>();
  #timer: Disposable | null = null;

  constructor(options: SimulatedPricesOptions) {
    this.#options = { zone: "Europe/Berlin", slotMinutes: 60, lateness: 0.1, lostDays: 0.03, gaps: 0.01, ...options };
    this.#random = new SeededRandom(options.seed);
  }

  between(_place: unknown, fromMs: number, toMs: number): readonly PriceSlot[] {
    const nowMs = this.#options.clock.nowMs();
    const slots: PriceSlot[] = [];
    const last = this.#dateAt(toMs);
    for (let date = this.#dateAt(fromMs); Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
      const { publishedAtMs, slots: ofDay } = this.#day(date);
      if (publishedAtMs === null || publishedAtMs > nowMs) continue;
      slots.push(...ofDay.filter((slot) => slot.toMs > fromMs && slot.fromMs < toMs));
    }
    return slots.map((slot) => ({
      ...slot,
      fromMs: Math.max(slot.fromMs, fromMs),
      toMs: Math.min(slot.toMs, toMs),
    }));
  }

  covers(): boolean {
    return true;
  }

  observe(listener: () => void): Disposable {
    const subscription = this.#listeners.subscribe(listener);
    this.#timer ??= this.#nextPublication();
    return {
      [Symbol.dispose]: () => {
        subscription[Symbol.dispose]();
        if (this.#listeners.size > 0) return;
        this.#timer?.[Symbol.dispose]();
        this.#timer = null;
      },
    };
  }

  #nextPublication(): Disposable {
    const nowMs = this.#options.clock.nowMs();
    const today = this.#dateAt(nowMs);
    const coming = Array.from({ length: DAYS_AHEAD }, (_, days) => this.#day(today.add({ days })).publishedAtMs);
    const tomorrow = today.add({ days: 1 }).toZonedDateTime(this.#options.zone).epochMilliseconds;
    const nextMs = Math.min(...coming.flatMap((atMs) => (atMs !== null && atMs > nowMs ? [atMs] : [])), tomorrow);
    return this.#options.clock.timer(nextMs - nowMs, () => {
      this.#timer = this.#nextPublication();
      this.#listeners.emit();
    });
  }

  #dateAt(atMs: number): Temporal.PlainDate {
    return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(this.#options.zone).toPlainDate();
  }

  #day(date: Temporal.PlainDate): MarketDay {
    const { zone, slotMinutes, lateness, lostDays, gaps } = this.#options;
    const random = this.#random.fork(date.toString());
    const isLost = random.isChance(lostDays);
    const lateMinutes = random.isChance(lateness) ? random.below(MAX_LATE_MINUTES) : 0;
    const sun = random.between(0, 0.4);
    const startMs = date.toZonedDateTime(zone).epochMilliseconds;
    const endMs = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
    const slots: PriceSlot[] = [];
    for (let fromMs = startMs; fromMs < endMs; fromMs += slotMinutes * MINUTE_MS) {
      const hour = (fromMs - startMs) / (60 * MINUTE_MS);
      const noise = random.between(-0.02, 0.02);
      if (random.isChance(gaps)) continue;
      const price = 0.22 + 0.12 * bump(hour, 19, 3) - 0.08 * bump(hour, 3, 3) - sun * bump(hour, 13, 3) + noise;
      slots.push({ fromMs, toMs: fromMs + slotMinutes * MINUTE_MS, cost: price.toFixed(5) });
    }
    const usually = date.subtract({ days: 1 }).toPlainDateTime({ hour: PUBLISHED_AT_HOUR }).toZonedDateTime(zone);
    const publishedAtMs = isLost ? null : usually.epochMilliseconds + lateMinutes * MINUTE_MS;
    return { publishedAtMs, slots };
  }
}

/** 1 at the middle, falling to both sides. */
function bump(hour: number, middle: number, width: number): number {
  return Math.exp(-(((hour - middle) / width) ** 2));
}
