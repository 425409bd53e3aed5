import { HOUR_MS, MINUTE_MS } from "../../duration.ts";
import type { NoPlanCode, PlannedSlot } from "./energy-plan.ts";

/** What a plan is made from. Powers in kW, energy in kWh, prices in the currency per kWh, temperatures in °C. */

/** A stretch of time with one price and one power each. */
export interface PlanSlot {
  /** Milliseconds since 1970, inclusive. */
  readonly fromMs: number;
  /** Exclusive; the next slot begins here. */
  readonly toMs: number;
  /** `null`: not known yet. */
  readonly importPrice: number | null;
  /** `null`: not known yet. */
  readonly exportPrice: number | null;
  /** Of everything that is not planned. */
  readonly loadKw: number;
  /** Of the panels, before any curtailment. */
  readonly pvKw: number;
  /** Highest import by fuse, contract and grid operator; `null`: no limit. */
  readonly maxImportKw: number | null;
  /** Highest feed-in; `null`: no limit. */
  readonly maxExportKw: number | null;
  /** Highest net import of vehicles, heating and batteries together (§ 14a EnWG), the panels come on top; `null`: no limit. */
  readonly maxControllableKw: number | null;
}

export interface PlanBattery {
  readonly id: string;
  /** Stored now; `null`: not known, and nothing is planned. */
  readonly storedKwh: number | null;
  /** What stays reserved, such as for a power cut. */
  readonly minKwh: number;
  readonly maxKwh: number;
  readonly maxChargeKw: number;
  readonly maxDischargeKw: number;
  /** From the connection into the cells, 0 to 1. */
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  /** Per kWh that goes in or out. */
  readonly wearPerKwh: number;
  readonly mayChargeFromGrid: boolean;
  readonly mayDischargeToGrid: boolean;
  /** Value of a kWh that is stored at the end of the plan; `null`: derived from the prices. */
  readonly endValuePerKwh: number | null;
  /** Wall-clock ms until which it is to be full once, if that is possible; absent or `null`: it need not be. */
  readonly fullByMs?: number | null;
}

/** Stored energy that a vehicle is to have by a time. */
export interface VehicleTarget {
  readonly atMs: number;
  readonly storedKwh: number;
}

export interface PlanVehicle {
  readonly id: string;
  /** Stored now; `null`: not known, and the vehicle is left out. With energy targets: 0. */
  readonly storedKwh: number | null;
  readonly maxKwh: number;
  /** The least power that it charges with; 0: any. */
  readonly minKw: number;
  readonly maxKw: number;
  readonly chargeEfficiency: number;
  /** When it is plugged in. */
  readonly plugged: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly targets: readonly VehicleTarget[];
  /** Energy that trips take from it. */
  readonly trips: readonly { readonly atMs: number; readonly kwh: number }[];
  /** True if only power that would be fed in may charge it. */
  readonly isSurplusOnly: boolean;
  /** Value of a kWh that is stored at the end of the plan beyond its targets. */
  readonly endValuePerKwh: number;
}

/** A heated room or tank with one temperature. */
export interface PlanHeat {
  readonly id: string;
  /** Now; `null`: not known, and the heating is left out. */
  readonly temperatureC: number | null;
  /** Electrical power. */
  readonly maxKw: number;
  /** kWh per K. */
  readonly heatCapacityKwhPerK: number;
  /** kW per K of difference to outdoors. */
  readonly heatLossKwPerK: number;
  /** By slot: outdoor temperature, heat per electrical energy, heat from sun and people less heat that is drawn, limits. */
  readonly slots: readonly PlanHeatSlot[];
}

export interface PlanHeatSlot {
  readonly outdoorC: number;
  readonly heatPerPower: number;
  readonly gainKw: number;
  readonly minC: number;
  readonly maxC: number;
}

export interface PlanInputs {
  /** In order, without gaps. */
  readonly slots: readonly PlanSlot[];
  readonly batteries: readonly PlanBattery[];
  readonly vehicles: readonly PlanVehicle[];
  readonly heats: readonly PlanHeat[];
  /** True if the panels' power can be limited. */
  readonly canCurtail: boolean;
  /** Price of the highest import, per kW, and the peak that is paid for already; `null`: no such tariff. */
  readonly peak: { readonly pricePerKw: number; readonly paidKw: number } | null;
  /** When a battery is to be full, an hour's end; absent: whenever it pays. */
  readonly fullCharge?: { readonly batteryId: string; readonly atMs: number };
}

/** Why there is no plan. */
export interface NoPlan {
  readonly kind: "no-plan";
  readonly reason: NoPlanCode;
  readonly detail: string;
}

export const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const SHORTEST_SLOT_MS = MINUTE_MS;
/** So near to the limit of the feed-in it is at it, kW. */
const AT_LIMIT_KW = 0.01;

