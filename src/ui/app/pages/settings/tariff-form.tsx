/** What a kWh costs: one price, by hours, or the market's. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { Days } from "../../parts/days.tsx";
import { Button, Choice, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { numberOf } from "./price-preview.ts";
import { createPlace, type SiteSection, type TariffState } from "./tariff.ts";
import {
  bodiesOf,
  clockText,
  MINUTES_OF_DAY,
  minuteOf,
  type TariffHours,
  type TariffPlan,
  WEEK,
} from "./tariff-hours.ts";

/** The id of the tariff that this page makes. */
const TARIFF_ID = "house";

export interface TariffTyped {
  readonly kind: "fixed" | "hours" | "market";
  /** As it is typed. */
  readonly base: string;
  readonly hours: readonly TariffHours[];
}

export function typedOf(plan: TariffPlan | null): TariffTyped {
  if (plan === null) return { kind: "market", base: "", hours: [] };
  return { kind: plan.hours.length === 0 ? "fixed" : "hours", base: plan.base ?? "", hours: plan.hours };
}

/** Returns the tariff that is typed; `null` for the market's prices. */
export function typedPlan({ kind, base, hours }: TariffTyped): TariffPlan | null {
  if (kind === "market") return null;
  return { base: numberOf(base) === null ? null : base, hours: kind === "fixed" ? [] : hours };
}

interface TariffFormProps {
  readonly site: SiteSection;
  readonly state: TariffState;
  readonly currency: string;
  readonly typed: TariffTyped;
  readonly onType: (typed: TariffTyped) => void;
  readonly onDone: () => void;
}

export function TariffForm({ site, state, currency, typed, onType, onDone }: TariffFormProps) {
  const { texts } = useLanguage();
  const { price } = texts.settings;
  const task = useTask();
  const [latitude, setLatitude] = useState(String(site.place?.latitude ?? ""));
  const [longitude, setLongitude] = useState(String(site.place?.longitude ?? ""));
  const { kind, base, hours } = typed;
  const isPlaceAsked = state.place === null && kind !== "market";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await save(site, state, typed, { latitude: Number(latitude), longitude: Number(longitude) }, texts.home.home);
      onDone();
    });
  };
  const setHour = (index: number, change: Partial<TariffHours>): void =>
    onType({ ...typed, hours: hours.map((each, at) => (at === index ? { ...each, ...change } : each)) });
  return (
    <form class="form" onSubmit={submit}>
      <Choice
        legend={price.kind}
        name="tariff-kind"
        value={kind}
        onChoose={(next) => onType({ ...typed, kind: next, hours: next === "hours" ? startOf(hours, base) : hours })}
        choices={[
          { value: "fixed", label: price.fixed },
          { value: "hours", label: price.hours },
          { value: "market", label: price.market },
        ]}
      />
      {kind === "market" ? <p class="small second">{price.marketAbout}</p> : null}
      {kind === "fixed" ? (
        <Field
          label={price.perKwh(currency)}
          type="number"
          step="any"
          required
          value={base}
          onText={(text) => onType({ ...typed, base: text })}
        />
      ) : null}
      {kind === "hours" ? (
        <>
          {hours.map((each, index) => (
            // A row has no name of its own; rows are added and removed at the end and by their place.
            <HourFields
              key={index}
              hours={each}
              currency={currency}
              onChange={(change) => setHour(index, change)}
              onRemove={() => onType({ ...typed, hours: hours.filter((_each, at) => at !== index) })}
            />
          ))}
          <Button kind="s" onClick={() => onType({ ...typed, hours: [...hours, freshHours(base)] })}>
            {texts.settings.addRow}
          </Button>
          <Field
            label={price.otherHours(currency)}
            hint={price.otherHint}
            type="number"
            step="any"
            value={base}
            onText={(text) => onType({ ...typed, base: text })}
          />
        </>
      ) : null}
      {isPlaceAsked ? (
        <fieldset class="form">
          <legend class="lab">{price.place}</legend>
          <p class="hint">{price.placeHint}</p>
          <div class="pair">
            <Field
              label={price.latitude}
              type="number"
              step="any"
              min={-90}
              max={90}
              required
              value={latitude}
              onText={setLatitude}
            />
            <Field
              label={price.longitude}
              type="number"
              step="any"
              min={-180}
              max={180}
              required
              value={longitude}
              onText={setLongitude}
            />
          </div>
        </fieldset>
      ) : null}
      {state.places > 1 ? <p class="hint">{price.several(state.places)}</p> : null}
      <Button type="submit" kind="p" task={task}>
        {task.isBusy ? texts.saving : price.save}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}

interface HourFieldsProps {
  readonly hours: TariffHours;
  readonly currency: string;
  readonly onChange: (change: Partial<TariffHours>) => void;
  readonly onRemove: () => void;
}

function HourFields({ hours, currency, onChange, onRemove }: HourFieldsProps) {
  const { texts } = useLanguage();
  const { price } = texts.settings;
  const { cost, fromMinute, toMinute, weekdays } = hours;
  const time = (text: string, name: "fromMinute" | "toMinute"): void => {
    if (text !== "") onChange({ [name]: minuteOf(text) });
  };
  return (
    <fieldset class="group">
      <Field
        label={price.perKwh(currency)}
        type="number"
        step="any"
        required
        value={cost}
        onText={(text) => onChange({ cost: text })}
      />
      <div class="pair">
        <Field
          label={price.from}
          type="time"
          required
          value={clockText(fromMinute)}
          onText={(text) => time(text, "fromMinute")}
        />
        <Field
          label={price.to}
          type="time"
          required
          value={clockText(toMinute % MINUTES_OF_DAY)}
          onText={(text) => time(text, "toMinute")}
        />
      </div>
      <Days legend={price.days} days={weekdays} onChange={(days) => onChange({ weekdays: days })} />
      <Button kind="q s" onClick={onRemove}>
        {texts.remove}
      </Button>
    </fieldset>
  );
}

/** The first row of a tariff by hours: a night, to be changed. */
function startOf(hours: readonly TariffHours[], base: string): readonly TariffHours[] {
  return hours.length > 0 ? hours : [freshHours(base)];
}

function freshHours(base: string): TariffHours {
  return { cost: base, fromMinute: 22 * 60, toMinute: 6 * 60, weekdays: WEEK };
}

async function save(
  site: SiteSection,
  { place }: TariffState,
  typed: TariffTyped,
  at: { readonly latitude: number; readonly longitude: number },
  name: string,
): Promise<void> {
  const plan = typedPlan(typed);
  if (plan === null) {
    if (place !== null) await ask("DELETE", `/locations/${place.id}/tariff`);
    return;
  }
  const id = place?.id ?? (await createPlace(site, name, at));
  const { rates, intervals } = bodiesOf(plan);
  await ask("PUT", `/tariffs/${TARIFF_ID}`, rates);
  await ask("PUT", `/locations/${id}/tariff`, { tariffId: TARIFF_ID, tariffIntervals: intervals });
}
