import type { EnergyPlan } from "./energy-plan.ts";
import { withFullCharge } from "./full-charge.ts";
import type { LinearModel, LinearSolution } from "./linear-model.ts";
import type { NoPlan, PlanInputs } from "./plan-inputs.ts";
import { buildPlanModel } from "./plan-model.ts";
import { planOneBattery } from "./plan-one-battery.ts";
import { readPlan } from "./read-plan.ts";

/** Less is rounding, kW. */
const ROUNDING_KW = 1e-3;

/** Makes a plan, with a full charge of a battery that is to have one. */
export async function makePlan(
  inputs: PlanInputs,
  solve: (model: LinearModel) => Promise<LinearSolution>,
): Promise<EnergyPlan | NoPlan> {
  const make = (from: PlanInputs) => solvedPlan(from, solve);
  const plan = await make(inputs);
  const isComplete = plan.kind === "plan" && plan.method === "linear-program";
  return isComplete ? await withFullCharge(plan, inputs, { make, solve }) : plan;
}

/**
 * Solves a plan: a linear program; a second one with whole numbers if a vehicle would charge with less than it can; and
 * dynamic programming for one battery if the solver fails.
 */
async function solvedPlan(
  inputs: PlanInputs,
  solve: (model: LinearModel) => Promise<LinearSolution>,
): Promise<EnergyPlan | NoPlan> {
  const built = buildPlanModel(inputs);
  if (built.kind === "no-plan") return built;
  const solution = await solve(built.model);
  if (!("values" in solution)) {
    const fallback = planOneBattery(inputs);
    return fallback.kind === "plan" ? fallback : { kind: "no-plan", reason: "no-solution", detail: solution.detail };
  }
  const plan = readPlan(built, solution);
  const exactMinimum = belowMinimum(plan, inputs);
  if (exactMinimum.size === 0) return plan;
  const exact = buildPlanModel(inputs, { exactMinimum });
  if (exact.kind === "no-plan") return plan;
  const exactSolution = await solve(exact.model);
  return "values" in exactSolution ? readPlan(exact, exactSolution) : plan;
}

/** Vehicles that the plan lets charge with less than their least power, in a slot that is too short for switching. */
function belowMinimum(plan: EnergyPlan, { vehicles }: PlanInputs): ReadonlySet<string> {
  const found = vehicles.filter(({ id, minKw }) => {
    const planned = plan.devices.find((device) => device.id === id);
    return planned?.powerKw.some((kw) => kw > ROUNDING_KW && kw < minKw - ROUNDING_KW);
  });
  return new Set(found.map(({ id }) => id));
}
