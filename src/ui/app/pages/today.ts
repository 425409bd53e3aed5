/** The energy of the running day, from the energy system's statistics. */
import { HOUR_MS } from "../../../domain/duration.ts";
import { usePage } from "../context.ts";
import { usePolled } from "../live/poll.ts";
import type { EnergySavings, HemStatistics, Series } from "../shapes.ts";

const EACH_MS = 60_000;
const HOURS: Readonly<Record<string, number>> = {
  PT5M: 1 / 12,
  PT10M: 1 / 6,
  PT15M: 1 / 4,
  PT30M: 1 / 2,
  PT1H: 1,
  P1D: 24,
};

/** Returns `null` before the first answer. */
export function useToday(): HemStatistics | null {
  const { house, nowMs } = usePage();
  const date = new Intl.DateTimeFormat("sv-SE").format(nowMs);
  const path = house.systemId === null ? null : `/hem-systems/${house.systemId}/statistics?interval=${date}`;
  return usePolled<HemStatistics>(path, EACH_MS).value;
}

/** kWh until now; `null` where nothing was measured. */
export function totalsOf({ timeseries }: HemStatistics, nowMs: number) {
  const totalKwh = (series: Series): number | null => energyOf(series, nowMs);
  return {
    generation: totalKwh(timeseries.generation),
    consumption: totalKwh(timeseries.consumption),
    imported: totalKwh(timeseries.import),
    exported: totalKwh(timeseries.export),
    charge: totalKwh(timeseries.charge),
    discharge: totalKwh(timeseries.discharge),
  };
}

/** Returns the part of `all` that is not the `other` one, 0 to 1; `null` if it is not known. */
export function shareOf(all: number | null, other: number | null): number | null {
  return all === null || other === null || all <= 0 ? null : Math.min(1, Math.max(0, 1 - other / all));
}

/** Of the hours that were measured; below it, what the others cost would change the sum. */
const PRICED_SHARE = 0.9;

type SavingsPeriod = EnergySavings["periods"][number];

/** Returns true if nearly all measured hours have a price: else the cost of the period is not known. */
export function isPriced({
  measuredHours,
  pricedHours,
}: Pick<SavingsPeriod, "measuredHours" | "pricedHours">): boolean {
  return pricedHours > 0 && pricedHours >= PRICED_SHARE * measuredHours;
}

/** Returns the cost of periods together; `null` if it is not known. */
export function costOf(periods: readonly SavingsPeriod[]): number | null {
  const sum = (of: (period: SavingsPeriod) => number): number => periods.reduce((all, period) => all + of(period), 0);
  const hours = {
    measuredHours: sum(({ measuredHours }) => measuredHours),
    pricedHours: sum(({ pricedHours }) => pricedHours),
  };
  return isPriced(hours) ? sum(({ cost }) => cost ?? 0) : null;
}

function energyOf(series: Series, nowMs: number): number | null {
  if (!series.isAvailable) return null;
  const known = series.data.filter(({ v }) => v !== null);
  if (known.length === 0) return null;
  const whole = series.unit === "kW" ? (HOURS[series.sampling.resolution] ?? 0) : 1;
  // A mean power of the interval that runs counts for as long as it has run.
  const hoursOf = (t: string): number =>
    series.unit === "kW" ? Math.max(0, Math.min(whole, (nowMs - Date.parse(t)) / HOUR_MS)) : whole;
  return known.reduce((all, { t, v }) => all + (v ?? 0) * hoursOf(t), 0);
}
