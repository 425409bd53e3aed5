import type { EnergyPlan, PlannedBattery, PlannedHeat, PlannedSlot, PlannedVehicle } from "./energy-plan.ts";
import { fullAtMs } from "./full-charge.ts";
import type { LinearSolution } from "./linear-model.ts";
import type { BatteryColumns, HeatColumns, PlanModel, VehicleColumns } from "./plan-columns.ts";
import { type PricedSlot, plannedSlot, surplusKw } from "./plan-inputs.ts";
import { batteryReasons, heatReasons, plainReason, vehicleReasons } from "./plan-reasons.ts";

type Solved = Extract<LinearSolution, { readonly values: Float64Array }>;

/** Less is rounding of the solver, kW or kWh. */
const ROUNDING = 1e-6;

/** Reads the plan from the solution of its model. */
export function readPlan(planModel: PlanModel, solution: Solved): EnergyPlan {
  const slots = planModel.slots.map((slot, index) => readSlot(planModel, solution, slot, index));
  const batteries = planModel.batteries.map((columns) => readBattery(planModel, solution, columns, slots));
  const vehicles = planModel.vehicles.map((columns) => readVehicle(planModel, solution, columns, slots));
  const heats = planModel.heats.map((columns) => readHeat(planModel, solution, columns, slots));
  const { peak, inputs } = planModel;
  const peakCost =
    peak < 0 ? 0 : (inputs.peak?.pricePerKw ?? 0) * ((solution.values[peak] ?? 0) - (inputs.peak?.paidKw ?? 0));
  const wear = planModel.batteries.reduce((sum, columns) => sum + wearOf(planModel, solution, columns), 0);
  return {
    kind: "plan",
    method: "linear-program",
    slots,
    devices: [...batteries, ...vehicles, ...heats],
    cost: slots.reduce((sum, { cost }) => sum + cost, peakCost + wear),
    leftOut: planModel.leftOut.map((id) => ({ id, reason: plainReason("unknown-charge") })),
  };
}

function readSlot({ grid, inputs }: PlanModel, { values }: Solved, slot: PricedSlot, index: number): PlannedSlot {
  const overLimitKw = cleaned(values[grid.over + index]);
  return plannedSlot(
    slot,
    {
      importKw: cleaned(values[grid.import + index]) + overLimitKw,
      exportKw: cleaned(values[grid.export + index]) + cleaned(values[grid.spill + index]),
      curtailedKw: cleaned(values[grid.curtailed + index]),
      overLimitKw,
    },
    inputs,
  );
}

function readBattery(
  { slots }: PlanModel,
  solution: Solved,
  columns: BatteryColumns,
  planned: readonly PlannedSlot[],
): PlannedBattery {
  const powerKw = slots.map((_, slot) =>
    cleaned((solution.values[columns.charge + slot] ?? 0) - (solution.values[columns.discharge + slot] ?? 0)),
  );
  const storedKwh = slots.map((_, slot) => cleaned(solution.values[columns.stored + slot]));
  const shadowPrice = shadowPrices(solution, columns.row, slots.length);
  const { battery } = columns;
  const full = fullAtMs(battery, planned, storedKwh);
  const reasons = batteryReasons({ battery, slots: planned, powerKw, storedKwh, fullAtMs: full });
  return { kind: "battery", id: battery.id, powerKw, storedKwh, shadowPrice, fullAtMs: full, reasons };
}

function readVehicle(
  { slots }: PlanModel,
  solution: Solved,
  columns: VehicleColumns,
  planned: readonly PlannedSlot[],
): PlannedVehicle {
  const powerKw = slots.map((_, slot) => cleaned(solution.values[columns.charge + slot]));
  const targets = columns.targets.map(({ atMs, targetKwh, column }) => ({
    atMs,
    targetKwh,
    shortKwh: cleaned(solution.values[column]),
  }));
  const { vehicle, maxKw } = columns;
  return {
    kind: "vehicle",
    id: vehicle.id,
    powerKw,
    storedKwh: slots.map((_, slot) => cleaned(solution.values[columns.stored + slot])),
    shadowPrice: shadowPrices(solution, columns.row, slots.length),
    targets,
    reasons: vehicleReasons({ slots: planned, powerKw, maxKw, targets, surplusKw: slots.map(surplusKw) }),
  };
}

function readHeat(
  { slots }: PlanModel,
  { values }: Solved,
  columns: HeatColumns,
  planned: readonly PlannedSlot[],
): PlannedHeat {
  const powerKw = slots.map((_, slot) => cleaned(values[columns.power + slot]));
  const temperatureC = slots.map((_, slot) => values[columns.temperature + slot] ?? Number.NaN);
  const minC = slots.map((_, slot) => columns.heat.slots[slot]?.minC ?? -Infinity);
  return {
    kind: "heat",
    id: columns.heat.id,
    powerKw,
    temperatureC,
    coldKh: slots.reduce((sum, { hours }, slot) => sum + cleaned(values[columns.cold + slot]) * hours, 0),
    reasons: heatReasons({ slots: planned, powerKw, temperatureC, minC, surplusKw: slots.map(surplusKw) }),
  };
}

function wearOf({ slots }: PlanModel, { values }: Solved, { battery, charge, discharge }: BatteryColumns): number {
  const moved = slots.reduce(
    (sum, { hours }, slot) => sum + ((values[charge + slot] ?? 0) + (values[discharge + slot] ?? 0)) * hours,
    0,
  );
  return moved * battery.wearPerKwh;
}

/** The dual of a row says what a kWh more would save: the negative value of a stored kWh. */
function shadowPrices({ rowDuals }: Solved, row: number, count: number): number[] {
  return Array.from({ length: count }, (_, slot) => 0 - (rowDuals[row + slot] ?? 0));
}

function cleaned(value = 0): number {
  return Math.abs(value) < ROUNDING ? 0 : value;
}
