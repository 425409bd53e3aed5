/** A plan for one battery by dynamic programming: what is left when the solver does not load. */

import { endValueOf } from "./end-value.ts";
import type { EnergyPlan, PlannedSlot } from "./energy-plan.ts";
import {
  batteryChargeLimit,
  type NoPlan,
  type PlanBattery,
  type PlanInputs,
  type PricedSlot,
  plannedSlot,
  pricedSlots,
} from "./plan-inputs.ts";
import { batteryReasons, plainReason } from "./plan-reasons.ts";

/** States of charge that are looked at; between them values are interpolated. */
const LEVELS = 101;
/** Stands for a limit that is broken, per kWh. */
const BROKEN_LIMIT = 1_000;

interface Step {
  /** Positive into the battery. */
  readonly powerKw: number;
  readonly storedKwh: number;
  readonly cost: number;
  /** Positive on import, after curtailment. */
  readonly gridKw: number;
  readonly curtailedKw: number;
}

interface Problem {
  readonly battery: PlanBattery;
  readonly slots: readonly PricedSlot[];
  readonly canCurtail: boolean;
  readonly lowestKwh: number;
  readonly levelKwh: number;
}

/** Plans the first battery alone; vehicles and heating are left out. */
export function planOneBattery(inputs: PlanInputs): EnergyPlan | NoPlan {
  const [battery, ...others] = inputs.batteries;
  if (battery === undefined || battery.storedKwh === null)
    return { kind: "no-plan", reason: "unknown-charge", detail: battery?.id ?? "there is no battery" };
  const slots = pricedSlots({ ...inputs, vehicles: [] });
  if (slots.length === 0) return { kind: "no-plan", reason: "no-prices", detail: "no price of any slot is known" };
  const lowestKwh = Math.min(battery.minKwh, battery.storedKwh);
  const highestKwh = Math.max(battery.maxKwh, battery.storedKwh);
  const levelKwh = Math.max((highestKwh - lowestKwh) / (LEVELS - 1), 1e-9);
  const problem: Problem = { battery, slots, canCurtail: inputs.canCurtail, lowestKwh, levelKwh };
  const values = valuesOf(problem);
  const steps: Step[] = [];
  const shadowPrice: number[] = [];
  let storedKwh = battery.storedKwh;
  for (const slot of slots.keys()) {
    const after = values[slot + 1] ?? new Float64Array(LEVELS);
    const step = bestStep(problem, slot, storedKwh, after);
    steps.push(step);
    storedKwh = step.storedKwh;
    shadowPrice.push(slopeAt(problem, after, storedKwh));
  }
  const planned = slots.map((slot, index) => slotOf(problem, slot, steps[index]));
  const powerKw = steps.map((step) => step.powerKw);
  const stored = steps.map((step) => step.storedKwh);
  const reasons = batteryReasons({ battery, slots: planned, powerKw, storedKwh: stored, fullAtMs: null });
  const wear = steps.reduce((sum, step, slot) => sum + Math.abs(step.powerKw) * (slots[slot]?.hours ?? 0), 0);
  return {
    kind: "plan",
    method: "dynamic-program",
    slots: planned,
    devices: [{ kind: "battery", id: battery.id, powerKw, storedKwh: stored, shadowPrice, fullAtMs: null, reasons }],
    cost: planned.reduce((sum, { cost }) => sum + cost, wear * battery.wearPerKwh),
    leftOut: [...others, ...inputs.vehicles, ...inputs.heats].map(({ id }) => ({
      id,
      reason: plainReason("no-solution"),
    })),
  };
}

/** The least cost from each slot and level on, backwards from what is stored at the end. */
function valuesOf(problem: Problem): readonly Float64Array[] {
  const { battery, slots, lowestKwh, levelKwh } = problem;
  const endValue = battery.endValuePerKwh ?? endValueOf(battery, slots);
  const values = [Float64Array.from({ length: LEVELS }, (_, level) => -endValue * (lowestKwh + level * levelKwh))];
  for (let slot = slots.length - 1; slot >= 0; slot--) {
    const after = values[0] ?? new Float64Array(LEVELS);
    const before = new Float64Array(LEVELS);
    for (let level = 0; level < LEVELS; level++) {
      const step = bestStep(problem, slot, lowestKwh + level * levelKwh, after);
      before[level] = step.cost + valueAt(problem, after, step.storedKwh);
    }
    values.unshift(before);
  }
  return values;
}