/** Steps in quarter hours, for plans that have to be quick: 6 h fine, 6 h in half hours, 36 h in hours. */
const COARSE_STEPS: readonly (readonly [steps: number, quarterHours: number])[] = [
  [24, 1],
  [12, 2],
  [36, 4],
];
const FINE_STEPS: typeof COARSE_STEPS = [[192, 1]];

/** Stretches of time in order, without gaps; wall-clock ms. */
export type TimesOfPlan = readonly { readonly fromMs: number; readonly toMs: number }[];

/** The times of a plan of 48 hours: from now to the next quarter hour, then in quarter hours, or in longer steps. */
export function planTimes(nowMs: number, grid: "fine" | "coarse"): TimesOfPlan {
  const steps = grid === "fine" ? FINE_STEPS : COARSE_STEPS;
  const lengths = steps.flatMap(([count, quarterHours]) => Array<number>(count).fill(quarterHours * QUARTER_HOUR_MS));
  let edgeMs = Math.floor(nowMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const times = lengths.map((lengthMs) => {
    const fromMs = Math.max(edgeMs, nowMs);
    edgeMs += lengthMs;
    return { fromMs, toMs: edgeMs };
  });
  const [first, second] = times;
  if (first === undefined || second === undefined || first.toMs - first.fromMs >= SHORTEST_SLOT_MS) return times;
  return [{ fromMs: first.fromMs, toMs: second.toMs }, ...times.slice(2)];
}

/** A slot whose prices are certain, or taken for the plan. */
export interface PricedSlot extends PlanSlot {
  readonly importPrice: number;
  readonly exportPrice: number;
  readonly isPriceKnown: boolean;
  readonly hours: number;
}

/**
 * The slots that a plan covers. It ends where the known prices end, or at the last target of a vehicle after that. A price
 * that is not known counts as the highest import and the lowest feed-in price that is, so that known hours are preferred.
 */
export function pricedSlots({ slots, vehicles }: PlanInputs): readonly PricedSlot[] {
  const isKnown = ({ importPrice, exportPrice }: PlanSlot) => importPrice !== null && exportPrice !== null;
  const known = slots.filter(isKnown);
  const edgeMs = known.at(-1)?.toMs;
  if (edgeMs === undefined) return [];
  const lastTargetMs = Math.max(edgeMs, ...vehicles.flatMap(({ targets }) => targets.map(({ atMs }) => atMs)));
  const highest = Math.max(...known.map(({ importPrice }) => importPrice ?? -Infinity));
  const lowest = Math.min(...known.map(({ exportPrice }) => exportPrice ?? Infinity));
  return slots
    .filter(({ fromMs }) => fromMs < lastTargetMs)
    .map((slot) => ({
      ...slot,
      importPrice: slot.importPrice ?? highest,
      exportPrice: slot.exportPrice ?? Math.min(lowest, slot.importPrice ?? highest),
      isPriceKnown: isKnown(slot),
      hours: (slot.toMs - slot.fromMs) / HOUR_MS,
    }));
}

/** A slot of a plan, with the cost of what flows in it. */
export function plannedSlot(
  slot: PricedSlot,
  flows: Pick<PlannedSlot, "importKw" | "exportKw" | "curtailedKw" | "overLimitKw">,
  { canCurtail }: Pick<PlanInputs, "canCurtail">,
): PlannedSlot {
  const { fromMs, toMs, importPrice, exportPrice, isPriceKnown, loadKw, pvKw, hours, maxExportKw } = slot;
  const cost = (flows.importKw * importPrice - flows.exportKw * exportPrice) * hours;
  const surplus = surplusKw(slot);
  const fedInKw = Math.min(surplus, flows.exportKw);
  const isAtLimit = maxExportKw !== null && surplus > 0 && fedInKw >= maxExportKw - AT_LIMIT_KW;
  const lostPrice = canCurtail ? Math.min(0, exportPrice) : Number.NEGATIVE_INFINITY;
  const surplusPrice = isAtLimit || flows.curtailedKw > AT_LIMIT_KW ? lostPrice : exportPrice;
  return { fromMs, toMs, importPrice, exportPrice, surplusPrice, isPriceKnown, loadKw, pvKw, ...flows, cost };
}

/** What would be fed in if nothing that is planned took it, kW. */
export function surplusKw({ pvKw, loadKw }: Pick<PricedSlot, "pvKw" | "loadKw">): number {
  return Math.max(0, pvKw - loadKw);
}

/** The highest power that charges a battery, kW. Only what would be fed in where the price is not known, and where the grid is not allowed. */
export function batteryChargeLimit({ maxChargeKw, mayChargeFromGrid }: PlanBattery, slot: PricedSlot): number {
  return mayChargeFromGrid && slot.isPriceKnown ? maxChargeKw : Math.min(maxChargeKw, surplusKw(slot));
}
