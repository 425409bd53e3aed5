/** The plan as `GET /local/energy/plan` shows it: kW, kWh, ISO instants. */
import { z } from "zod";
import { Instant, instant, NullableInstant } from "../../fields.ts";
import { noPlanText, type PlanTextStyle, planReasonText } from "../energy-texts.ts";
import type { EnergyPlan, NoPlanCode, PlannedDevice, PlanReason, PlanReasonCode } from "./energy-plan.ts";
import { QUARTER_HOUR_MS } from "./plan-inputs.ts";

const REASON_CODES = [
  "surplus",
  "cheaper",
  "whole-time-needed",
  "out-of-reach",
  "before-target",
  "covers-house",
  "waits-for-dearer-hours",
  "sells",
  "full-charge",
  "reserve",
  "comfort",
  "heats-cheaper",
  "unknown-charge",
  "in-other-hands",
  "no-solution",
  "nothing-to-do",
] as const satisfies readonly PlanReasonCode[];
const NO_PLAN_CODES = [
  "unknown-charge",
  "no-prices",
  "no-solution",
  "no-history",
  "clock-not-set",
  "nothing-to-plan",
  "not-read-yet",
  "not-made-yet",
] as const satisfies readonly NoPlanCode[];

const Span = z.object({ from: Instant, to: Instant });
const kW = (description: string) => z.number().meta({ description: `${description}, kW.` });
const Text = z.string().meta({ description: "The reason as a sentence, in the language that was asked for." });

const Reason = z
  .object({
    code: z.enum(REASON_CODES),
    when: z.array(Span).meta({ description: "The times that it is about, in order." }),
    text: Text,
  })
  .meta({ id: "EnergyPlanReason" });

const Slot = z
  .object({
    from: Instant,
    to: Instant,
    importPrice: z.number().meta({ description: "Price of a kWh from the grid." }),
    exportPrice: z.number().meta({ description: "What a kWh that is fed in brings." }),
    isPriceKnown: z.boolean().meta({
      description: "`false`: a price is not known yet. The highest or lowest known one stands for it.",
    }),
    load: kW("Expected use of everything that is not planned"),
    production: kW("Expected production of the panels"),
    import: kW("Planned import"),
    export: kW("Planned feed-in"),
    overLimit: kW("Part of the import that is above the limit, because the load alone is"),
    cost: z.number().meta({ description: "Cost of the import less what the feed-in brings; negative is earned." }),
  })
  .meta({ id: "EnergyPlanSlot" });

const Earlier = z
  .object({
    from: Instant,
    to: Instant,
    expectedLoad: kW("Use of everything that is not planned, as the last plan before this time expected it"),
    load: z.number().nullable().meta({ description: "What it was, kW; `null` if it was not measured, or not yet." }),
  })
  .meta({ id: "EnergyPlanEarlierSlot" });
export type EarlierSlot = z.infer<typeof Earlier>;

const Device = z
  .object({
    id: z.string(),
    deviceType: z.enum(["battery", "vehicle", "heat"]).meta({
      description: "`vehicle`: a charger or a vehicle with a target.",
    }),
    power: z.array(z.number()).meta({ description: "By slot, kW; positive into the device." }),
    stored: z.array(z.number()).meta({
      description:
        "By slot, at its end: energy in a battery, or what a vehicle was charged with since the plan was made, kWh. Empty for heat.",
    }),
    value: z.array(z.number()).meta({
      description: "By slot, what one more kWh in the device is worth; the device acts by it. Empty for heat.",
    }),
    temperature: z.array(z.number()).meta({ description: "By slot, at its end, °C. Empty for all but heat." }),
    targets: z.array(
      z.object({
        at: Instant,
        energy: z.number().meta({ description: "Energy to charge until then, kWh." }),
        short: z.number().meta({ description: "What will be missing, kWh; 0: it is reached." }),
      }),
    ),
    reasons: z.array(Reason).meta({ description: "Why it does what it does; what it does first comes first." }),
  })
  .meta({ id: "EnergyPlanDevice" });

const Forecasts = z
  .object({
    load: z.object({
      days: z.number().meta({ description: "How many days of this house the load was learned from." }),
    }),
    production: z.object({
      source: z.enum(["forecast", "earlier-days", "none"]).meta({
        description:
          "`forecast`: of the configured service, corrected by what the panels gave; earlier days where it ends. `earlier-days`: of this house. `none`: no panels are known.",
      }),
      fetchedAt: NullableInstant.meta({ description: "When the forecast was fetched; `null` without one." }),
    }),
    prices: z.object({
      knownUntil: NullableInstant.meta({ description: "End of the known prices; `null` if none are." }),
      isFeedInKnown: z.boolean().meta({
        description: "`false`: `pricing.feedIn` is not configured; the plan counts on nothing for it.",
      }),
    }),
  })
  .meta({ id: "EnergyPlanForecasts" });