function bestStep(problem: Problem, slot: number, storedKwh: number, after: Float64Array): Step {
  const { battery, slots, lowestKwh, levelKwh } = problem;
  const priced = slots[slot];
  if (priced === undefined) throw new RangeError("there is no such slot");
  const { hours } = priced;
  const { chargeEfficiency, dischargeEfficiency } = battery;
  const highestKwh = Math.max(battery.maxKwh, storedKwh);
  const maxCharge = Math.min(batteryChargeLimit(battery, priced), (highestKwh - storedKwh) / chargeEfficiency / hours);
  const floorKwh = Math.min(battery.minKwh, storedKwh);
  const net = priced.loadKw - priced.pvKw;
  const allowed = battery.mayDischargeToGrid
    ? battery.maxDischargeKw
    : Math.min(battery.maxDischargeKw, Math.max(0, net));
  const maxDischarge = Math.min(allowed, ((storedKwh - floorKwh) * dischargeEfficiency) / hours);
  const powers = [0, maxCharge, -maxDischarge, Math.min(maxCharge, Math.max(-maxDischarge, -net))];
  // Powers that end exactly at a level.
  const top = storedKwh + maxCharge * chargeEfficiency * hours;
  const bottom = storedKwh - (maxDischarge / dischargeEfficiency) * hours;
  for (let level = Math.ceil((bottom - lowestKwh) / levelKwh); lowestKwh + level * levelKwh <= top; level++) {
    const change = lowestKwh + level * levelKwh - storedKwh;
    powers.push(change > 0 ? change / chargeEfficiency / hours : (change * dischargeEfficiency) / hours);
  }
  let best: Step | null = null;
  let bestTotal = Infinity;
  for (const powerKw of powers) {
    const step = takeStep(problem, priced, storedKwh, powerKw);
    const total = step.cost + valueAt(problem, after, step.storedKwh);
    if (total >= bestTotal) continue;
    best = step;
    bestTotal = total;
  }
  return best ?? takeStep(problem, priced, storedKwh, 0);
}

function takeStep({ battery, canCurtail }: Problem, slot: PricedSlot, storedKwh: number, powerKw: number): Step {
  const { hours, importPrice, exportPrice, maxImportKw, maxExportKw, maxControllableKw } = slot;
  const { chargeEfficiency, dischargeEfficiency, wearPerKwh } = battery;
  const change = powerKw > 0 ? powerKw * chargeEfficiency : powerKw / dischargeEfficiency;
  const balanceKw = slot.loadKw - slot.pvKw + powerKw;
  const surplus = Math.max(0, -balanceKw);
  const allowed =
    exportPrice < 0 && canCurtail ? 0 : Math.min(surplus, canCurtail ? (maxExportKw ?? Infinity) : Infinity);
  const curtailedKw = Math.min(surplus - allowed, Math.max(0, slot.pvKw));
  const gridKw = balanceKw + curtailedKw;
  const over =
    Math.max(0, gridKw - (maxImportKw ?? Infinity)) +
    Math.max(0, -gridKw - (maxExportKw ?? Infinity)) +
    Math.max(0, powerKw - Math.max(0, slot.pvKw) - (maxControllableKw ?? Infinity));
  const energyCost = gridKw > 0 ? gridKw * importPrice : gridKw * exportPrice;
  return {
    powerKw,
    storedKwh: storedKwh + change * hours,
    cost: (energyCost + Math.abs(powerKw) * wearPerKwh + over * BROKEN_LIMIT) * hours,
    gridKw,
    curtailedKw,
  };
}

function valueAt({ lowestKwh, levelKwh }: Problem, values: Float64Array, storedKwh: number): number {
  const place = Math.min(LEVELS - 1, Math.max(0, (storedKwh - lowestKwh) / levelKwh));
  const level = Math.min(LEVELS - 2, Math.floor(place));
  const share = place - level;
  return (values[level] ?? 0) * (1 - share) + (values[level + 1] ?? 0) * share;
}

function slopeAt(problem: Problem, values: Float64Array, storedKwh: number): number {
  const below = Math.max(problem.lowestKwh, storedKwh - problem.levelKwh);
  const above = Math.min(problem.lowestKwh + problem.levelKwh * (LEVELS - 1), storedKwh + problem.levelKwh);
  if (above <= below) return 0;
  return (valueAt(problem, values, below) - valueAt(problem, values, above)) / (above - below);
}

function slotOf(problem: Problem, slot: PricedSlot, step: Step | undefined): PlannedSlot {
  const gridKw = step?.gridKw ?? slot.loadKw - slot.pvKw;
  return plannedSlot(
    slot,
    {
      importKw: Math.max(0, gridKw),
      exportKw: Math.max(0, -gridKw),
      curtailedKw: step?.curtailedKw ?? 0,
      overLimitKw: Math.max(0, gridKw - (slot.maxImportKw ?? Infinity)),
    },
    problem,
  );
}
