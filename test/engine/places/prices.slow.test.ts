import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import type { Location } from "../../../src/domain/places/location.ts";
import type { Tariff, TariffInterval, TariffLink } from "../../../src/domain/places/tariff.ts";
import { hourMinuteOf } from "../../../src/domain/places/tariff-week.ts";
import type { PriceSlot, PriceSource } from "../../../src/engine/contracts/places.ts";
import { PriceService } from "../../../src/engine/places/prices.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };
const ID = "5f2b6f0a-93b4-4b0e-8d8b-0a43b2f2a1c7";

const TARIFF: Tariff = [
  { name: "night", cost: "0.10" },
  { name: "day", cost: ".3" },
];

interface Setting {
  readonly zone?: string;
  readonly tariff?: Tariff;
  readonly intervals?: readonly TariffInterval[] | null;
  readonly source?: PriceSource;
}

function makePrices({ zone = "UTC", tariff = TARIFF, intervals = null, source }: Setting = {}) {
  const location: Location = {
    id: ID,
    userId: "home",
    createdAt: "2026-01-01T00:00:00.000Z",
    name: "House",
    latitude: 52,
    longitude: 13,
    timezoneName: zone,
  };
  const link: TariffLink | null = intervals === null ? null : { tariffId: "t", tariffIntervals: [...intervals] };
  return new PriceService({
    locations: { get: (id) => (id === ID ? location : null), observe: () => NOTHING },
    tariffs: { get: () => tariff, linkOf: () => link, observe: () => NOTHING },
    source: source ?? null,
    currency: "EUR",
  });
}

/** Returns the price of a minute by looking up that minute in the calendar: slow, but obviously right. */
function priceAt(zone: string, intervals: readonly TariffInterval[], atMs: number): string | null {
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  const minute = local.hour * 60 + local.minute;
  const time = hourMinuteOf(minute);
  const found = intervals.find(
    ({ from, to, weekdays }) => from <= time && time < to && (weekdays?.includes(local.dayOfWeek - 1) ?? true),
  );
  return found === undefined ? null : found.name === "night" ? "0.1" : "0.3";
}

function slotPriceAt(slots: readonly PriceSlot[], atMs: number): string | null {
  return slots.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)?.cost ?? null;
}

const ZONES = Intl.supportedValuesOf("timeZone");

/** Intervals without overlaps: random parts of a day, some left out, each for some weekdays. */
const intervalsOfDays = fc
  .record({
    cuts: fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 6 }),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), { nil: undefined }),
    kept: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  })
  .map(({ cuts, weekdays, kept }) => {
    const sorted = cuts.toSorted((a, b) => a - b);
    return sorted.slice(1).flatMap((to, index): TariffInterval[] => {
      const from = sorted[index] ?? 0;
      const name = index % 2 === 0 ? "night" : "day";
      const days = weekdays === undefined ? {} : { weekdays };
      return kept[index] === true ? [{ name, from: hourMinuteOf(from), to: hourMinuteOf(to), ...days }] : [];
    });
  });

