/** Creates, updates and ends the plan of a vehicle's smart charging. */

import { MINUTE_MS } from "../duration.ts";
import { instant } from "../fields.ts";
import type { PriceCurve } from "../market/price-curve.ts";
import { type Money, moneyNumber } from "../money.ts";
import { type ChargePlanning, latestStartMs, planCharge } from "./charge-planner.ts";
import type { EndedState, FailureCondition, VehicleChargingPlan } from "./vehicle-smart-charging.ts";

/** A shorter pause is not worth two commands, ms. */
const LEAST_PAUSE_MS = 15 * MINUTE_MS;
/** A plan finished late if it took longer than planned by this fraction (rule S2.4). */
const LATE_FROM = 0.15;
/** Decimal places of amounts in a plan. */
const AMOUNT_DECIMALS = 4;

/** A plan with the data for its execution. Times are wall-clock ms. */
export interface ExecutedPlan {
  readonly plan: VehicleChargingPlan;
  readonly createdAtMs: number;
  readonly deadlineMs: number;
  /** Charging time at the creation of the plan, ms. */
  readonly neededMs: number;
  readonly expectedKw: number;
  /** Charging begins at this time at the latest, at any price. */
  readonly latestStartMs: number;
}

/** What a plan is created from. Times are wall-clock ms. */
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
  /** The vehicle is already paused, so the pause may be of any length. */
  readonly isPaused: boolean;
}

/** Creates a plan; otherwise returns why there is none: `now` or `no-prices`, as in `ChargePlanning`. */
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
 * Returns the plan with the best start from now on by the present prices; the same plan if no price is known any more.
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

/** Returns the plan with the time at which a reading first showed that charging had stopped or resumed. */
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

/** Returns the ended plan. A finished plan that took over 15 % longer than planned gets the failure `FINISHED_LATE`. */
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
