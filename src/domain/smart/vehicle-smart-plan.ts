/** A plan's record as it is made, executed and ended. Pure. */

import { instant } from "../fields.ts";
import type { PriceCurve } from "../market/price-curve.ts";
import { type Money, moneyNumber } from "../money.ts";
import { type ChargePlanning, latestStartMs, planCharge } from "./charge-planner.ts";
import type { EndedState, FailureCondition, VehicleChargingPlan } from "./vehicle-smart-charging.ts";

/** A shorter pause is not worth two commands. */
const LEAST_PAUSE_MS = 15 * 60_000;
/** A plan this much later than it said finished late (rule S2.4). */
const LATE_FROM = 0.15;
/** Amounts are shown to a ten-thousandth of a unit of the currency. */
const AMOUNT_DECIMALS = 4;

/** A plan with what its execution needs. */
export interface ExecutedPlan {
  readonly plan: VehicleChargingPlan;
  readonly createdAtMs: number;
  readonly deadlineMs: number;
  /** Charging time when it was made, ms. */
  readonly neededMs: number;
  readonly expectedKw: number;
  /** Charging begins here at the latest, whatever prices say, ms. */
  readonly latestStartMs: number;
}

export interface PlanRequest {
  readonly id: string;
  readonly vehicle: { readonly id: string; readonly userId: string; readonly vendor: string };
  readonly locationId: string | null;
  readonly currency: string;
  readonly nowMs: number;
  readonly deadlineMs: number;
  readonly neededMs: number;
  readonly expectedKw: number;
  readonly prices: PriceCurve;
  /** The vehicle is paused already: any start will do. */
  readonly isPaused: boolean;
}

/** A plan, or why there is none: `now` and `no-prices` as the planner says. */
export function makePlan(request: PlanRequest): ExecutedPlan | (ChargePlanning & { kind: "now" | "no-prices" }) {
  const { id, vehicle, nowMs, deadlineMs, neededMs, expectedKw, prices, locationId, currency } = request;
  const leastPauseMs = request.isPaused ? 0 : LEAST_PAUSE_MS;
  const planning = planCharge({ nowMs, deadlineMs, neededMs, leastPauseMs, prices });
  if (planning.kind === "now" || planning.kind === "no-prices") return planning;
  const startMs = planning.kind === "pause" ? planning.startAtMs : null;
  const plan: VehicleChargingPlan = {
    id,
    vehicleId: vehicle.id,
    userId: vehicle.userId,
    locationId,
    vendor: vehicle.vendor,
    currency,
    nonSmartCost: amount(planning.nonSmartCost, expectedKw),
    smartCost: planning.kind === "pause" ? amount(planning.smartCost, expectedKw) : null,
    stopAt: instant(nowMs),
    startAt: startMs === null ? null : instant(startMs),
    estimatedFinishAt: instant((startMs ?? planning.latestStartMs) + neededMs),
    stopConfirmedAt: null,
    startConfirmedAt: null,
    endedAt: null,
    finalState: null,
    failureCondition: null,
  };
  return { plan, createdAtMs: nowMs, deadlineMs, neededMs, expectedKw, latestStartMs: planning.latestStartMs };
}

/**
 * The plan with the best start from now on, as prices are known now. Unchanged where nothing is known any more: what
 * was chosen is as good as any other.
 */
export function replan(
  before: ExecutedPlan,
  { nowMs, neededMs, prices }: { readonly nowMs: number; readonly neededMs: number; readonly prices: PriceCurve },
): ExecutedPlan {
  const { plan, deadlineMs, expectedKw } = before;
  const planning = planCharge({ nowMs, deadlineMs, neededMs, leastPauseMs: 0, prices });
  if (planning.kind === "no-prices") return before;
  const latestMs = latestStartMs({ deadlineMs, neededMs });
  const startMs = startOf(planning, nowMs);
  const cost = startMs === null ? null : prices.cost(startMs, startMs + neededMs);
  const stopMs = Date.parse(plan.stopAt);
  const nonSmart = prices.cost(stopMs, stopMs + before.neededMs);
  return {
    ...before,
    latestStartMs: latestMs,
    plan: {
      ...plan,
      nonSmartCost: nonSmart === null ? plan.nonSmartCost : amount(nonSmart, expectedKw),
      smartCost: cost === null ? null : amount(cost, expectedKw),
      startAt: startMs === null ? null : instant(startMs),
      estimatedFinishAt: instant((startMs ?? latestMs) + neededMs),
    },
  };
}

function startOf(planning: ChargePlanning, nowMs: number): number | null {
  if (planning.kind === "pause") return planning.startAtMs;
  return planning.kind === "await" ? null : nowMs;
}

/** The plan after charging was seen stopped or resumed for the first time. */
export function confirmed(before: ExecutedPlan, isCharging: boolean | null, nowMs: number): ExecutedPlan {
  const { plan } = before;
  if (isCharging === false && plan.stopConfirmedAt === null) {
    return { ...before, plan: { ...plan, stopConfirmedAt: instant(nowMs) } };
  }
  if (isCharging === true && plan.stopConfirmedAt !== null && plan.startConfirmedAt === null) {
    return { ...before, plan: { ...plan, startConfirmedAt: instant(nowMs) } };
  }
  return before;
}

export function endedPlan(
  before: ExecutedPlan,
  finalState: EndedState,
  failure: FailureCondition | null,
  nowMs: number,
): ExecutedPlan {
  const { plan } = before;
  const stopMs = Date.parse(plan.stopAt);
  const plannedMs = Date.parse(plan.estimatedFinishAt) - stopMs;
  const isLate = nowMs - stopMs > plannedMs * (1 + LATE_FROM);
  const failureCondition = finalState === "PLAN:ENDED:FINISHED" && isLate ? "FINISHED_LATE" : failure;
  const endedAt = instant(Math.max(nowMs, stopMs));
  return { ...before, plan: { ...plan, endedAt, finalState, failureCondition } };
}

function amount(costOfOneKw: Money, kw: number): number {
  return moneyNumber(costOfOneKw.times(String(kw)).toDecimalPlaces(AMOUNT_DECIMALS));
}
