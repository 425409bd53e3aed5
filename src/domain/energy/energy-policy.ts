/** What a person sets for a device that the energy manager controls, and the rules of its targets. */
import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { Instant } from "../fields.ts";
import { HourMinute } from "../hour-minute.ts";
import { nextTimeOfDay } from "../smart/smart-deadline.ts";
import { EnergyMode } from "./energy-mode.ts";
import { HeatStore, HeatStoreUpdate } from "./heat-store.ts";

/** Highest energy of one charge, kWh. */
const MAX_TARGET_KWH = 500;
/** Highest power of a device that is only switched, kW. */
const MAX_SWITCHED_KW = 30;
const DAYS_A_WEEK = 7;

const GOAL = {
  soc: z
    .number()
    .min(1)
    .max(100)
    .nullable()
    .meta({ description: "State of charge to reach, %; `null` if energy is given." }),
  energyKwh: z
    .number()
    .positive()
    .max(MAX_TARGET_KWH)
    .nullable()
    .meta({ description: "Energy to charge, kWh; `null` if a state of charge is given." }),
} as const;

/** A goal with the time by which it has to be reached: once, or on days of the week. */
export const EnergyTarget = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("ONCE"), by: Instant.meta({ description: "Time to be ready." }), ...GOAL }),
    z.strictObject({
      kind: z.literal("WEEKLY"),
      time: HourMinute.meta({ description: "Time of day to be ready, in the time zone of the site." }),
      weekdays: z
        .array(z.int().min(0).max(6))
        .min(1)
        .max(DAYS_A_WEEK)
        .meta({ description: "Days of the week, 0 is Monday, 6 is Sunday." }),
      ...GOAL,
    }),
  ])
  .meta({ id: "EnergyTarget" });
export type EnergyTarget = z.infer<typeof EnergyTarget>;

/** The settings of a charger, vehicle or heat pump for the energy manager. */
export const EnergyPolicy = z
  .object({
    mode: EnergyMode.meta({
      description:
        "`OFF`: no charging. `SURPLUS`: only from what would be fed into the grid. `MIN_SURPLUS`: with the lowest current, and more from surplus. `PLANNED`: from surplus, and what is missing for the target in the cheapest hours; without prices as late as it can be reached. `FAST`: as fast as the limits of the site allow. A heat pump that is SG Ready, or whose setpoint can be raised (by 2 K, never above `heat.maxC`), has `OFF`: left to itself, `SURPLUS` and `FAST`: asked to take more power, `PLANNED`: the same in the cheapest hours and from surplus, between the temperatures of `heat`. A heater whose power can be set has the same four; `OFF`: no power.",
    }),
    priority: z.int().min(1).max(100).meta({ description: "The lower the number, the earlier the device gets power." }),
    gridShare: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: "Share of the grid in the power with which surplus charging may start, 0 to 1." }),
    target: EnergyTarget.nullable().meta({ description: "What has to be reached by when; `null` if nothing has to." }),
    powerKw: z.number().positive().max(MAX_SWITCHED_KW).nullable().meta({
      description:
        "Power of a device that is only switched, such as a plug or a heat pump, kW; `null`: 2 kW for a heat pump, and for others what a charger of 16 A takes. For a heater whose power can be set, the highest power; `null`: what it can.",
    }),
    phases: z
      .union([z.literal(1), z.literal(3)])
      .nullable()
      .meta({
        description:
          "On how many phases a charger that can switch them charges its car; `null`: as the power needs it. Set it for a car that must not have its phases changed: the charger is then switched at most once, after the car is plugged in and before it charges. A charger that cannot be switched, or switches by itself, is not changed by it.",
      }),
    heat: HeatStore.nullable().meta({
      description: "What a heat pump or heater in mode `PLANNED` warms; `null`: the defaults.",
    }),
  })
  .meta({ id: "EnergyPolicy" });
export type EnergyPolicy = z.infer<typeof EnergyPolicy>;

/** A change of the settings. What is left out stays. */
export const EnergyPolicyUpdate = z
  .strictObject({
    ...EnergyPolicy.partial().shape,
    heat: HeatStoreUpdate.nullable().optional().meta({
      description: "What a heat pump or heater in mode `PLANNED` warms; `null`: the defaults again.",
    }),
  })
  .meta({ id: "EnergyPolicyUpdate" });
export type EnergyPolicyUpdate = z.infer<typeof EnergyPolicyUpdate>;

export const DEFAULT_POLICY: Omit<EnergyPolicy, "mode"> = {
  priority: 50,
  gridShare: 0,
  target: null,
  powerKw: null,
  phases: null,
  heat: null,
};

/** The modes of a heat pump: left to itself, asked for more power from surplus, by the plan, or at once. */
const HEAT_PUMP_MODES: ReadonlySet<EnergyMode> = new Set<EnergyMode>(["OFF", "SURPLUS", "PLANNED", "FAST"]);

