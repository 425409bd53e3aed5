import type { EnergyPlan, PlannedBattery, PlannedVehicle } from "../../../../src/domain/energy/plan/energy-plan.ts";
import { makePlan } from "../../../../src/domain/energy/plan/make-plan.ts";
import type { PlanBattery, PlanInputs, PlanSlot, PlanVehicle } from "../../../../src/domain/energy/plan/plan-inputs.ts";
import { InProcessOptimizer } from "../../../../src/platform/optimizer/in-process-optimizer.ts";

const HOUR_MS = 3_600_000;
export const START_MS = Date.UTC(2026, 2, 10);

const optimizer = new InProcessOptimizer();

/** Slots of an hour. */
export function hours(
  prices: readonly (number | null)[],
  more: (slot: number) => Partial<PlanSlot> = () => ({}),
): PlanSlot[] {
  return prices.map((importPrice, slot) => ({
    fromMs: START_MS + slot * HOUR_MS,
    toMs: START_MS + (slot + 1) * HOUR_MS,
    importPrice,
    exportPrice: importPrice === null ? null : 0.08,
    ...{ loadKw: 1, pvKw: 0, maxImportKw: null, maxExportKw: null, maxControllableKw: null },
    ...more(slot),
  }));
}

export const battery: PlanBattery = {
  ...{ id: "battery", storedKwh: 5, minKwh: 1, maxKwh: 10, maxChargeKw: 4, maxDischargeKw: 4 },
  ...{ chargeEfficiency: 0.95, dischargeEfficiency: 0.95, wearPerKwh: 0.01, endValuePerKwh: 0.1 },
  ...{ mayChargeFromGrid: true, mayDischargeToGrid: true },
};

export function car(more: Partial<PlanVehicle> = {}): PlanVehicle {
  return {
    ...{
      id: "car",
      storedKwh: 10,
      maxKwh: 50,
      minKw: 0,
      maxKw: 10,
      chargeEfficiency: 1,
      trips: [],
      isSurplusOnly: false,
    },
    plugged: [{ fromMs: START_MS, toMs: START_MS + 100 * HOUR_MS }],
    ...{ targets: [], endValuePerKwh: 0 },
    ...more,
  };
}

export function inputs(slots: readonly PlanSlot[], more: Partial<PlanInputs> = {}): PlanInputs {
  return { slots, batteries: [], vehicles: [], heats: [], canCurtail: false, peak: null, ...more };
}

export async function planned(from: PlanInputs): Promise<EnergyPlan> {
  const plan = await makePlan(from, (model) => optimizer.solve(model));
  if (plan.kind === "no-plan") throw new Error(`${plan.reason}: ${plan.detail}`);
  return plan;
}

export function batteryOf(plan: EnergyPlan): PlannedBattery {
  const found = plan.devices.find((device) => device.kind === "battery");
  if (found?.kind !== "battery") throw new Error("no battery in the plan");
  return found;
}

export function carOf(plan: EnergyPlan): PlannedVehicle {
  const found = plan.devices.find((device) => device.kind === "vehicle");
  if (found?.kind !== "vehicle") throw new Error("no vehicle in the plan");
  return found;
}
