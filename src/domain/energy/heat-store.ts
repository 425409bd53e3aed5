/** The tank or building that a planned heat pump or heater warms, as one store with one temperature. */
import { z } from "zod";

/** Highest temperature of a tank, °C. */
const MAX_C = 90;
const HOURS_A_DAY = 24;

const field = (schema: z.ZodNumber, description: string) =>
  schema.nullable().meta({ description: `${description} \`null\`: the default of its kind.` });

/** What is known of the store. `null` has the default of a tank (heater) or a building (heat pump). */
export const HeatStore = z
  .strictObject({
    minC: field(z.number().min(0).max(MAX_C), "Temperature to keep, °C. Tank: 45. Building: 20."),
    maxC: field(z.number().min(0).max(MAX_C), "Temperature up to which it may be heated, °C. Tank: 60. Building: 22."),
    kwhPerK: field(
      z.number().positive().max(1_000),
      "Heat that warms it by one kelvin, kWh. Tank: 0.35, that of 300 l (a litre has 0.00116). Building: 10.",
    ),
    lossKwPerK: field(
      z.number().min(0).max(10),
      "Heat that it loses per kelvin above its surroundings, kW. Tank: 0.002. Building: 0.2.",
    ),
    surroundingsC: field(
      z.number().min(-50).max(50),
      "Temperature around it, °C; for a building that of outdoors in the heating season. Tank: 18. Building: 5.",
    ),
    heatPerPower: field(z.number().min(0.5).max(10), "Heat per electrical energy. Heater: 1. Heat pump: 3."),
    usedKwhPerDay: field(z.number().min(0).max(500), "Hot water that is drawn, kWh a day. Tank: 6. Building: 0."),
  })
  .meta({ id: "EnergyHeatStore" });
export type HeatStore = z.infer<typeof HeatStore>;

/** A change of what is known of the store. What is left out stays. */
export const HeatStoreUpdate = z.strictObject(HeatStore.partial().shape).meta({ id: "EnergyHeatStoreUpdate" });
export type HeatStoreUpdate = z.infer<typeof HeatStoreUpdate>;

const NOTHING_KNOWN: HeatStore = {
  minC: null,
  maxC: null,
  kwhPerK: null,
  lossKwPerK: null,
  surroundingsC: null,
  heatPerPower: null,
  usedKwhPerDay: null,
};

/** Returns what is known of the store after a change; `null` if nothing is. */
export function changedHeatStore(
  before: HeatStore | null,
  update: HeatStoreUpdate | null | undefined,
): HeatStore | null {
  if (update === undefined) return before;
  if (update === null) return null;
  const changes = Object.entries(update).filter(([, value]) => value !== undefined);
  return { ...NOTHING_KNOWN, ...before, ...Object.fromEntries(changes) };
}

/** A store with every value known. */
export type KnownHeatStore = { readonly [Name in keyof HeatStore]: number };

const TANK: KnownHeatStore = {
  minC: 45,
  maxC: 60,
  kwhPerK: 0.35,
  lossKwPerK: 0.002,
  surroundingsC: 18,
  heatPerPower: 1,
  usedKwhPerDay: 6,
};
const BUILDING: KnownHeatStore = {
  minC: 20,
  maxC: 22,
  kwhPerK: 10,
  lossKwPerK: 0.2,
  surroundingsC: 5,
  heatPerPower: 3,
  usedKwhPerDay: 0,
};

/** Fills what is not set with the defaults of a heater's tank, or of a heat pump's building. */
export function knownHeatStore(store: HeatStore | null, kind: "heater" | "heat-pump"): KnownHeatStore {
  const usual = kind === "heater" ? TANK : BUILDING;
  return {
    minC: store?.minC ?? usual.minC,
    maxC: store?.maxC ?? usual.maxC,
    kwhPerK: store?.kwhPerK ?? usual.kwhPerK,
    lossKwPerK: store?.lossKwPerK ?? usual.lossKwPerK,
    surroundingsC: store?.surroundingsC ?? usual.surroundingsC,
    heatPerPower: store?.heatPerPower ?? usual.heatPerPower,
    usedKwhPerDay: store?.usedKwhPerDay ?? usual.usedKwhPerDay,
  };
}

/** Mean heat that is drawn as hot water, kW. */
export function drawnKw({ usedKwhPerDay }: KnownHeatStore): number {
  return usedKwhPerDay / HOURS_A_DAY;
}

/** Returns what is wrong with a store, as a sentence; `null` if nothing is. */
export function heatStoreFault({ minC, maxC }: KnownHeatStore): string | null {
  if (minC < maxC) return null;
  return `heat.minC is ${minC} °C and heat.maxC ${maxC} °C: nothing can be planned between them. Set minC below maxC.`;
}
