/** The energy of the running day, from the energy system's statistics. */
import { usePage } from "../context.ts";
import { usePolled } from "../live/poll.ts";
import type { HemStatistics, Series } from "../shapes.ts";

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

/** kWh of the day so far; `null` where nothing was measured. */
export function totalsOf({ timeseries }: HemStatistics) {
  return {
    generation: totalKwh(timeseries.generation),
    consumption: totalKwh(timeseries.consumption),
    imported: totalKwh(timeseries.import),
    exported: totalKwh(timeseries.export),
    charge: totalKwh(timeseries.charge),
    discharge: totalKwh(timeseries.discharge),
  };
}

function totalKwh(series: Series): number | null {
  if (!series.isAvailable) return null;
  const known = series.data.flatMap(({ v }) => v ?? []);
  if (known.length === 0) return null;
  const hours = series.unit === "kW" ? (HOURS[series.sampling.resolution] ?? 0) : 1;
  return known.reduce((all, value) => all + value, 0) * hours;
}
