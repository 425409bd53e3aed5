import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";

export interface MarketBookOptions {
  readonly clock: Pick<Clock, "nowMs">;
  readonly seed: number | string;
  /** IANA zone of the market's days. */
  readonly zone?: string;
  readonly slotMinutes?: number;
  /** HH:MM on that clock, the day before. */
  readonly publishedAt?: string;
}

/** A price as the exchange made it. */
export interface BookedPrice {
  readonly fromMs: number;
  readonly toMs: number;
  /** Per MWh, with two decimals. */
  readonly price: string;
}

const MINUTE_MS = 60_000;

/**
 * What an exchange knows and when it tells: the truth behind the twins of price sources. Days have 23, 24 or 25 hours,
 * prices are negative at noon; a test says which days come late or never, and which slots nobody traded.
 */
export class MarketBook {
  readonly zone: string;
  readonly slotMs: number;
  readonly #publishedAt: string;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #random: SeededRandom;
  /** By date: minutes after the usual time; infinite: never. */
  readonly late = new Map<string, number>();
  /** Starts of slots without a price, ms since 1970. */
  readonly gaps = new Set<number>();
  readonly #days = new Map<string, readonly BookedPrice[]>();

  constructor({ clock, seed, zone, slotMinutes, publishedAt }: MarketBookOptions) {
    this.#clock = clock;
    this.#random = new SeededRandom(seed);
    this.zone = zone ?? "Europe/Brussels";
    this.slotMs = (slotMinutes ?? 15) * MINUTE_MS;
    this.#publishedAt = publishedAt ?? "12:55";
  }

  /** The slots of a day, published or not. */
  day(date: string): readonly BookedPrice[] {
    const slots = this.#days.get(date) ?? this.#makeDay(date);
    this.#days.set(date, slots);
    return slots.filter(({ fromMs }) => !this.gaps.has(fromMs));
  }

  /** The prices that are published by now and touch [fromMs, toMs), ascending. */
  published(fromMs: number, toMs: number): readonly BookedPrice[] {
    const found: BookedPrice[] = [];
    for (let date = this.dateAt(fromMs); date <= this.dateAt(toMs - 1); date = nextDate(date)) {
      if (this.publishedMs(date) > this.#clock.nowMs()) continue;
      found.push(...this.day(date).filter((slot) => slot.toMs > fromMs && slot.fromMs < toMs));
    }
    return found;
  }

  /** Ms since 1970. */
  publishedMs(date: string): number {
    const at = Temporal.PlainDate.from(date).subtract({ days: 1 });
    const plainTime = Temporal.PlainTime.from(this.#publishedAt);
    const usualMs = at.toZonedDateTime({ timeZone: this.zone, plainTime }).epochMilliseconds;
    return usualMs + (this.late.get(date) ?? 0) * MINUTE_MS;
  }

  dateAt(atMs: number): string {
    return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(this.zone).toPlainDate().toString();
  }

  #makeDay(date: string): readonly BookedPrice[] {
    const day = Temporal.PlainDate.from(date);
    const random = this.#random.fork(date);
    const level = random.between(40, 120);
    const sun = random.between(60, 200);
    const endMs = day.add({ days: 1 }).toZonedDateTime(this.zone).epochMilliseconds;
    const slots: BookedPrice[] = [];
    for (let fromMs = day.toZonedDateTime(this.zone).epochMilliseconds; fromMs < endMs; fromMs += this.slotMs) {
      const hour = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(this.zone).hour;
      const price = level - (hour > 9 && hour < 16 ? sun : 0) + random.between(-5, 5);
      slots.push({ fromMs, toMs: fromMs + this.slotMs, price: price.toFixed(2) });
    }
    return slots;
  }
}

function nextDate(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString();
}
