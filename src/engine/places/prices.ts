import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import { minutesOf } from "../../domain/hour-minute.ts";
import { money, moneyText } from "../../domain/money.ts";
import type { Location } from "../../domain/places/location.ts";
import type { Tariff, TariffLink } from "../../domain/places/tariff.ts";
import { weekdaysOf } from "../../domain/places/tariff-week.ts";
import { type EvenStretch, evenStretches } from "../../domain/schedules/schedule-zone.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Locations, PriceSlot, PriceSource, Prices, Tariffs } from "../contracts/places.ts";

/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = 3;
/** UTC offsets are cached in pieces of about a year. */
const MS_PER_PIECE = 366 * DAY_MS;
/** Cached pieces of all time zones. */
const MAX_PIECES = 64;

/** The tariff of a location, prepared for queries. */
interface Plan {
  readonly zone: string;
  /** By weekday, 0 is Monday: the intervals of the day in order, ms from midnight on the wall clock. */
  readonly days: readonly (readonly { readonly fromMs: number; readonly toMs: number; readonly cost: string }[])[];
}

export interface PricesParts {
  readonly locations: Pick<Locations, "get" | "observe">;
  readonly tariffs: Pick<Tariffs, "get"> & {
    linkOf(locationId: string): TariffLink | null;
    observe(listener: () => void): Disposable;
  };
  /** `null` if there are no market prices. */
  readonly source: PriceSource | null;
  readonly currency: string;
}

/** Returns energy prices: the location's tariff by its wall clock, and market prices in the gaps of the tariff. */
export class PriceService implements Prices {
  readonly currency: string;
  readonly #parts: PricesParts;
  readonly #plans = new Map<string, Plan | null>();
  readonly #clocks = new Map<string, readonly EvenStretch[]>();
  readonly #listeners = new Listeners<[]>();

  constructor(parts: PricesParts) {
    this.#parts = parts;
    this.currency = parts.currency;
  }

  /** Subscribes to changes of locations, tariffs and market prices. */
  connect(): void {
    const { locations, tariffs, source } = this.#parts;
    const changed = (): void => this.#changed();
    locations.observe(changed);
    tariffs.observe(changed);
    source?.observe(changed);
  }

  between(locationId: string | null, fromMs: number, toMs: number): readonly PriceSlot[] {
    const location = locationId === null ? null : this.#parts.locations.get(locationId);
    if (location === null || !(fromMs < toMs)) return [];
    const plan = this.#planOf(location);
    const own = plan === null ? [] : this.#planned(plan, fromMs, toMs);
    return this.#parts.source === null ? own : withMarket(own, this.#parts.source, location, fromMs, toMs);
  }

  hasSource(locationId: string | null): boolean {
    const location = locationId === null ? null : this.#parts.locations.get(locationId);
    if (location === null) return false;
    return this.#planOf(location) !== null || this.#parts.source?.covers(location) === true;
  }

  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  #changed(): void {
    this.#plans.clear();
    this.#listeners.emit();
  }

  /** Returns the plan of a location; `null` if it has no tariff with a price. */
  #planOf({ id, timezoneName }: Location): Plan | null {
    const known = this.#plans.get(id);
    if (known !== undefined) return known;
    const link = this.#parts.tariffs.linkOf(id);
    const tariff = link === null ? null : this.#parts.tariffs.get(link.tariffId);
    const plan = link === null || tariff === null ? null : makePlan(timezoneName, link, tariff);
    this.#plans.set(id, plan);
    return plan;
  }

  #planned(plan: Plan, fromMs: number, toMs: number): readonly PriceSlot[] {
    const slots: PriceSlot[] = [];
    for (const stretch of this.#stretches(plan.zone, fromMs, toMs)) {
      const startMs = Math.max(stretch.fromMs, fromMs);
      const endMs = Math.min(stretch.toMs, toMs);
      // Within a stretch the UTC offset is constant, so all its days have 24 hours.
      const lastDay = Math.floor((endMs - 1 + stretch.offsetMs) / DAY_MS);
      for (let day = Math.floor((startMs + stretch.offsetMs) / DAY_MS); day <= lastDay; day += 1) {
        const midnightMs = day * DAY_MS - stretch.offsetMs;
        for (const interval of plan.days[(((day + WEEKDAY_OF_EPOCH) % 7) + 7) % 7] ?? []) {
          const slotFromMs = Math.max(startMs, midnightMs + interval.fromMs);
          const slotToMs = Math.min(endMs, midnightMs + interval.toMs);
          if (slotFromMs < slotToMs) slots.push({ fromMs: slotFromMs, toMs: slotToMs, cost: interval.cost });
        }
      }
    }
    return slots;
  }

  *#stretches(zone: string, fromMs: number, toMs: number): Generator<EvenStretch> {
    for (let piece = Math.floor(fromMs / MS_PER_PIECE); piece * MS_PER_PIECE < toMs; piece += 1) {
      for (const stretch of this.#piece(zone, piece)) {
        if (stretch.toMs > fromMs && stretch.fromMs < toMs) yield stretch;
      }
    }
  }

  #piece(zone: string, piece: number): readonly EvenStretch[] {
    const key = `${zone} ${piece}`;
    const known = this.#clocks.get(key);
    if (known !== undefined) return known;
    const stretches = evenStretches(zone, piece * MS_PER_PIECE, (piece + 1) * MS_PER_PIECE);
    for (const oldest of this.#clocks.keys()) {
      if (this.#clocks.size < MAX_PIECES) break;
      this.#clocks.delete(oldest);
    }
    this.#clocks.set(key, stretches);
    return stretches;
  }
}

/** Returns the plan; `null` if no interval has a price. An interval whose rate the tariff does not have is a gap. */
function makePlan(zone: string, { tariffIntervals }: TariffLink, tariff: Tariff): Plan | null {
  const costs = new Map(tariff.map(({ name, cost }) => [name, moneyText(money(cost))]));
  const priced = tariffIntervals.flatMap(({ name, from, to, weekdays }) => {
    const cost = costs.get(name);
    if (cost === undefined) return [];
    const times = { fromMs: minutesOf(from) * MINUTE_MS, toMs: minutesOf(to) * MINUTE_MS };
    return [{ ...times, cost, weekdays: weekdaysOf({ weekdays }) }];
  });
  if (priced.length === 0) return null;
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) =>
    priced.filter(({ weekdays }) => weekdays.includes(day)).sort((a, b) => a.fromMs - b.fromMs),
  );
  return { zone, days };
}

/** Fills the gaps between the tariff's slots in [fromMs, toMs) with market prices. */
function withMarket(
  own: readonly PriceSlot[],
  source: PriceSource,
  place: Location,
  fromMs: number,
  toMs: number,
): readonly PriceSlot[] {
  const slots: PriceSlot[] = [];
  let atMs = fromMs;
  const fillUpTo = (untilMs: number): void => {
    if (atMs >= untilMs) return;
    for (const slot of source.between(place, atMs, untilMs)) {
      const cut = { ...slot, fromMs: Math.max(slot.fromMs, atMs), toMs: Math.min(slot.toMs, untilMs) };
      if (cut.fromMs < cut.toMs) slots.push(cut);
    }
  };
  for (const slot of own) {
    fillUpTo(slot.fromMs);
    slots.push(slot);
    atMs = slot.toMs;
  }
  fillUpTo(toMs);
  return slots;
}
