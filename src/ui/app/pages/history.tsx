/** What the house made, used, bought and sold: in a day, a week, a month, a year or all the time, and in the period before. */
import { useMemo, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { errorText } from "../error-text.ts";
import { energy, money, number, percent, period as periodText } from "../format.ts";
import { usePolled } from "../live/poll.ts";
import { Chart, type Curve } from "../parts/chart.tsx";
import { Button, Choice, Field } from "../parts/form.tsx";
import { saveFile } from "../parts/save-file.ts";
import { Labelled, Value } from "../parts/value.tsx";
import type { EnergySavings, HemStatistics, Series } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { bucketName, type Period, rangeOf, useStatistics } from "./history-statistics.ts";
import { costOf, isPriced, shareOf, totalsOf } from "./today.ts";

const PERIODS: readonly Period[] = ["day", "week", "month", "year", "all"];

export function HistoryPage() {
  const { texts, code } = useLanguage();
  const { history } = texts;
  const { house, nowMs } = usePage();
  const today = new Intl.DateTimeFormat("sv-SE").format(nowMs);
  const [period, setPeriod] = useState<Period>("day");
  const [date, setDate] = useState(today);
  const [isCompared, setCompared] = useState(false);
  const isDate = /^\d{4}-\d\d-\d\d$/u.test(date);
  const { statistics, before, error } = useStatistics(house.systemId, period, isDate ? date : null, isCompared, nowMs);
  const range = period === "all" || !isDate ? null : rangeOf(period, date);
  const title = range === null || period === "all" ? history.all : titleOf(period, range, code);
  return (
    <>
      <div class="lead">
        <h1>{history.title}</h1>
      </div>
      <div class="stack">
        <div class="row wrap">
          <Choice
            legend={history.period}
            isLow
            name="period"
            value={period}
            onChoose={setPeriod}
            choices={PERIODS.map((value) => ({ value, label: history[value] }))}
          />
          {period === "all" ? null : (
            <>
              <Field label={history.date} type="date" value={date} onText={setDate} max={today} />
              <label class="row">
                <input
                  type="checkbox"
                  checked={isCompared}
                  onChange={(event) => setCompared(event.currentTarget.checked)}
                />
                <span class="small">{history.compare}</span>
              </label>
            </>
          )}
        </div>
        {error === null ? null : <p class="error">{errorText(error, texts)}</p>}
        {statistics === null ? null : (
          <Shown
            statistics={statistics}
            before={isCompared && period !== "all" ? before : null}
            period={period}
            range={range}
            title={title}
          />
        )}
        <Savings code={code} />
      </div>
    </>
  );
}

type Range = ReturnType<typeof rangeOf>;
type Sums = Readonly<Record<Name, number | null>>;
type Name = Exclude<keyof HemStatistics["timeseries"], "batteryLevel">;

/** Where the energy goes; the others are where it comes from. */
const USES: ReadonlySet<Name> = new Set(["consumption", "export", "charge"]);

interface ShownProps {
  readonly statistics: HemStatistics;
  readonly before: HemStatistics | null;
  readonly period: Period;
  /** `null` for all the time. */
  readonly range: Range | null;
  readonly title: string;
}

function Shown({ statistics, before, period, range, title }: ShownProps) {
  const { texts, code } = useLanguage();
  const names: readonly (readonly [Name, string, Curve["colour"]])[] = [
    ["generation", texts.home.produced, "solar"],
    ["consumption", texts.home.used, "home"],
    ["import", texts.home.bought, "grid"],
    ["export", texts.home.sold, "grid"],
    ["charge", texts.home.charged, "battery"],
    ["discharge", texts.home.discharged, "battery"],
  ];
  const { nowMs } = usePage();
  const { timeseries } = statistics;
  const { times, curves, unit } = useMemo(() => curvesOf(timeseries, names), [statistics, texts]);
  const sums = sumsOf(statistics, nowMs);
  const sumsBefore = before === null ? null : sumsOf(before, nowMs);
  const isByTable = period === "year" || period === "all";
  return (
    <section class="card" aria-labelledby="h-shown">
      <header>
        <h2 id="h-shown">{title}</h2>
        <Button kind="s" onClick={() => saveCsv(fileNameOf(period, range), timeseries, names)}>
          {texts.history.csv}
        </Button>
      </header>
      <div class="stack">
        <dl class="kvs">
          {names.map(([name, label]) => {
            const sum = sums[name];
            if (sum === null) return null;
            return (
              <Labelled key={name} label={label} below={sumsBefore && <Change now={sum} before={sumsBefore[name]} />}>
                <Value quantity={energy(sum, code)} size="s" />
              </Labelled>
            );
          })}
          <Shares sums={sums} />
          {range === null ? null : <Cost period={period} range={range} />}
        </dl>
        {sumsBefore === null ? null : <p class="hint">{texts.history.compareHint}</p>}
        {range === null ? null : (
          <p class="small">
            <a href={`/local/export?from=${range.from}&to=${range.to}&resolution=HOUR`} download>
              {texts.history.deviceHours}
            </a>
          </p>
        )}
        {curves.length === 0 ? <p class="second">{texts.home.noToday}</p> : null}
        {curves.length > 0 && period !== "all" ? (
          <Chart title={`${unit}. ${texts.history.chart}`} decimals={2} times={times} curves={curves} />
        ) : null}
        {curves.length > 0 && isByTable ? <Buckets times={times} curves={curves} period={period} unit={unit} /> : null}
      </div>
    </section>
  );
}

/** How much of the use the house gave itself, and how much of its sun it used itself. */
function Shares({ sums }: { readonly sums: Sums }) {
  const { texts, code } = useLanguage();
  const rows = [
    [texts.home.selfSufficient, shareOf(sums.consumption, sums.import)],
    [texts.history.ownUse, shareOf(sums.generation, sums.export)],
  ] as const;
  return (
    <>
      {rows.map(([label, share]) =>
        share === null ? null : (
          <Labelled key={label} label={label}>
            <span class="v s">{percent(share * 100, code)}</span>
          </Labelled>
        ),
      )}
    </>
  );
}

/** What power from the grid cost in the period, less what the feed-in brought; nothing while that is not known. */
function Cost({ period, range: { from, to } }: { readonly period: Period; readonly range: Range }) {
  const { texts, code } = useLanguage();
  const { nowMs } = usePage();
  const [beginMs, endMs] = [from, to].map((date) => new Date(`${date}T00:00:00`).getTime()) as [number, number];
  const query = new URLSearchParams({
    resolution: period === "year" ? "MONTH" : "DAY",
    from: new Date(beginMs).toISOString(),
    ...(endMs <= nowMs && { to: new Date(endMs - 1).toISOString() }),
  });
  const path = beginMs > nowMs ? null : `/local/energy/savings?${query.toString()}`;
  const { value } = usePolled<EnergySavings>(path, 0);
  const sum = costOf(value?.periods ?? []);
  if (value === null || sum === null) return null;
  return (
    <Labelled label={sum < 0 ? texts.home.earned : texts.home.cost}>
      <span class="v s">{money(Math.abs(sum), value.currency, code)}</span>
    </Labelled>
  );
}

/** What it was before, and by how much it changed. */
function Change({ now, before }: { readonly now: number; readonly before: number | null }) {
  const { texts, code } = useLanguage();
  if (before === null) return <>{texts.history.beforeUnknown}</>;
  const { number: amount, unit } = energy(before, code);
  // A share of next to nothing says nothing.
  const change = before < 0.1 ? null : ((now - before) / before) * 100;
  const sign = change !== null && change > 0 ? "+" : "";
  return (
    <>
      {texts.history.before(`${amount} ${unit}`)}
      {change === null ? "" : ` (${sign}${percent(change, code)})`}
    </>
  );
}

interface BucketsProps {
  readonly times: readonly number[];
  readonly curves: readonly Curve[];
  readonly period: Period;
  readonly unit: string;
}

/** A row a month or a year. */
function Buckets({ times, curves, period, unit }: BucketsProps) {
  const { code } = useLanguage();
  const isKnown = (index: number): boolean => curves.some(({ values }) => (values[index] ?? null) !== null);
  return (
    <table class="table buckets">
      <thead>
        <tr>
          <th scope="col">{unit}</th>
          {curves.map(({ label }) => (
            <th scope="col" key={label}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time, index) =>
          isKnown(index) ? (
            <tr key={time}>
              <th scope="row">{bucketName(period, time, code)}</th>
              {curves.map(({ label, values }) => {
                const value = values[index] ?? null;
                return <td key={label}>{value === null ? "–" : number(value, code, value < 1_000 ? 1 : 0)}</td>;
              })}
            </tr>
          ) : null,
        )}
      </tbody>
    </table>
  );
}

function curvesOf(
  timeseries: HemStatistics["timeseries"],
  names: readonly (readonly [Name, string, Curve["colour"]])[],
) {
  const known = names.flatMap(([name, label, colour]) => {
    const series = timeseries[name];
    return series.isAvailable ? [{ name, label, colour, series }] : [];
  });
  const longest = known.map(({ series }) => series.data).toSorted((a, b) => b.length - a.length)[0] ?? [];
  return {
    times: longest.map(({ t }) => Date.parse(t)),
    unit: known[0]?.series.unit ?? "kW",
    curves: known.map(
      ({ name, label, colour, series }): Curve => ({
        label,
        colour,
        kind: "line",
        values: valuesOf(series, longest.length),
        ...(USES.has(name) && { isBelow: true }),
      }),
    ),
  };
}

function sumsOf(statistics: HemStatistics, nowMs: number): Sums {
  const { generation, consumption, imported, exported, charge, discharge } = totalsOf(statistics, nowMs);
  return { generation, consumption, import: imported, export: exported, charge, discharge };
}

function titleOf(period: Exclude<Period, "all">, { from, to }: Range, locale: string): string {
  if (period !== "week") return periodText(period, from, locale);
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return format.formatRange(Date.parse(from), Date.parse(to) - 1);
}

/** Such as `2026-11-27`, `week-2026-11-23`, `2026-11`, `2026` or `all`. */
function fileNameOf(period: Period, range: Range | null): string {
  if (range === null || period === "all") return "all";
  return period === "week" ? `week-${range.from}` : range.from.slice(0, { day: 10, month: 7, year: 4 }[period]);
}

function valuesOf(series: Series, length: number): readonly (number | null)[] {
  if (!series.isAvailable) return [];
  return Array.from({ length }, (_none, index) => series.data[index]?.v ?? null);
}

/** What is shown, as a file: one row a bucket, with the unit in each heading. */
function saveCsv(
  name: string,
  timeseries: HemStatistics["timeseries"],
  names: readonly (readonly [Name, string, Curve["colour"]])[],
): void {
  const known = names.flatMap(([name, label]) => {
    const series = timeseries[name];
    return series.isAvailable ? [{ label, ...series }] : [];
  });
  const times = known.map(({ data }) => data).toSorted((a, b) => b.length - a.length)[0] ?? [];
  const rows = times.map(({ t }, index) => [t, ...known.map(({ data }) => data[index]?.v ?? "")].join(","));
  const text = [["time", ...known.map(({ label, unit }) => `${label} ${unit}`)].join(","), ...rows, ""].join("\r\n");
  saveFile(`hemgate-${name}.csv`, "text/csv", text);
}

function Savings({ code }: { readonly code: string }) {
  const { texts } = useLanguage();
  const { value } = usePolled<EnergySavings>("/local/energy/savings?resolution=MONTH", 0);
  const known = value?.periods.filter(({ cost }) => cost !== null) ?? [];
  if (value === null || known.length === 0) return null;
  const hours = (name: "pricedHours" | "measuredHours"): string =>
    number(
      known.reduce((all, period) => all + period[name], 0),
      code,
      0,
    );
  const write = (amount: number | null): string => (amount === null ? "–" : money(amount, value.currency, code));
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
          {known.map((period) => (
            <tr key={period.from}>
              <th scope="row">
                {new Intl.DateTimeFormat(code, { month: "long", year: "numeric" }).format(Date.parse(period.from))}
              </th>
              {[period.cost, period.savedByBattery, period.savedByPlan].map((amount, index) => (
                <td key={index}>{write(isPriced(period) ? amount : null)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {known.every(isPriced) ? null : (
        <p class="small">
          <a href="#/settings/prices">{texts.history.priceGap(hours("pricedHours"), hours("measuredHours"))}</a>
        </p>
      )}
      <p class="hint">{texts.history.method}</p>
    </section>
  );
}
