import type { OperationMode } from "../../../points/points.ts";

/** What the plan's value of a stored kWh decides from, between two plans. */
export interface StoredEnergySituation {
  /** Value of a stored kWh in the present slot; `null`: there is no plan, and the plain rule decides. */
  readonly lambda: number | null;
  /** True if the value is the same for the whole plan: it then decides what is clear, and the plain rule the rest. */
  readonly isFlat: boolean;
  /** True if the plan charges the battery from the grid in the present slot: it decides between hours of the same price. */
  readonly buysNow: boolean;
  /** True if it does so to be full once: then it buys, whatever a stored kWh is worth. Absent: it does not. */
  readonly fillsNow?: boolean;
  readonly importPrice: number | null;
  /** What one more kWh that is fed in brings; where the feed-in is at its limit less than nothing. */
  readonly exportPrice: number | null;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  readonly wearPerKwh: number;
  /** Load less panels, without the battery; positive: the house lacks power. `null`: not known. */
  readonly netLoadW: number | null;
  /** %; `null`: not known. */
  readonly soc: number | null;
  /** Kept for a power cut, %. */
  readonly reserve: number | null;
  /** What the owner leaves to the plan, %, of which the battery itself knows nothing; absent: all of it. */
  readonly minSoc?: number;
  readonly maxSoc?: number;
  readonly mayChargeFromGrid: boolean;
  readonly mayDischargeToGrid: boolean;
  /** The mode now, for the hysteresis of the least power. */
  readonly mode: OperationMode | null;
}

export type StoredEnergyMode = Extract<OperationMode, "SELF_RELIANCE" | "IDLE" | "IMPORT_FOCUS" | "EXPORT_FOCUS">;

/** A battery that waits starts at the upper power, and one that runs goes on down to the lower one, W. */
const LEAST_DISPATCH_W = { start: 200, stop: 150 };
/** Below that an inverter keeps about so much of what passes through it, and has to earn the rest. */
const KEPT_OF_SMALL_POWER = 0.7;
/** What following the meter may lose against the plan, per kWh: it needs no forecast, so it decides close calls. */
const RULE_ADVANTAGE = 0.01;
/** Where several hours cost the same, the plan values energy at just their price, per kWh. */
const SAME_PRICE = 0.0005;
/** Values that differ by less over the whole plan are flat, per kWh. */
const FLAT = 0.002;
/** A flat value decides at prices below this share of what it stands for, as in the one cheap hour of a day. */
const CLEAR_SHARE = 0.85;

/** Returns true if the value of a stored kWh is the same for the whole plan. */
export function isFlatShadowPrice(shadowPrice: readonly number[]): boolean {
  return Math.max(...shadowPrice) - Math.min(...shadowPrice) < FLAT;
}

function isLacking(netLoadW: number | null): boolean {
  return netLoadW !== null && netLoadW > 0;
}

/**
 * The mode in which the battery is right now, by the value of a stored kWh. It follows the meter between two plans, and
 * is the plain rule of self-consumption when the plan knows nothing better.
 */
export function storedEnergyPolicy(situation: StoredEnergySituation): StoredEnergyMode {
  const mode = modeByValue(situation);
  const { soc, minSoc = 0, maxSoc = 100, netLoadW } = situation;
  if (soc === null || netLoadW === null || mode !== "SELF_RELIANCE") return mode;
  // It would follow the meter out of what the owner leaves to the plan.
  const isLeaving = netLoadW > 0 ? minSoc > 0 && soc <= minSoc : maxSoc < 100 && soc >= maxSoc;
  return isLeaving ? "IDLE" : mode;
}

function modeByValue(situation: StoredEnergySituation): StoredEnergyMode {
  const { lambda, isFlat, importPrice, exportPrice, netLoadW, soc, reserve } = situation;
  const isAtReserve = soc !== null && soc <= Math.max(reserve ?? 0, situation.minSoc ?? 0);
  const isFull = soc !== null && soc >= (situation.maxSoc ?? 100);
  if (lambda === null || importPrice === null || exportPrice === null) return "SELF_RELIANCE";
  const { chargeEfficiency, dischargeEfficiency, wearPerKwh } = situation;
  /** Charging pays below this price, discharging above the other one. */
  const charges = lambda * chargeEfficiency - wearPerKwh;
  const discharges = lambda / dischargeEfficiency + wearPerKwh;
  const close = situation.buysNow ? SAME_PRICE : -SAME_PRICE;
  const buysBelow = isFlat ? charges * CLEAR_SHARE : charges + close;
  const buys = situation.fillsNow === true || importPrice < buysBelow;
  if (situation.mayChargeFromGrid && !isFull && buys) return "IMPORT_FOCUS";
  if (isFlat) return isLacking(netLoadW) && importPrice < discharges * CLEAR_SHARE ? "IDLE" : "SELF_RELIANCE";
  if (situation.mayDischargeToGrid && !isAtReserve && exportPrice > discharges) return "EXPORT_FOCUS";
  if (netLoadW === null) return "SELF_RELIANCE";
  const least = situation.mode === "SELF_RELIANCE" ? LEAST_DISPATCH_W.stop : LEAST_DISPATCH_W.start;
  const kept = Math.abs(netLoadW) >= least ? 1 : KEPT_OF_SMALL_POWER;
  const pays =
    netLoadW > 0
      ? importPrice * kept >= discharges - RULE_ADVANTAGE
      : exportPrice <= lambda * chargeEfficiency * kept - wearPerKwh + RULE_ADVANTAGE;
  return pays ? "SELF_RELIANCE" : "IDLE";
}
