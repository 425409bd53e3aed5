/** What the plan and the battery saved, and what other settings would have cost, as the API shows them. */
import { z } from "zod";
import { Instant } from "../../fields.ts";

const Money = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; \`null\` if it is not known.` });
const Kwh = (description: string) => z.number().meta({ description: `${description}, kWh.` });
const Method = z.string().meta({ description: "How it was calculated, in English." });
const Currency = z.string().meta({ description: "ISO 4217 code of all money." });

const SavingsPeriod = z
  .object({
    from: Instant,
    to: Instant,
    measuredHours: z.number().meta({ description: "Hours in which the grid meter was read." }),
    pricedHours: z.number().meta({ description: "Hours of them whose prices are known; only they count." }),
    cost: Money("What energy from the grid cost, less what the feed-in brought"),
    costWithoutBattery: Money("What it would have cost without the batteries"),
    costByPlainRule: Money("What it would have cost if the batteries had followed the meter"),
    savedByBattery: Money("What the batteries saved; negative: they cost more"),
    savedByPlan: Money("What planning saved against the plain rule; negative: it cost more"),
  })
  .meta({ id: "EnergySavingsPeriod" });

export const EnergySavings = z
  .object({ currency: Currency, method: Method, periods: z.array(SavingsPeriod) })
  .meta({ id: "EnergySavings" });
export type EnergySavings = z.infer<typeof EnergySavings>;

export const SavingsResolution = z.enum(["DAY", "MONTH"]).meta({
  description: "Days, or months, in the time zone of the site.",
});
export type SavingsResolution = z.infer<typeof SavingsResolution>;

const MAX_CAPACITY_KWH = 1_000;
const MAX_KW = 1_000;
const MAX_PRICE = 100;
const Price = z.number().min(-MAX_PRICE).max(MAX_PRICE);

export const EnergySimulationRequest = z
  .strictObject({
    days: z.int().min(1).max(14).default(7).meta({ description: "How many of the last whole days." }),
    mode: z.enum(["NONE", "PLAIN_RULE", "PLANNED"]).meta({
      description:
        "What the battery does. `NONE`: there is none. `PLAIN_RULE`: it follows the meter. `PLANNED`: by price, with forecasts made of what was known at each time.",
    }),
    capacityKwh: z.number().positive().max(MAX_CAPACITY_KWH).optional().meta({
      description: "Usable capacity of the battery, kWh; default that of the batteries of the house.",
    }),
    maxKw: z.number().positive().max(MAX_KW).optional().meta({
      description: "Highest power of the battery, kW; default half of the capacity in an hour.",
    }),
    mayChargeFromGrid: z.boolean().default(true),
    mayDischargeToGrid: z.boolean().default(false),
    importPrice: Price.optional().meta({ description: "One price for each kWh from the grid; default as it was." }),
    feedInPrice: Price.optional().meta({ description: "One price for each kWh that is fed in; default as it was." }),
  })
  .meta({ id: "EnergySimulationRequest" });
export type EnergySimulationRequest = z.infer<typeof EnergySimulationRequest>;

const SimulatedCosts = z
  .object({
    cost: Money("Cost of energy from the grid, less what the feed-in brings"),
    import: Kwh("Energy from the grid"),
    export: Kwh("Energy that is fed in"),
  })
  .meta({ id: "EnergySimulationCosts" });

export const EnergySimulation = z
  .object({
    from: Instant,
    to: Instant,
    currency: Currency,
    method: Method,
    measuredHours: z.number(),
    pricedHours: z.number().meta({ description: "Hours whose prices are known in both cases; only they count." }),
    asItWas: SimulatedCosts,
    simulated: SimulatedCosts,
    saved: Money("What the settings would have saved; negative: they would have cost more"),
  })
  .meta({ id: "EnergySimulation" });
export type EnergySimulation = z.infer<typeof EnergySimulation>;

export const SAVINGS_METHOD =
  "From the measured quarter hours and the prices of each of them: the battery is taken out, or replaced by one that follows the meter, with the efficiency and the powers that were measured. Energy that is stored at the end counts at the price of the cheapest quarter of the hours. Vehicles and heating count as they were.";
export const SIMULATION_METHOD =
  "From the measured quarter hours: the battery is replaced. Energy that is stored at the end counts at the price of the cheapest quarter of the hours. Vehicles and heating count as they were. A planned battery is planned again every three hours, with forecasts of load and sun from the days before each plan.";

/** Money to the hundredth of a cent. */
export function moneyOrNull(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000 + 0;
}
