/** What the house made, used, bought and sold: by day in quarter hours, by month in days. */
import { useMemo, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { energy } from "../format.ts";
import { usePolled } from "../live/poll.ts";
import { Chart, type Curve } from "../parts/chart.tsx";
import { Button, Choice, Field } from "../parts/form.tsx";
import { Labelled, Value } from "../parts/value.tsx";
import type { EnergySavings, HemStatistics, Series } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { totalsOf } from "./today.ts";

type Period = "day" | "month";

export function HistoryPage() {
  const { texts, code } = useLanguage();
  const { house, nowMs } = usePage();
  const today = new Intl.DateTimeFormat("sv-SE").format(nowMs);
  const [period, setPeriod] = useState<Period>("day");
  const [date, setDate] = useState(today);
  const interval = period === "day" ? date : date.slice(0, 7);
  const path =
    house.systemId === null || !/^\d{4}-\d\d-\d\d$/u.test(date)
      ? null
      : `/hem-systems/${house.systemId}/statistics?interval=${interval}`;
  const statistics = usePolled<HemStatistics>(path, 0);
  return (
    <>
      <div class="lead">
        <h1>{texts.history.title}</h1>
      </div>
      <div class="stack">
        <div class="row wrap">
          <Choice
            legend={texts.history.period}
            name="period"
            value={period}
            onChoose={setPeriod}
            choices={[
              { value: "day", label: texts.history.day },
              { value: "month", label: texts.history.month },
            ]}
          />
          <Field label={texts.history.date} type="date" value={date} onText={setDate} max={today} />
        </div>
        {statistics.error === null ? null : <p class="error">{statistics.error.message}</p>}
        {statistics.value === null ? null : <Shown statistics={statistics.value} interval={interval} />}
        <Savings code={code} />
      </div>
    </>
  );
}

function Shown({ statistics, interval }: { readonly statistics: HemStatistics; readonly interval: string }) {
  const { texts, code } = useLanguage();
  const { timeseries } = statistics;
  const names: readonly (readonly [keyof HemStatistics["timeseries"], string, Curve["colour"]])[] = [
    ["generation", texts.home.produced, "solar"],
    ["consumption", texts.home.used, "home"],
    ["import", texts.home.bought, "grid"],
    ["export", texts.home.sold, "car"],
    ["charge", texts.home.charged, "battery"],
    ["discharge", texts.home.discharged, "heat"],
  ];
  const { times, curves, unit } = useMemo(() => {
    const known = names.flatMap(([name, label, colour]) => {
      const series = timeseries[name];
      return series.isAvailable ? [{ name, label, colour, series }] : [];
    });
    const longest = known.map(({ series }) => series.data).toSorted((a, b) => b.length - a.length)[0] ?? [];
    return {
      times: longest.map(({ t }) => Date.parse(t)),
      unit: known[0]?.series.unit ?? "kW",
      curves: known.map(
        ({ label, colour, series }): Curve => ({
          label,
          colour,
          kind: "line",
          values: valuesOf(series, longest.length),
        }),
      ),
    };
  }, [statistics, texts]);
  const totals = totalsOf(statistics);
  const sums = [
    totals.generation,
    totals.consumption,
    totals.imported,
    totals.exported,
    totals.charge,
    totals.discharge,
  ];
  return (
    <section class="card" aria-labelledby="h-shown">
      <header>
        <h2 id="h-shown">{interval}</h2>
        <Button
          kind="s"
          onClick={() =>
            saveCsv(
              interval,
              names.map(([, label]) => label),
              names.map(([name]) => timeseries[name]),
            )
          }
        >
          {texts.history.csv}
        </Button>
      </header>
      <div class="stack">
        <dl class="kvs">
          {names.map(([name, label], index) => {
            const sum = sums[index] ?? null;
            return sum === null ? null : (
              <Labelled key={name} label={label}>
                <Value quantity={energy(sum, code)} size="s" />
              </Labelled>
            );
          })}
        </dl>
        {curves.length === 0 ? (
          <p class="second">{texts.home.noToday}</p>
        ) : (
          <Chart title={unit} decimals={2} times={times} curves={curves} />
        )}
      </div>
    </section>
  );
}

function valuesOf(series: Series, length: number): readonly (number | null)[] {
  if (!series.isAvailable) return [];
  return Array.from({ length }, (_none, index) => series.data[index]?.v ?? null);
}

/** What is shown, as a file: one row a bucket, with the unit in each heading. */
function saveCsv(interval: string, labels: readonly string[], series: readonly Series[]): void {
  const known = series.flatMap((each, index) => (each.isAvailable ? [{ label: labels[index] ?? "", ...each }] : []));
  const times = known.map(({ data }) => data).toSorted((a, b) => b.length - a.length)[0] ?? [];
  const rows = times.map(({ t }, index) => [t, ...known.map(({ data }) => data[index]?.v ?? "")].join(","));
  const text = [["time", ...known.map(({ label, unit }) => `${label} ${unit}`)].join(","), ...rows, ""].join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `hemgate-${interval}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Savings({ code }: { readonly code: string }) {
  const { texts } = useLanguage();
  const { value } = usePolled<EnergySavings>("/local/energy/savings?resolution=MONTH", 0);
  const known = value?.periods.filter(({ cost }) => cost !== null) ?? [];
  if (value === null || known.length === 0) return null;
  const money = new Intl.NumberFormat(code, { style: "currency", currency: value.currency });
  const write = (amount: number | null): string => (amount === null ? "–" : money.format(amount));
  return (
    <section class="card" aria-labelledby="h-savings">
      <header>
        <h2 id="h-savings">{texts.history.savings}</h2>
      </header>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{texts.history.month}</th>
            <th scope="col">{texts.history.cost}</th>
            <th scope="col">{texts.history.byBattery}</th>
            <th scope="col">{texts.history.byPlan}</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ from, cost, savedByBattery, savedByPlan }) => (
            <tr key={from}>
              <th scope="row">
                {new Intl.DateTimeFormat(code, { month: "long", year: "numeric" }).format(Date.parse(from))}
              </th>
              <td>{write(cost)}</td>
              <td>{write(savedByBattery)}</td>
              <td>{write(savedByPlan)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint" lang="en">
        {value.method}
      </p>
    </section>
  );
}
