/** The rows of a plan that bind several devices: the balance of powers, limits, and directions. */
import { INTEGER, type LinearModelBuilder } from "./linear-model.ts";
import type { Parts, PlanModel } from "./plan-columns.ts";

type Columns = Pick<PlanModel, "grid" | "peak" | "batteries" | "vehicles" | "heats">;

/** Powers in each slot add up to nothing. */
export function addBalance({ builder, slots }: Parts, { grid, batteries, vehicles, heats }: Columns): void {
  for (const [slot, { loadKw, pvKw }] of slots.entries()) {
    builder.addTerm(grid.import + slot, 1);
    builder.addTerm(grid.over + slot, 1);
    builder.addTerm(grid.export + slot, -1);
    builder.addTerm(grid.spill + slot, -1);
    builder.addTerm(grid.curtailed + slot, -1);
    addNetLoad(builder, slot, { batteries, vehicles, heats }, -1);
    builder.endRow(loadKw - pvKw, loadKw - pvKw);
  }
}

function addNetLoad(
  builder: LinearModelBuilder,
  slot: number,
  { batteries, vehicles, heats }: Pick<Columns, "batteries" | "vehicles" | "heats">,
  sign: 1 | -1,
): void {
  for (const { charge, discharge } of batteries) {
    builder.addTerm(charge + slot, sign);
    builder.addTerm(discharge + slot, -sign);
  }
  for (const { charge } of vehicles) builder.addTerm(charge + slot, sign);
  for (const { power } of heats) builder.addTerm(power + slot, sign);
}

/** The paid peak, and what the grid operator leaves to everything that can be controlled. */
export function addLimits({ builder, slots, penalties }: Parts, columns: Columns): void {
  const { grid, peak } = columns;
  for (let slot = 0; peak >= 0 && slot < slots.length; slot++) {
    builder.addTerm(grid.import + slot, 1);
    builder.addTerm(grid.over + slot, 1);
    builder.addTerm(peak, -1);
    builder.endRow(-Infinity, 0);
  }
  if (columns.batteries.length + columns.vehicles.length + columns.heats.length === 0) return;
  for (const [slot, { maxControllableKw, pvKw, hours }] of slots.entries()) {
    if (maxControllableKw === null) continue;
    const excess = builder.addColumns(1, { cost: penalties.limit * hours });
    addNetLoad(builder, slot, columns, 1);
    builder.addTerm(excess, -1);
    builder.endRow(-Infinity, Math.max(0, maxControllableKw) + Math.max(0, pvKw));
  }
}

/** Directions as whole numbers where both at once would pay: the grid where it pays more, a battery that burns power. */
export function addDirections({ builder, inputs, slots }: Parts, { grid, batteries, vehicles, heats }: Columns): void {
  const planned = [
    ...batteries.map(({ battery }) => battery.maxChargeKw),
    ...vehicles.map(({ vehicle }) => vehicle.maxKw),
    ...heats.map(({ heat }) => heat.maxKw),
  ].reduce((sum, kw) => sum + kw, 0);
  const discharge = batteries.reduce((sum, { battery }) => sum + battery.maxDischargeKw, 0);
  for (const [slot, { importPrice, exportPrice, loadKw, pvKw }] of slots.entries()) {
    if (exportPrice > importPrice) {
      const isImport = builder.addColumns(1, { upper: 1, integrality: INTEGER });
      addSwitch(builder, grid.import + slot, isImport, loadKw + planned);
      addSwitch(builder, grid.export + slot, isImport, pvKw + discharge, "inverse");
    }
    for (const { battery, charge, discharge: out } of batteries) {
      const kept = battery.chargeEfficiency * battery.dischargeEfficiency;
      const burnt = inputs.canCurtail ? importPrice : Math.min(importPrice, exportPrice);
      if (-burnt * (1 - kept) <= battery.wearPerKwh * (1 + kept)) continue;
      const isCharge = builder.addColumns(1, { upper: 1, integrality: INTEGER });
      addSwitch(builder, charge + slot, isCharge, battery.maxChargeKw);
      addSwitch(builder, out + slot, isCharge, battery.maxDischargeKw, "inverse");
    }
  }
}

/** `column` may be above 0, up to `limit`, only while `on` is 1; inverse: while it is 0. */
function addSwitch(builder: LinearModelBuilder, column: number, on: number, limit: number, sense?: "inverse"): void {
  builder.addTerm(column, 1);
  builder.addTerm(on, sense === "inverse" ? limit : -limit);
  builder.endRow(-Infinity, sense === "inverse" ? limit : 0);
}
