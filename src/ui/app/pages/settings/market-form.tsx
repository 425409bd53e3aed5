/** Market prices with fees and taxes, and what feeding in brings: the section `pricing` of the configuration. */
import { Button, Field } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { Origin, type Section, SectionSaver } from "./configuration.tsx";

type Decimal = string | number;

interface Fee {
  readonly name: string;
  readonly perKwh: string;
  readonly from: string;
  readonly to: string;
  readonly weekdays?: readonly number[] | undefined;
}

export interface PricingSection {
  readonly currency: string;
  readonly market?: {
    readonly source: string;
    readonly zone: string;
    readonly token: string | null;
    readonly factor: Decimal;
    readonly vat: Decimal;
    readonly fees: readonly (Omit<Fee, "perKwh"> & { readonly perKwh: Decimal })[];
  };
  readonly feedIn?: { readonly perKwh: Decimal; readonly marketFactor: Decimal; readonly stopsBelowZero: boolean };
}

/** As it is typed. */
export interface MarketTyped {
  readonly currency: string;
  /** Empty: no market prices. */
  readonly source: string;
  readonly zone: string;
  readonly token: string;
  readonly factor: string;
  readonly vat: string;
  readonly fees: readonly Fee[];
  readonly feedInKwh: string;
  readonly feedInFactor: string;
  readonly stopsBelowZero: boolean;
}

export function formOf(pricing: PricingSection | null): MarketTyped {
  const market = pricing?.market;
  const feedIn = pricing?.feedIn;
  return {
    currency: pricing?.currency ?? "EUR",
    source: market?.source ?? "",
    zone: market?.zone ?? "",
    token: market?.token ?? "",
    factor: String(market?.factor ?? "1"),
    vat: String(market?.vat ?? "0"),
    fees: (market?.fees ?? []).map((fee) => ({ ...fee, perKwh: String(fee.perKwh) })),
    feedInKwh: feedIn === undefined ? "" : String(feedIn.perKwh),
    feedInFactor: feedIn === undefined ? "" : String(feedIn.marketFactor),
    stopsBelowZero: feedIn?.stopsBelowZero ?? false,
  };
}

/** Returns the section as the API takes it. */
function pricingOf(typed: MarketTyped): object {
  const { currency, source, zone, token, factor, vat, fees, feedInKwh, feedInFactor, stopsBelowZero } = typed;
  const market = { source, zone: zone.trim(), token: token === "" ? null : token, factor, vat, fees };
  const hasFeedIn = feedInKwh !== "" || feedInFactor !== "";
  const feedIn = { perKwh: feedInKwh || "0", marketFactor: feedInFactor || "0", stopsBelowZero };
  return {
    currency,
    ...(source === "" ? {} : { market }),
    ...(hasFeedIn ? { feedIn } : {}),
  };
}

interface MarketFormProps {
  readonly section: Section<PricingSection> | null;
  readonly sources: readonly string[];
  readonly typed: MarketTyped;
  readonly onType: (typed: MarketTyped) => void;
  readonly onDone: () => void;
}

export function MarketForm({ section, sources, typed, onType, onDone }: MarketFormProps) {
  const { texts } = useLanguage();
  const { price } = texts.settings;
  const isFixed = section?.isSettable === false;
  const field = (
    name: Exclude<keyof MarketTyped, "fees" | "source" | "stopsBelowZero">,
    label: string,
    more: object = {},
  ) => (
    <Field
      label={label}
      disabled={isFixed}
      value={typed[name]}
      onText={(text) => onType({ ...typed, [name]: text })}
      autoComplete="off"
      {...more}
    />
  );
  const decimal = { type: "number", step: "any" } as const;
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <Origin section={section} name="pricing" />
      {field("currency", price.currency, { maxLength: 3, autoCapitalize: "characters" })}
      <label class="field">
        <span>{price.source}</span>
        <select
          class="in"
          disabled={isFixed}
          onChange={(event) => onType({ ...typed, source: event.currentTarget.value })}
        >
          {["", ...sources].map((id) => (
            <option key={id} value={id} selected={id === typed.source}>
              {id === "" ? price.noSource : id}
            </option>
          ))}
        </select>
      </label>
      {typed.source === "" ? null : (
        <>
          {field("zone", price.zone, { hint: price.zoneHint })}
          {field("token", price.token, { type: "password", hint: price.tokenHint })}
          <div class="pair">
            {field("factor", price.factor, decimal)}
            {field("vat", price.vat, { ...decimal, hint: price.vatHint })}
          </div>
          <Fees typed={typed} isFixed={isFixed} onType={onType} />
        </>
      )}
      <h3>{price.feedIn}</h3>
      {field("feedInKwh", price.feedInKwh(typed.currency), decimal)}
      {field("feedInFactor", price.feedInFactor, { ...decimal, hint: price.feedInHint })}
      <label class="row">
        <input
          type="checkbox"
          disabled={isFixed}
          checked={typed.stopsBelowZero}
          onChange={(event) => onType({ ...typed, stopsBelowZero: event.currentTarget.checked })}
        />
        <span class="small">{price.stopsBelowZero}</span>
      </label>
      <SectionSaver section={section} name="pricing" value={() => pricingOf(typed)} onDone={onDone} />
    </form>
  );
}

interface FeesProps {
  readonly typed: MarketTyped;
  readonly isFixed: boolean;
  readonly onType: (typed: MarketTyped) => void;
}

/** `24:00` closes the day; a time field knows it as midnight. */
const DAY_END = "24:00";

function Fees({ typed, isFixed, onType }: FeesProps) {
  const { texts } = useLanguage();
  const { price } = texts.settings;
  const { fees } = typed;
  const change = (index: number, part: Partial<Fee>): void =>
    onType({ ...typed, fees: fees.map((fee, at) => (at === index ? { ...fee, ...part } : fee)) });
  return (
    <fieldset class="form" disabled={isFixed}>
      <legend class="lab">{price.fees}</legend>
      {fees.map(({ name, perKwh, from, to }, index) => (
        <div class="group" key={index}>
          <Field label={price.feeName} required value={name} onText={(text) => change(index, { name: text })} />
          <Field
            label={price.perKwh(typed.currency)}
            type="number"
            step="any"
            required
            value={perKwh}
            onText={(text) => change(index, { perKwh: text })}
          />
          <div class="pair">
            <Field label={price.from} type="time" value={from} onText={(text) => change(index, { from: text })} />
            <Field
              label={price.to}
              type="time"
              value={to === DAY_END ? "00:00" : to}
              onText={(text) => change(index, { to: text === "00:00" ? DAY_END : text })}
            />
          </div>
          {isFixed ? null : (
            <Button kind="q s" onClick={() => onType({ ...typed, fees: fees.filter((_fee, at) => at !== index) })}>
              {texts.remove}
              <span class="sr"> {name}</span>
            </Button>
          )}
        </div>
      ))}
      {isFixed ? null : (
        <Button
          kind="s"
          onClick={() =>
            onType({ ...typed, fees: [...fees, { name: price.fee, perKwh: "0", from: "00:00", to: DAY_END }] })
          }
        >
          {texts.settings.addRow}
        </Button>
      )}
    </fieldset>
  );
}
