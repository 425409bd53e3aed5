/**
 * A full charge once in ten days: many batteries, LFP cells above all, lose count of their state of charge without one, and
 * balance their cells only when they are full.
 */
import { DAY_MS, HOUR_MS } from "../../duration.ts";
import type { EnergyPlan } from "./energy-plan.ts";
import { CONTINUOUS, type LinearModel, type LinearSolution } from "./linear-model.ts";
import type { NoPlan, PlanBattery, PlanInputs } from "./plan-inputs.ts";
import { buildPlanModel } from "./plan-model.ts";

const DUE_AFTER_MS = 10 * DAY_MS;
/** It may wait so long for the sun or for cheap hours, and then for those of the next hours. */
const PATIENCE_MS = 2 * DAY_MS;
const AHEAD_MS = 12 * HOUR_MS;
/** From here on a battery counts as full, as a share of its capacity: some end at 99 %. */
export const FULL_SHARE = 0.99;
/** A battery above this share is filled within the hour: its last percents take longer than a plan knows. */
const NEARLY_FULL_SHARE = 0.95;
/** A later time has to save so much, in the currency. */
const WORTH_WAITING = 0.001;

/** Returns until when a battery is to be full, wall-clock ms; `null` while its last full charge is not long ago. */
export function fullByMs(lastFullMs: number, nowMs: number): number | null {
  const dueMs = lastFullMs + DUE_AFTER_MS;
  return nowMs < dueMs ? null : Math.max(dueMs + PATIENCE_MS, nowMs + AHEAD_MS);
}

/** Returns when a plan has a battery full that is to be full; `null` if it does not have it full in time, or need not. */
export function fullAtMs(
  { fullByMs = null, maxKwh }: Pick<PlanBattery, "fullByMs" | "maxKwh">,
  slots: readonly { readonly toMs: number }[],
  storedKwh: readonly number[],
): number | null {
  if (fullByMs === null) return null;
  const isFull = (slot: number): boolean => (storedKwh[slot] ?? 0) >= maxKwh * FULL_SHARE;
  return slots.find(({ toMs }, slot) => toMs <= fullByMs && isFull(slot))?.toMs ?? null;
}

type Make = (inputs: PlanInputs) => Promise<EnergyPlan | NoPlan>;
type Solve = (model: LinearModel) => Promise<LinearSolution>;

/**
 * Returns the plan in which a battery that is to be full is full once, at the hour's end that costs least; the same plan if
 * it has that anyway, or if no battery gets full. One battery at a time.
 */
export async function withFullCharge(
  plan: EnergyPlan,
  inputs: PlanInputs,
  { make, solve }: { readonly make: Make; readonly solve: Solve },
): Promise<EnergyPlan> {
  const isToBeFull = ({ fullByMs = null }: PlanBattery): boolean => fullByMs !== null;
  for (const battery of inputs.batteries.filter(isToBeFull)) {
    if (isFullIn(plan, battery)) continue;
    const atMs = await cheapestTime(battery, inputs, solve);
    if (atMs === null) continue;
    const full = await make({ ...inputs, fullCharge: { batteryId: battery.id, atMs } });
    if (full.kind === "plan" && isFullIn(full, battery)) return full;
  }
  return plan;
}

function isFullIn({ devices }: EnergyPlan, { id }: PlanBattery): boolean {
  return devices.some((device) => device.kind === "battery" && device.id === id && device.fullAtMs !== null);
}

/** Tries each hour's end: all of them are the same model with other bounds, so that each starts from the optimum before. */
async function cheapestTime(battery: PlanBattery, inputs: PlanInputs, solve: Solve): Promise<number | null> {
  const times = hourEnds(inputs, battery.fullByMs ?? 0);
  const isNearlyFull = (battery.storedKwh ?? 0) >= battery.maxKwh * NEARLY_FULL_SHARE;
  let best: { readonly atMs: number; readonly cost: number } | null = null;
  for (const atMs of times) {
    const built = buildPlanModel({ ...inputs, fullCharge: { batteryId: battery.id, atMs } });
    if (built.kind === "no-plan") return null;
    const solution = await solve(continuous(built.model));
    const columns = built.batteries.find((each) => each.battery.id === battery.id);
    if (!("values" in solution) || columns === undefined) continue;
    const stored = built.slots.map((_, slot) => solution.values[columns.stored + slot] ?? 0);
    if (fullAtMs({ ...battery, fullByMs: atMs }, built.slots, stored) === null) continue;
    if (best === null || solution.objective < best.cost - WORTH_WAITING) best = { atMs, cost: solution.objective };
    if (isNearlyFull && atMs === times[0]) break;
  }
  return best?.atMs ?? null;
}

function hourEnds({ slots }: PlanInputs, untilMs: number): readonly number[] {
  return slots.map(({ toMs }) => toMs).filter((toMs) => toMs <= untilMs && toMs % HOUR_MS === 0);
}

/** Whole numbers and the value of a stored kWh take time, and change little of what an hour costs. */
function continuous({ meanDuals: _means, ...model }: LinearModel): LinearModel {
  return { ...model, integrality: new Uint8Array(model.integrality.length).fill(CONTINUOUS) };
}
