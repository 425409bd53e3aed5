/** What a kWh costs and brings: the tariff, market prices and feed-in, with today's prices as they would be. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { usePage } from "../../context.ts";
import { waitText } from "../../error-text.ts";
import { number } from "../../format.ts";
import { usePolled } from "../../live/poll.ts";
import { Chart } from "../../parts/chart.tsx";
import { Labelled } from "../../parts/value.tsx";
import { useLanguage } from "../../texts.ts";
import { sectionOf, useConfiguration } from "./configuration.tsx";
import { formOf, MarketForm, type MarketTyped, type PricingSection } from "./market-form.tsx";
import { numberOf, type PriceSpan, pricesOfDay } from "./price-preview.ts";
import { type SiteSection, type TariffState, useTariff } from "./tariff.ts";
import { TariffForm, type TariffTyped, typedOf, typedPlan } from "./tariff-form.tsx";
import { offsetMinutesAt } from "./tariff-hours.ts";

interface KnownPrices {
  readonly currency: string;
  readonly source: { readonly displayName: string; readonly attribution: string; readonly zone: string } | null;
  readonly lastFetchedAt: string | null;
  readonly problem: { readonly text: string } | null;
  readonly published: readonly { readonly from: string; readonly to: string; readonly cost: string }[];
}

const QUARTER_MS = 900_000;

export function PricesPage() {
  const { texts } = useLanguage();
  const configuration = useConfiguration();
  const site = sectionOf<SiteSection>(configuration.value, "site")?.value ?? null;
  const known = usePolled<KnownPrices>("/local/prices", 60_000);
  const tariff = useTariff(site);
  if (site === null || known.value === null || tariff.state === null) {
    const error = configuration.error ?? known.error ?? tariff.error;
    return <p class="lead">{waitText(error, texts)}</p>;
  }
  const pricing = sectionOf<PricingSection>(configuration.value, "pricing");
  const refresh = (): void => {
    configuration.refresh();
    known.refresh();
    tariff.refresh();
  };
  return (
    <Prices
      site={site}
      known={known.value}
      tariff={tariff.state}
      pricing={pricing}
      sources={configuration.value?.sources.prices ?? []}
      onChange={refresh}
    />
  );
}

interface PricesProps {
  readonly site: SiteSection;
  readonly known: KnownPrices;
  readonly tariff: TariffState;
  readonly pricing: ReturnType<typeof sectionOf<PricingSection>>;
  readonly sources: readonly string[];
  readonly onChange: () => void;
}

function Prices({ site, known, tariff, pricing, sources, onChange }: PricesProps) {
  const { texts } = useLanguage();
  const [typed, setTyped] = useState<TariffTyped>(() => typedOf(tariff.plan));
  const [market, setMarket] = useState<MarketTyped>(() => formOf(pricing?.value ?? null));
  // What was saved comes back without its secrets; what is typed of the tariff stays.
  const saved = JSON.stringify(pricing?.value ?? null);
  useEffect(() => setMarket(formOf(pricing?.value ?? null)), [saved]);
  return (
    <div class="stack">
      <Today site={site} known={known} typed={typed} market={market} />
      <div class="cols">
        <section class="card c6" aria-labelledby="h-tariff">
          <header>
            <h2 id="h-tariff">{texts.settings.price.tariff}</h2>
          </header>
          <TariffForm
            site={site}
            state={tariff}
            currency={known.currency}
            typed={typed}
            onType={setTyped}
            onDone={onChange}
          />
        </section>
        <section class="card c6" aria-labelledby="h-market">
          <header>
            <h2 id="h-market">{texts.settings.price.marketTitle}</h2>
          </header>
          <MarketForm section={pricing} sources={sources} typed={market} onType={setMarket} onDone={onChange} />
          {known.source === null ? null : <Fetched known={known} />}
        </section>
      </div>
    </div>
  );
}

function Fetched({ known }: { readonly known: KnownPrices }) {
  const { texts, code } = useLanguage();
  const { price } = texts.settings;
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "short" });
  return (
    <>
      {known.lastFetchedAt === null ? null : (
        <p class="small second">{price.fetched(time.format(Date.parse(known.lastFetchedAt)))}</p>
      )}
      {known.problem === null ? null : (
        <p class="error">
          {price.problem}: <span lang="en">{known.problem.text}</span>
        </p>
      )}
      <p class="hint" lang="en">
        {known.source?.attribution}
      </p>
    </>
  );
}

/** The prices of today by what is typed. */
function Today({ site, known, typed, market }: Pick<PricesProps, "site" | "known"> & TypedPrices) {
  const { texts, code } = useLanguage();
  const { price } = texts.settings;
  const { nowMs } = usePage();
  const offsetMinutes = offsetMinutesAt(site.timezone, nowMs);
  const localMs = nowMs + offsetMinutes * 60_000;
  const dayStartMs = localMs - (localMs % 86_400_000) - offsetMinutes * 60_000;
  const published = useMemo(() => known.published.map(spanOf), [known.published]);
  const prices = useMemo(
    () =>
      pricesOfDay({
        tariff: typedPlan(typed),
        formula: market.source === "" ? null : market,
        published,
        dayStartMs,
        offsetMinutes,
      }),
    [typed, market, published, dayStartMs, offsetMinutes],
  );
  const times = useMemo(() => prices.map((_price, index) => dayStartMs + index * QUARTER_MS), [prices, dayStartMs]);
  const curves = useMemo(
    () => [{ label: texts.plan.price, colour: "grid" as const, kind: "steps" as const, values: prices }],
    [prices, texts],
  );
  const money = (cost: number): string => `${number(cost, code, 3)} ${known.currency}`;
  const now = prices[Math.floor((nowMs - dayStartMs) / QUARTER_MS)] ?? null;
  const all = prices.filter((cost) => cost !== null);
  const mean = all.reduce((sum, cost) => sum + cost, 0) / all.length;
  return (
    <>
      <div class="lead">
        <h1>{now === null ? price.unknown : price.now(money(now))}</h1>
        <p>{price.preview}</p>
      </div>
      <section class="card" aria-labelledby="h-today">
        <header>
          <h2 id="h-today">{price.today}</h2>
        </header>
        <div class="stack">
          {all.length === 0 ? null : (
            <dl class="kvs">
              <Labelled label={price.lowest}>{money(Math.min(...all))}</Labelled>
              <Labelled label={price.mean}>{money(mean)}</Labelled>
              <Labelled label={price.highest}>{money(Math.max(...all))}</Labelled>
            </dl>
          )}
          <Chart title={price.chart(known.currency)} decimals={3} times={times} curves={curves} nowMs={nowMs} />
          {all.length === prices.length ? null : <p class="hint">{price.gaps}</p>}
        </div>
      </section>
    </>
  );
}

interface TypedPrices {
  readonly typed: TariffTyped;
  readonly market: MarketTyped;
}

function spanOf({ from, to, cost }: KnownPrices["published"][number]): PriceSpan {
  return { fromMs: Date.parse(from), toMs: Date.parse(to), cost: numberOf(cost) ?? 0 };
}
