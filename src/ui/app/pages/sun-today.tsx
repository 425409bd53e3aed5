/** What the panels were forecast to give today, and what they gave. */
import { useMemo } from "preact/hooks";
import type { ForecastView } from "../../../domain/forecast/forecast-view.ts";
import { usePage } from "../context.ts";
import { usePolled } from "../live/poll.ts";
import { Chart, type Curve } from "../parts/chart.tsx";
import type { Series } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { useToday } from "./today.ts";

const EACH_MS = 60_000;

/** Nothing without a forecast. */
export function SunToday() {
  const { texts } = useLanguage();
  const { nowMs } = usePage();
  const forecast = usePolled<ForecastView>("/local/forecast", EACH_MS).value;
  const today = useToday();
  const date = new Date(nowMs).toDateString();
  const shown = useMemo(() => {
    const slots = forecast?.slots.filter(({ from }) => new Date(from).toDateString() === date) ?? [];
    const generation = today?.timeseries.generation;
    const curves: readonly Curve[] = [
      {
        label: texts.plan.forecast,
        colour: "solar",
        kind: "line",
        isDashed: true,
        values: slots.map(({ power, adjustedPower }) => adjustedPower ?? power),
      },
      {
        label: texts.plan.measured,
        colour: "home",
        kind: "line",
        values: slots.map(({ from, to }) => meanOf(generation, Date.parse(from), Date.parse(to))),
      },
    ];
    return { times: slots.map(({ from }) => Date.parse(from)), curves };
  }, [forecast, today, date, texts]);
  if (forecast?.source == null || shown.times.length === 0) return null;
  return (
    <section class="card" aria-labelledby="h-sun">
      <header>
        <h2 id="h-sun">{texts.plan.sunToday}</h2>
      </header>
      <Chart title={texts.plan.sunTitle} decimals={2} nowMs={nowMs} {...shown} />
      <p class="hint">{forecast.source.attribution}</p>
    </section>
  );
}

/** The mean of what was measured within a time, kW; `null` if nothing was. */
function meanOf(series: Series | undefined, fromMs: number, toMs: number): number | null {
  if (series?.isAvailable !== true) return null;
  const known = series.data.flatMap(({ t, v }) => {
    const ms = Date.parse(t);
    return v !== null && ms >= fromMs && ms < toMs ? [v] : [];
  });
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