/** Returns why a heat pump cannot have these settings, as a sentence; `null` if it can. */
export function heatPumpFault({ mode, target }: EnergyPolicyUpdate): string | null {
  if (mode !== undefined && !HEAT_PUMP_MODES.has(mode)) {
    return `A heat pump has no mode ${mode}; it has ${[...HEAT_PUMP_MODES].join(", ")}.`;
  }
  return (target ?? null) === null ? null : "A heat pump has no target.";
}

/** Returns why a device that is no charger cannot have these settings, as a sentence; `null` if it can. */
export function phasesOfOthersFault({ phases }: EnergyPolicyUpdate): string | null {
  return (phases ?? null) === null ? null : "Only a charger has `phases`.";
}

/** Returns why a charger or vehicle cannot have these settings, as a sentence; `null` if it can. */
export function heatOfOthersFault({ heat }: EnergyPolicyUpdate): string | null {
  return (heat ?? null) === null ? null : "Only a heat pump or heater has `heat`.";
}

/** What the house battery may do: while a car charges, as in `BatteryUse`, and by the plan. */
export const BatteryUseSettings = z
  .object({
    holdWhileFast: z
      .boolean()
      .meta({ description: "The battery is not discharged while a car charges faster than from surplus." }),
    priorityBelow: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: "Below this state of charge, %, the battery is charged before cars get surplus." }),
    supportAbove: z.number().min(0).max(100).meta({
      description: "Above this state of charge, %, the battery may support cars in surplus mode; 100: never.",
    }),
    minSoc: z.number().min(0).max(100).meta({
      description:
        "The plan discharges a battery no further than to this state of charge, %; 0: to the battery's own reserve, which goes before where it is higher.",
    }),
    maxSoc: z.number().min(0).max(100).meta({
      description:
        "The plan charges a battery no higher than to this state of charge, %, neither from the grid nor from surplus; 100: as full as it gets, and fully once if it was not full for ten days: from the sun, or from the cheapest hours of the grid where `mayChargeFromGrid` lets it.",
    }),
    isPlanned: z.boolean().meta({
      description:
        "The plan by price may set the mode of batteries. `false`: they do what they do without the energy manager.",
    }),
    mayChargeFromGrid: z.boolean().meta({ description: "A planned battery may charge from the grid." }),
    mayDischargeToGrid: z.boolean().meta({ description: "A planned battery may feed into the grid." }),
  })
  .meta({ id: "EnergyBatteryUse" });
export type BatteryUseSettings = z.infer<typeof BatteryUseSettings>;

export const BatteryUseUpdate = z
  .strictObject(BatteryUseSettings.partial().shape)
  .meta({ id: "EnergyBatteryUseUpdate" });
export type BatteryUseUpdate = z.infer<typeof BatteryUseUpdate>;

export const DEFAULT_BATTERY_USE: BatteryUseSettings = {
  holdWhileFast: true,
  priorityBelow: 0,
  supportAbove: 100,
  minSoc: 0,
  maxSoc: 100,
  isPlanned: false,
  mayChargeFromGrid: true,
  mayDischargeToGrid: false,
};

/** Returns why the battery cannot be used so, as a sentence; `null` if it can. */
export function batteryUseFault({ minSoc, maxSoc }: BatteryUseSettings): string | null {
  if (minSoc < maxSoc) return null;
  return `minSoc is ${minSoc} % and maxSoc ${maxSoc} %: nothing is left between them. Set minSoc below maxSoc.`;
}

/** Returns why a target cannot be set now, as a sentence; `null` if it can. */
export function targetFault(target: EnergyTarget | null, nowMs: number): string | null {
  if (target === null) return null;
  if ((target.soc === null) === (target.energyKwh === null)) {
    return "A target needs either a state of charge or an energy.";
  }
  return target.kind === "ONCE" && Date.parse(target.by) <= nowMs
    ? `The target's time ${target.by} is in the past.`
    : null;
}

/** Returns the next time by which a target has to be reached, wall-clock ms; `null` if there is none any more. */
export function nextTargetMs(target: EnergyTarget | null, nowMs: number, zone: string): number | null {
  if (target === null) return null;
  if (target.kind === "ONCE") {
    const byMs = Date.parse(target.by);
    return byMs > nowMs ? byMs : null;
  }
  let atMs = nowMs;
  for (let day = 0; day <= DAYS_A_WEEK; day += 1) {
    atMs = nextTimeOfDay(atMs, target.time, zone);
    if (target.weekdays.includes(weekdayOf(atMs, target.time, zone))) return atMs;
  }
  return null;
}

/** Returns the day of the week on which a time of day lies; 24:00 belongs to the day that ends. */
function weekdayOf(atMs: number, time: HourMinute, zone: string): number {
  const moment = Temporal.Instant.fromEpochMilliseconds(time === "24:00" ? atMs - 1 : atMs);
  return moment.toZonedDateTimeISO(zone).dayOfWeek - 1;
}