describe("tariff prices", () => {
  it("Tariff prices follow the wall clock of any time zone to the minute around its clock changes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        intervalsOfDays,
        fc.integer({ min: 2026, max: 2030 }),
        fc.integer({ min: 0, max: 59 }),
        (zone, intervals, year, minute) => {
          const start = Temporal.ZonedDateTime.from({ year, month: 1, day: 1, timeZone: zone });
          const change = start.getTimeZoneTransition("next")?.epochMilliseconds ?? start.epochMilliseconds;
          const fromMs = change - 30 * HOUR_MS + minute * MINUTE_MS;
          const toMs = change + 30 * HOUR_MS;
          const slots = makePrices({ zone, intervals }).between(ID, fromMs, toMs);
          for (let atMs = fromMs; atMs < toMs; atMs += MINUTE_MS) {
            if (slotPriceAt(slots, atMs) !== priceAt(zone, intervals, atMs)) {
              throw new Error(`${zone} ${new Date(atMs).toISOString()}`);
            }
          }
          for (const [index, slot] of slots.entries()) {
            expect(slot.fromMs >= fromMs && slot.toMs <= toMs && slot.fromMs < slot.toMs).toBe(true);
            expect(slot.fromMs).toBeGreaterThanOrEqual(slots[index - 1]?.toMs ?? fromMs);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ["2026-03-29", 23],
    ["2026-10-25", 25],
    ["2026-06-21", 24],
  ])("A tariff for the whole day covers %s in Berlin with %i hours", (day, hours) => {
    const start = Temporal.PlainDate.from(day).toZonedDateTime("Europe/Berlin");
    const fromMs = start.epochMilliseconds;
    const toMs = start.add({ days: 1 }).epochMilliseconds;
    const prices = makePrices({ zone: "Europe/Berlin", intervals: [{ name: "day", from: "00:00", to: "24:00" }] });
    const known = prices.between(ID, fromMs, toMs).reduce((sum, slot) => sum + slot.toMs - slot.fromMs, 0);
    expect(known / HOUR_MS).toBe(hours);
  });

  it("A tariff interval in the repeated hour of a clock change applies both times", () => {
    const intervals = [{ name: "night", from: "02:15", to: "02:45" }];
    const slots = makePrices({ zone: "Europe/Berlin", intervals }).between(
      ID,
      Date.parse("2026-10-24T22:00:00Z"),
      Date.parse("2026-10-25T23:00:00Z"),
    );
    expect(slots.map(({ fromMs }) => new Date(fromMs).toISOString().slice(11, 16))).toEqual(["00:15", "01:15"]);
  });

  it("An interval whose rate the tariff does not have is a gap", () => {
    const intervals = [{ name: "dusk", from: "00:00", to: "24:00" }];
    const prices = makePrices({ intervals });
    expect(prices.between(ID, 0, HOUR_MS)).toEqual([]);
    expect(prices.hasSource(ID)).toBe(false);
  });

  it("There are no prices without a location, without a tariff or in an empty range", () => {
    const prices = makePrices({ intervals: [{ name: "day", from: "00:00", to: "24:00" }] });
    expect(prices.between(null, 0, HOUR_MS)).toEqual([]);
    expect(prices.between("elsewhere", 0, HOUR_MS)).toEqual([]);
    expect(prices.between(ID, HOUR_MS, HOUR_MS)).toEqual([]);
    expect(makePrices().between(ID, 0, HOUR_MS)).toEqual([]);
    expect([prices.hasSource(null), prices.hasSource(ID), makePrices().hasSource(ID)]).toEqual([false, true, false]);
  });
});

describe("market prices", () => {
  const source: PriceSource = {
    between: (_place, fromMs, toMs) => {
      const hour = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
      return Array.from({ length: Math.ceil((toMs - hour) / HOUR_MS) }, (_, index) => ({
        fromMs: hour + index * HOUR_MS,
        toMs: hour + (index + 1) * HOUR_MS,
        cost: "-0.01",
      }));
    },
    covers: () => true,
    observe: () => NOTHING,
  };

  it("Market prices fill only the gaps of the tariff", () => {
    const prices = makePrices({ source, intervals: [{ name: "day", from: "01:30", to: "02:30" }] });
    expect(prices.between(ID, 0, 4 * HOUR_MS)).toEqual([
      { fromMs: 0, toMs: HOUR_MS, cost: "-0.01" },
      { fromMs: HOUR_MS, toMs: 1.5 * HOUR_MS, cost: "-0.01" },
      { fromMs: 1.5 * HOUR_MS, toMs: 2.5 * HOUR_MS, cost: "0.3" },
      { fromMs: 2.5 * HOUR_MS, toMs: 3 * HOUR_MS, cost: "-0.01" },
      { fromMs: 3 * HOUR_MS, toMs: 4 * HOUR_MS, cost: "-0.01" },
    ]);
  });

  it("Without a tariff all prices are market prices", () => {
    const prices = makePrices({ source });
    expect(prices.between(ID, 0, HOUR_MS)).toHaveLength(1);
    expect([prices.hasSource(ID), prices.hasSource(null)]).toEqual([true, false]);
  });
});

it("The prices of a year are read by quarter hours, and at once", () => {
  const prices = makePrices({
    zone: "Europe/Berlin",
    intervals: [
      { name: "night", from: "00:00", to: "06:00" },
      { name: "day", from: "06:00", to: "22:00", weekdays: [0, 1, 2, 3, 4] },
      { name: "night", from: "22:00", to: "24:00" },
    ],
  });
  const startMs = Date.parse("2026-01-01T00:00:00Z");
  let known = 0;
  for (let quarter = 0; quarter < 365 * 96; quarter += 1) {
    known += prices.between(ID, startMs + quarter * 15 * MINUTE_MS, startMs + (quarter + 1) * 15 * MINUTE_MS).length;
  }
  const year = prices.between(ID, startMs, startMs + 365 * 24 * HOUR_MS).length;
  expect(known).toBeGreaterThan(20_000);
  expect(year).toBeGreaterThan(900);
});
