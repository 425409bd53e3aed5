/** The panels of the house and who forecasts their power: the section `forecast` of the configuration. */
import { useMemo, useState } from "preact/hooks";
import { usePage } from "../../context.ts";
import { energy, percent, text as quantityText } from "../../format.ts";
import { usePolled } from "../../live/poll.ts";
import { Chart, type Curve } from "../../parts/chart.tsx";
import { Button, Field } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { Origin, type Section, SectionSaver, sectionOf, useConfiguration } from "./configuration.tsx";

interface Plane {
  readonly name?: string;
  readonly tilt: number;
  readonly azimuth: number;
  readonly peakKw: number;
}

interface ForecastSection {
  readonly source: string;
  readonly planes: readonly Plane[];
  readonly sites: readonly string[];
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly inverterKw: number | null;
  readonly key: string | null;
}

interface Forecast {
  readonly source: { readonly displayName: string; readonly attribution: string } | null;
  readonly problem: { readonly text: string } | null;
  readonly adjustment: { readonly factor: number | null; readonly hours: number };
  readonly slots: readonly {
    readonly from: string;
    readonly to: string;
    readonly power: number;
    readonly adjustedPower: number | null;
  }[];
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function PanelsPage() {
  const { texts } = useLanguage();
  const { panels } = texts.settings;
  const configuration = useConfiguration();
  const forecast = usePolled<Forecast>("/local/forecast", 60_000);
  if (configuration.value === null || forecast.value === null) {
    return <p class="lead">{(configuration.error ?? forecast.error)?.message ?? texts.loading}</p>;
  }
  const section = sectionOf<ForecastSection>(configuration.value, "forecast");
  const refresh = (): void => {
    configuration.refresh();
    forecast.refresh();
  };
  return (
    <div class="stack">
      <Expected forecast={forecast.value} />
      <section class="card" aria-labelledby="h-panels">
        <header>
          <h2 id="h-panels">{panels.title}</h2>
        </header>
        <PanelsForm
          key={JSON.stringify(section?.value ?? null)}
          section={section}
          sources={configuration.value.sources.forecasts}
          onDone={refresh}
        />
      </section>
    </div>
  );
}

function Expected({ forecast }: { readonly forecast: Forecast }) {
  const { texts, code } = useLanguage();
  const { panels, price } = texts.settings;
  const { nowMs } = usePage();
  const { slots, adjustment, problem, source } = forecast;
  const times = useMemo(() => slots.map(({ from }) => Date.parse(from)), [slots]);
  const curves = useMemo((): readonly Curve[] => {
    const expected = { label: panels.expected, colour: "solar", kind: "line" } as const;
    const adjusted = { label: panels.adjusted, colour: "ink-2", kind: "line" } as const;
    const isAdjusted = slots.some(({ adjustedPower }) => adjustedPower !== null);
    return [
      { ...expected, values: slots.map(({ power }) => power) },
      ...(isAdjusted ? [{ ...adjusted, values: slots.map(({ adjustedPower }) => adjustedPower) }] : []),
    ];
  }, [slots, panels]);
  const startMs = times[0] ?? 0;
  const today = slots
    .filter(({ from }) => Date.parse(from) < startMs + DAY_MS)
    .reduce((sum, { from, to, power }) => sum + (power * (Date.parse(to) - Date.parse(from))) / HOUR_MS, 0);
  return (
    <>
      <div class="lead">
        <h1>{slots.length === 0 ? panels.unknown : panels.today(quantityText(energy(today, code)))}</h1>
        {problem === null ? null : (
          <p>
            {price.problem}: <span lang="en">{problem.text}</span>
          </p>
        )}
      </div>
      {slots.length === 0 ? null : (
        <section class="card" aria-label={panels.chart}>
          <div class="stack">
            <Chart title={panels.chart} decimals={2} times={times} curves={curves} nowMs={nowMs} />
            {adjustment.factor === null ? null : (
              <p class="small second">{panels.adjustment(percent(adjustment.factor * 100, code), adjustment.hours)}</p>
            )}
            <p class="hint" lang="en">
              {source?.attribution}
            </p>
          </div>
        </section>
      )}
    </>
  );
}

/** As it is typed; what the page does not show of a plane stays as it was. */
interface PanelsTyped {
  readonly source: string;
  readonly planes: readonly {
    readonly rest: object;
    readonly name: string;
    readonly tilt: string;
    readonly azimuth: string;
    readonly peakKw: string;
  }[];
  readonly sites: string;
  readonly key: string;
  readonly inverterKw: string;
  readonly latitude: string;
  readonly longitude: string;
}

const NEW_PLANE = { rest: {}, name: "", tilt: "35", azimuth: "180", peakKw: "" } as const;

function formOf(forecast: ForecastSection | null): PanelsTyped {
  return {
    source: forecast?.source ?? "",
    planes: (forecast?.planes ?? []).map(({ name = "", tilt, azimuth, peakKw, ...rest }) => ({
      rest,
      name,
      tilt: String(tilt),
      azimuth: String(azimuth),
      peakKw: String(peakKw),
    })),
    sites: (forecast?.sites ?? []).join(", "),
    key: forecast?.key ?? "",
    inverterKw: String(forecast?.inverterKw ?? ""),
    latitude: String(forecast?.place?.latitude ?? ""),
    longitude: String(forecast?.place?.longitude ?? ""),
  };
}

function forecastOf(typed: PanelsTyped): object {
  const { source, planes, sites, key, inverterKw, latitude, longitude } = typed;
  return {
    source,
    planes: planes.map(({ rest, name, tilt, azimuth, peakKw }) => ({
      ...rest,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      tilt: Number(tilt),
      azimuth: Number(azimuth),
      peakKw: Number(peakKw),
    })),
    sites: sites.split(",").flatMap((site) => (site.trim() === "" ? [] : [site.trim()])),
    key: key === "" ? null : key,
    inverterKw: inverterKw === "" ? null : Number(inverterKw),
    place: latitude === "" && longitude === "" ? null : { latitude: Number(latitude), longitude: Number(longitude) },
  };
}

interface PanelsFormProps {
  readonly section: Section<ForecastSection> | null;
  readonly sources: readonly string[];
  readonly onDone: () => void;
}

function PanelsForm({ section, sources, onDone }: PanelsFormProps) {
  const { texts } = useLanguage();
  const { panels, price } = texts.settings;
  const [typed, setTyped] = useState<PanelsTyped>(() => formOf(section?.value ?? null));
  const isFixed = section?.isSettable === false;
  const field = (name: Exclude<keyof PanelsTyped, "planes" | "source">, label: string, more: object = {}) => (
    <Field
      label={label}
      disabled={isFixed}
      value={typed[name]}
      onText={(text) => setTyped({ ...typed, [name]: text })}
      autoComplete="off"
      {...more}
    />
  );
  const decimal = { type: "number", step: "any" } as const;
  const isSolcast = typed.source === "solcast";
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <Origin section={section} name="forecast" />
      <label class="field">
        <span>{panels.source}</span>
        <select
          class="in"
          disabled={isFixed}
          onChange={(event) => setTyped({ ...typed, source: event.currentTarget.value })}
        >
          {["", ...sources].map((id) => (
            <option key={id} value={id} selected={id === typed.source}>
              {id === "" ? panels.noSource : id}
            </option>
          ))}
        </select>
      </label>
      {typed.source === "" || isSolcast ? null : <Planes typed={typed} isFixed={isFixed} onType={setTyped} />}
      {isSolcast ? field("sites", panels.sites, { hint: panels.sitesHint }) : null}
      {typed.source === "" ? null : (
        <>
          {field("key", panels.key, { type: "password", hint: panels.keyHint })}
          {field("inverterKw", panels.inverter, decimal)}
          <fieldset class="form" disabled={isFixed}>
            <legend class="lab">{panels.place}</legend>
            <div class="pair">
              {field("latitude", price.latitude, decimal)}
              {field("longitude", price.longitude, decimal)}
            </div>
            <p class="hint">{panels.placeHint}</p>
          </fieldset>
          <SectionSaver section={section} name="forecast" value={() => forecastOf(typed)} onDone={onDone} />
        </>
      )}
    </form>
  );
}

