import { describe, expect, it } from "vitest";
import { SimulatedPrices, VirtualClock } from "../../src/testing/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PLACE = { latitude: 52, longitude: 13 };
const START_MS = Date.parse("2026-03-01T00:00:00Z");
/** Nothing is late, lost or missing. */
const GOOD = { lateness: 0, lostDays: 0, gaps: 0 };

function openMarket(change: object = {}, startMs = START_MS) {
  const clock = new VirtualClock({ startMs });
  return { clock, prices: new SimulatedPrices({ clock, seed: 1, ...change }) };
}

describe("the simulated market", () => {
  it("gives the same prices for the same seed", () => {
    const [one, same] = [openMarket().prices, openMarket().prices];
    const other = openMarket({ seed: 2 }).prices;
    const day = [PLACE, START_MS, START_MS + DAY_MS] as const;
    expect(one.between(...day)).toEqual(same.between(...day));
    expect(one.between(...day)).not.toEqual(other.between(...day));
  });

  it("knows tomorrow from one o'clock on, and tells so", async () => {
    const { clock, prices } = openMarket(GOOD);
    const tomorrow = [PLACE, Date.parse("2026-03-01T23:00:00Z"), Date.parse("2026-03-02T23:00:00Z")] as const;
    const known: number[] = [];
    using _told = prices.observe(() => known.push(prices.between(...tomorrow).length));
    expect(prices.between(...tomorrow)).toEqual([]);
    await clock.advance(12 * HOUR_MS - 1);
    expect(known).toEqual([]);
    await clock.advance(1);
    expect(known).toEqual([24]);
  });

  it("has 23 and 25 hours on the days on which clocks change", () => {
    const { prices } = openMarket(GOOD, Date.parse("2026-12-01T00:00:00Z"));
    const spring = prices.between(PLACE, Date.parse("2026-03-28T23:00:00Z"), Date.parse("2026-03-29T22:00:00Z"));
    const autumn = prices.between(PLACE, Date.parse("2026-10-24T22:00:00Z"), Date.parse("2026-10-25T23:00:00Z"));
    expect([spring.length, autumn.length]).toEqual([23, 25]);
  });

  it("has negative prices, missing slots, days that come late and days that never come", () => {
    const { prices } = openMarket({ slotMinutes: 15 }, Date.parse("2027-12-01T00:00:00Z"));
    const year = prices.between(PLACE, START_MS, START_MS + 365 * DAY_MS);
    expect(year.some(({ cost }) => cost.startsWith("-"))).toBe(true);
    expect(year.length).toBeLessThan(365 * 96);
    expect(year.length).toBeGreaterThan(300 * 96);
    const days = new Set(year.map(({ fromMs }) => Math.floor((fromMs - START_MS) / DAY_MS)));
    expect(days.size).toBeLessThan(365);
    for (const [index, slot] of year.entries()) expect(slot.fromMs).toBeGreaterThanOrEqual(year[index - 1]?.toMs ?? 0);
  });

  it("cuts its slots to what is asked", () => {
    const { prices } = openMarket(GOOD);
    const [slot, ...more] = prices.between(PLACE, START_MS + 1_000, START_MS + 2_000);
    expect([slot?.fromMs, slot?.toMs, more]).toEqual([START_MS + 1_000, START_MS + 2_000, []]);
  });
});