export const EnergyPlanView = z
  .object({
    isPlanned: z.boolean().meta({ description: "`true` while there is a plan that is acted on." }),
    whyNot: z
      .object({ code: z.enum(NO_PLAN_CODES), text: Text })
      .nullable()
      .meta({ description: "Why there is no plan; `null` if there is one." }),
    madeAt: NullableInstant.meta({ description: "When the plan was made; `null` without one." }),
    actedOnUntil: NullableInstant.meta({
      description: "A plan that is not renewed until then is not acted on any more; `null` without one.",
    }),
    method: z.enum(["linear-program", "dynamic-program"]).nullable().meta({
      description:
        "`dynamic-program`: the solver failed, and one battery was planned without it. `null` without a plan.",
    }),
    currency: z.string().meta({ description: "ISO 4217 code of all prices and costs." }),
    cost: z.number().nullable().meta({
      description: "Cost of all slots, with the wear of batteries; `null` without a plan.",
    }),
    forecasts: Forecasts.nullable().meta({ description: "What the plan was made from; `null` without one." }),
    slots: z.array(Slot),
    earlier: z.array(Earlier).meta({
      description:
        "The quarter hours of today that are over, in the time zone of the house; unplanned ones are left out.",
    }),
    devices: z.array(Device),
    leftOut: z
      .array(z.object({ id: z.string(), code: z.enum(REASON_CODES), text: Text }))
      .meta({ description: "Devices that are not planned, and why." }),
  })
  .meta({ id: "EnergyPlan" });
export type EnergyPlanView = z.infer<typeof EnergyPlanView>;

/** What a plan was made from. */
export interface PlanBasis {
  readonly historyDays: number;
  readonly sun: "forecast" | "earlier-days" | "none";
  /** Wall-clock ms. */
  readonly forecastAtMs: number | null;
  readonly pricesUntilMs: number | null;
  readonly isFeedInKnown: boolean;
}

export interface LeftOut {
  readonly id: string;
  readonly code: PlanReasonCode;
}

/** Shows a quarter hour that is over; powers in kW, `null` if not measured. */
export function earlierSlot(fromMs: number, expectedKw: number, measuredKw: number | null): EarlierSlot {
  const to = instant(fromMs + QUARTER_HOUR_MS);
  const load = measuredKw === null ? null : rounded(measuredKw);
  return { from: instant(fromMs), to, expectedLoad: rounded(expectedKw), load };
}

/** A plan with when and from what it was made; times are wall-clock ms. */
export interface MadePlan {
  readonly plan: EnergyPlan;
  readonly basis: PlanBasis;
  readonly madeAtMs: number;
  readonly actedOnUntilMs: number;
}

type PlanWithoutEarlier = Omit<EnergyPlanView, "earlier">;

/** Shows that there is no plan. */
export function noPlanView(code: NoPlanCode, leftOut: readonly LeftOut[], style: PlanTextStyle): PlanWithoutEarlier {
  return {
    isPlanned: false,
    whyNot: { code, text: noPlanText(code, style.language) },
    madeAt: null,
    actedOnUntil: null,
    method: null,
    currency: style.currency,
    cost: null,
    forecasts: null,
    slots: [],
    devices: [],
    leftOut: leftOut.map((each) => leftOutView(each, style)),
  };
}

export function planView(
  { plan, basis, madeAtMs, actedOnUntilMs }: MadePlan,
  leftOut: readonly LeftOut[],
  style: PlanTextStyle,
): PlanWithoutEarlier {
  const others = plan.leftOut.map(({ id, reason }) => ({ id, code: reason.code }));
  return {
    isPlanned: true,
    whyNot: null,
    madeAt: instant(madeAtMs),
    actedOnUntil: instant(actedOnUntilMs),
    method: plan.method,
    currency: style.currency,
    cost: rounded(plan.cost),
    forecasts: {
      load: { days: basis.historyDays },
      production: {
        source: basis.sun,
        fetchedAt: basis.forecastAtMs === null ? null : instant(basis.forecastAtMs),
      },
      prices: {
        knownUntil: basis.pricesUntilMs === null ? null : instant(basis.pricesUntilMs),
        isFeedInKnown: basis.isFeedInKnown,
      },
    },
    slots: plan.slots.map((slot) => ({
      from: instant(slot.fromMs),
      to: instant(slot.toMs),
      importPrice: rounded(slot.importPrice),
      exportPrice: rounded(slot.exportPrice),
      isPriceKnown: slot.isPriceKnown,
      load: rounded(slot.loadKw),
      production: rounded(slot.pvKw),
      import: rounded(slot.importKw),
      export: rounded(slot.exportKw),
      overLimit: rounded(slot.overLimitKw),
      cost: rounded(slot.cost),
    })),
    devices: plan.devices.map((device) => deviceView(device, style)),
    leftOut: [...leftOut, ...others].map((each) => leftOutView(each, style)),
  };
}

function deviceView(device: PlannedDevice, style: PlanTextStyle): EnergyPlanView["devices"][number] {
  const isHeat = device.kind === "heat";
  return {
    id: device.id,
    deviceType: device.kind,
    power: device.powerKw.map(rounded),
    stored: isHeat ? [] : device.storedKwh.map(rounded),
    value: isHeat ? [] : device.shadowPrice.map(rounded),
    temperature: isHeat ? device.temperatureC.map(rounded) : [],
    targets:
      device.kind === "vehicle"
        ? device.targets.map(({ atMs, targetKwh, shortKwh }) => ({
            at: instant(atMs),
            energy: rounded(targetKwh),
            short: rounded(shortKwh),
          }))
        : [],
    reasons: device.reasons.map((reason) => reasonView(reason, style)),
  };
}

function reasonView(reason: PlanReason, style: PlanTextStyle): z.infer<typeof Reason> {
  const when = reason.when.map(({ fromMs, toMs }) => ({ from: instant(fromMs), to: instant(toMs) }));
  return { code: reason.code, when, text: planReasonText(reason, style) };
}

function leftOutView({ id, code }: LeftOut, { language }: PlanTextStyle): EnergyPlanView["leftOut"][number] {
  return { id, code, text: noPlanText(code, language) };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000 + 0;
}