interface PlanesProps {
  readonly typed: PanelsTyped;
  readonly isFixed: boolean;
  readonly onType: (typed: PanelsTyped) => void;
}

function Planes({ typed, isFixed, onType }: PlanesProps) {
  const { texts } = useLanguage();
  const { panels } = texts.settings;
  const { planes } = typed;
  const change = (index: number, part: Partial<PanelsTyped["planes"][number]>): void =>
    onType({ ...typed, planes: planes.map((plane, at) => (at === index ? { ...plane, ...part } : plane)) });
  return (
    <>
      {planes.map(({ name, tilt, azimuth, peakKw }, index) => (
        <fieldset class="group" disabled={isFixed} key={index}>
          <legend class="lab">{panels.plane(index + 1)}</legend>
          <Field label={panels.name} value={name} onText={(text) => change(index, { name: text })} />
          <Field
            label={panels.peak}
            type="number"
            step="any"
            min={0.01}
            required
            value={peakKw}
            onText={(text) => change(index, { peakKw: text })}
          />
          <div class="pair">
            <Field
              label={panels.tilt}
              type="number"
              min={0}
              max={90}
              required
              value={tilt}
              onText={(text) => change(index, { tilt: text })}
            />
            <Field
              label={panels.azimuth}
              type="number"
              min={0}
              max={360}
              required
              value={azimuth}
              onText={(text) => change(index, { azimuth: text })}
            />
          </div>
          {isFixed ? null : (
            <Button
              kind="q s"
              onClick={() => onType({ ...typed, planes: planes.filter((_plane, at) => at !== index) })}
            >
              {texts.remove}
              <span class="sr"> {panels.plane(index + 1)}</span>
            </Button>
          )}
        </fieldset>
      ))}
      {isFixed ? null : (
        <Button kind="s" onClick={() => onType({ ...typed, planes: [...planes, NEW_PLANE] })}>
          {planes.length === 0 ? texts.settings.addRow : panels.addPlane}
        </Button>
      )}
    </>
  );
}
