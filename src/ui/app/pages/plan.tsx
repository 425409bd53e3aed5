/** What batteries, cars and heat will do as far as prices are known, and why. */
import { useMemo } from "preact/hooks";
import { usePage } from "../context.ts";
import { waitText } from "../error-text.ts";
import { clock, moment, money, number, text } from "../format.ts";
import { nameOf } from "../live/assets.ts";
import { Chart, type Curve } from "../parts/chart.tsx";
import type { EnergyPlanView } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { BatteryUse } from "./battery-use.tsx";
import { LEAST_SHORT_KWH, priceCurve, usePlan } from "./device-plan.tsx";
import { SunToday } from "./sun-today.tsx";

const SYNC = "plan";

export function PlanPage() {
  const { texts, code } = useLanguage();
  const plan = usePlan();
  const { value } = plan;
  if (value === null) return <p class="lead">{waitText(plan.error, texts)}</p>;
  const { cost } = value;
  const amount = money(Math.abs(cost ?? 0), value.currency, code);
  const none = value.whyNot === null ? texts.plan.none : texts.nav.plan;
  const until = endOf(value, code);
  const headline = cost === null ? none : cost < 0 ? texts.plan.gain(amount, until) : texts.plan.cost(amount, until);
  return (
    <>
      <div class="lead">
        <h1>{headline}</h1>
        <p>{value.whyNot?.text ?? texts.plan.lead}</p>
        {value.madeAt === null ? null : <p class="hint">{texts.plan.made(clock(Date.parse(value.madeAt), code))}</p>}
      </div>
      <div class="cols">
        <div class="stack c7">
          {value.isPlanned ? <PlanCharts plan={value} /> : null}
          <LoadToday plan={value} />
          <SunToday />
        </div>
        <div class="stack c5">
          <BatteryUse onChange={plan.refresh} />
          <PlanReasons plan={value} />
        </div>
      </div>
    </>
  );
}

/** The end of the last slot, which is where the known prices end: `Sunday 00:00`. */
function endOf({ slots }: EnergyPlanView, locale: string): string {
  const ms = Date.parse(slots.at(-1)?.to ?? "");
  return Number.isNaN(ms) ? "" : moment(ms, locale);
}

function PlanCharts({ plan }: { readonly plan: EnergyPlanView }) {
  const { texts, code } = useLanguage();
  const { house, nowMs } = usePage();
  const { slots, devices } = plan;
  // The devices come later than the plan, and change each second; their names hardly ever.
  const names = JSON.stringify(devices.map(({ id }) => nameById(house.assets, id)));
  const times = useMemo(() => slots.map(({ from }) => Date.parse(from)), [slots]);
  const prices = useMemo(() => [priceCurve(slots, texts.plan.price)], [slots, texts]);
  const powers = useMemo(
    () => [
      {
        label: texts.home.sun,
        colour: "solar" as const,
        kind: "line" as const,
        values: slots.map(({ production }) => production),
      },
      { label: texts.home.used, colour: "home" as const, kind: "line" as const, values: slots.map(({ load }) => load) },
      ...devices.map(({ id, deviceType, power }) => ({
        label: nameById(house.assets, id),
        colour: ({ battery: "battery", vehicle: "car", heat: "heat" } as const)[deviceType],
        kind: "steps" as const,
        values: power,
      })),
    ],
    [slots, devices, names, texts],
  );
  const batteries = devices.filter(({ deviceType }) => deviceType === "battery");
  const stored = useMemo(
    () =>
      batteries.map(({ id, stored: values }) => ({
        label: nameById(house.assets, id),
        colour: "battery" as const,
        kind: "line" as const,
        values,
      })),
    [devices, names],
  );
  return (
    <section class="card" aria-labelledby="h-plan">
      <header>
        <h2 id="h-plan">{texts.plan.next(endOf(plan, code))}</h2>
      </header>
      <div class="stack">
        <Chart title={texts.plan.priceTitle} decimals={1} times={times} curves={prices} nowMs={nowMs} sync={SYNC} />
        <Chart title={texts.plan.powerTitle} decimals={2} times={times} curves={powers} nowMs={nowMs} sync={SYNC} />
        {stored.length === 0 ? null : (
          <Chart title={texts.plan.storedTitle} decimals={1} times={times} curves={stored} nowMs={nowMs} sync={SYNC} />
        )}
        {slots.every(({ isPriceKnown }) => isPriceKnown) ? null : <p class="hint">{texts.plan.pricesEnd}</p>}
      </div>
    </section>
  );
}

/** What earlier plans expected the house to use today, and what it used; nothing before the first quarter hour. */
function LoadToday({ plan }: { readonly plan: EnergyPlanView }) {
  const { texts } = useLanguage();
  const { nowMs } = usePage();
  const { earlier } = plan;
  const times = useMemo(() => earlier.map(({ from }) => Date.parse(from)), [earlier]);
  const curves = useMemo(
    (): readonly Curve[] => [
      {
        label: texts.plan.forecast,
        colour: "home",
        kind: "line",
        isDashed: true,
        values: earlier.map(({ expectedLoad }) => expectedLoad),
      },
      { label: texts.plan.measured, colour: "home", kind: "line", values: earlier.map(({ load }) => load) },
    ],
    [earlier, texts],
  );
  if (earlier.length === 0) return null;
  return (
    <section class="card" aria-labelledby="h-load">
      <header>
        <h2 id="h-load">{texts.plan.loadToday}</h2>
      </header>
      <Chart title={texts.plan.loadTitle} decimals={2} times={times} curves={curves} nowMs={nowMs} />
    </section>
  );
}

function nameById(assets: readonly Parameters<typeof nameOf>[0][], id: string): string {
  const asset = assets.find((other) => other.id === id);
  return asset === undefined ? id : nameOf(asset);
}

function PlanReasons({ plan }: { readonly plan: EnergyPlanView }) {
  const { texts, code } = useLanguage();
  const { house } = usePage();
  const entries = [
    ...plan.devices.map(({ id, reasons, targets }) => ({
      id,
      lines: reasons.map(({ text }) => text),
      short: targets.reduce((all, { short }) => all + short, 0),
    })),
    ...plan.leftOut.map(({ id, text }) => ({ id, lines: [text], short: 0 })),
  ].filter(({ lines }) => lines.length > 0);
  if (entries.length === 0) return null;
  return (
    <section class="card" aria-labelledby="h-why">
      <header>
        <h2 id="h-why">{texts.plan.why}</h2>
      </header>
      <div class="stack">
        {entries.map(({ id, lines, short }) => (
          <div key={id}>
            <h3>{nameById(house.assets, id)}</h3>
            {lines.map((line) => (
              <p class="small second" key={line}>
                {line}
              </p>
            ))}
            {short > LEAST_SHORT_KWH ? (
              <p class="error">{texts.plan.short(text({ number: number(short, code, 1), unit: "kWh" }))}</p>
            ) : null}
          </div>
        ))}
      </div>
    </section>
  );
}
