/**
 * The plan as a linear program. What physics says is hard; what people ask for is soft, in tiers of penalties far apart:
 * comfort, targets of vehicles, limits of the connection. Whole numbers only where a linear program could cheat.
 */
import { HOUR_MS } from "../../duration.ts";
import { endValueOf } from "./end-value.ts";
import { CONTINUOUS, LinearModelBuilder, SEMI_CONTINUOUS } from "./linear-model.ts";
import type {
  BatteryColumns,
  GridColumns,
  HeatColumns,
  Parts,
  Penalties,
  PlanModel,
  TargetColumn,
  VehicleColumns,
} from "./plan-columns.ts";
import {
  batteryChargeLimit,
  type NoPlan,
  type PlanBattery,
  type PlanHeat,
  type PlanInputs,
  type PlanVehicle,
  type PricedSlot,
  pricedSlots,
  surplusKw,
} from "./plan-inputs.ts";
import { addBalance, addDirections, addLimits } from "./plan-rows.ts";

export interface PlanModelOptions {
  /** Vehicles whose least power is kept exactly: with whole numbers, which takes a hundred times as long. */
  readonly exactMinimum?: ReadonlySet<string>;
}

/**
 * The value of a stored kWh is the mean of what a little more in the batteries brings and a little less costs, kWh. Where a
 * battery stands still they differ, and a value that is chance in between cost a third of what the plan saves.
 */
const VALUE_STEP_KWH = 0.05;
const LEAST_PRICE = 0.1;
/** Added per slot to what charges a vehicle or a battery: of equal hours the earlier one. */
const EARLIER_SHARE = 1e-5;
const LONGEST_EXACT_HOURS = 0.25;

/** Builds the model of a plan, or says why there cannot be one. */
export function buildPlanModel(
  inputs: PlanInputs,
  { exactMinimum = new Set() }: PlanModelOptions = {},
): PlanModel | NoPlan {
  const unknown = inputs.batteries.find(({ storedKwh }) => storedKwh === null);
  if (unknown !== undefined) return { kind: "no-plan", reason: "unknown-charge", detail: unknown.id };
  const slots = pricedSlots(inputs);
  if (slots.length === 0) return { kind: "no-plan", reason: "no-prices", detail: "no price of any slot is known" };
  const builder = new LinearModelBuilder();
  const parts: Parts = { builder, inputs, slots, penalties: penaltiesOf(slots) };
  const grid = addGrid(parts);
  const peak =
    inputs.peak === null ? -1 : builder.addColumns(1, { cost: inputs.peak.pricePerKw, lower: inputs.peak.paidKw });
  const batteries = inputs.batteries.map((battery) => addBattery(parts, battery, battery.storedKwh ?? 0));
  const vehicles = inputs.vehicles.flatMap((vehicle) =>
    vehicle.storedKwh === null ? [] : addVehicle(parts, vehicle, vehicle.storedKwh, exactMinimum.has(vehicle.id)),
  );
  const heats = inputs.heats.flatMap((heat) =>
    heat.temperatureC === null ? [] : addHeat(parts, heat, heat.temperatureC),
  );
  const columns = { grid, peak, batteries, vehicles, heats };
  addBalance(parts, columns);
  addLimits(parts, columns);
  addDirections(parts, columns);
  const leftOut = [
    ...inputs.vehicles.filter(({ storedKwh }) => storedKwh === null),
    ...inputs.heats.filter(({ temperatureC }) => temperatureC === null),
  ].map(({ id }) => id);
  const model = builder.build({ rows: batteries.map(({ row }) => row), steps: valueSteps(batteries) });
  return { kind: "plan-model", model, inputs, slots, ...columns, leftOut };
}

/** More than fits into a battery, or less than it keeps, has no value but that of a way out. */
function valueSteps(batteries: readonly BatteryColumns[]): readonly [number, number] {
  const hasRoom = batteries.every(({ battery, storedKwh }) => storedKwh + VALUE_STEP_KWH <= battery.maxKwh);
  const hasMore = batteries.every(({ battery, storedKwh }) => storedKwh - VALUE_STEP_KWH >= battery.minKwh);
  return [hasRoom ? VALUE_STEP_KWH : 0, hasMore ? -VALUE_STEP_KWH : 0];
}

function penaltiesOf(slots: readonly PricedSlot[]): Penalties {
  const highest = slots.flatMap(({ importPrice, exportPrice }) => [Math.abs(importPrice), Math.abs(exportPrice)]);
  const base = Math.max(LEAST_PRICE, ...highest);
  return { full: 2 * base, comfort: 10 * base, reserve: 10 * base, target: 100 * base, limit: 1_000 * base };
}

function addGrid({ builder, inputs, slots, penalties }: Parts): GridColumns {
  const count = slots.length;
  const onlySurplus =
    inputs.batteries.length > 0 && !inputs.batteries.some(({ mayDischargeToGrid }) => mayDischargeToGrid);
  return {
    import: builder.addColumns(count, {
      cost: slots.map(({ importPrice, hours }) => importPrice * hours),
      upper: slots.map(({ maxImportKw }) => Math.max(0, maxImportKw ?? Infinity)),
    }),
    over: builder.addColumns(count, {
      cost: slots.map(({ importPrice, hours }) => (importPrice + penalties.limit) * hours),
      upper: slots.map(({ maxImportKw }) => (maxImportKw === null ? 0 : Infinity)),
    }),
    export: builder.addColumns(count, {
      cost: slots.map(({ exportPrice, hours }) => -exportPrice * hours),
      upper: slots.map((slot) =>
        Math.max(0, Math.min(slot.maxExportKw ?? Infinity, onlySurplus ? surplusKw(slot) : Infinity)),
      ),
    }),
    spill: builder.addColumns(count, {
      cost: slots.map(({ exportPrice, hours }) => (penalties.limit - exportPrice) * hours),
      upper: slots.map((slot) => (slot.maxExportKw === null ? 0 : slot.pvKw)),
    }),
    curtailed: builder.addColumns(count, {
      upper: slots.map(({ pvKw }) => (inputs.canCurtail ? Math.max(0, pvKw) : 0)),
    }),
  };
}

function addBattery(parts: Parts, battery: PlanBattery, storedKwh: number): BatteryColumns {
  const { builder, slots, penalties } = parts;
  const count = slots.length;
  const { minKwh, maxKwh, chargeEfficiency, dischargeEfficiency, wearPerKwh } = battery;
  const wear = slots.map(({ hours }) => wearPerKwh * hours);
  const lateness = latenessCosts(slots);
  const charge = builder.addColumns(count, {
    cost: wear.map((cost, slot) => cost + (lateness[slot] ?? 0)),
    upper: slots.map((slot) => batteryChargeLimit(battery, slot)),
  });
  const discharge = builder.addColumns(count, { cost: wear, upper: battery.maxDischargeKw });
  const endValue = battery.endValuePerKwh ?? endValueOf(battery, slots);
  // Outside of its bounds it goes back in as it can, and is never a reason for having no plan.
  const stored = builder.addColumns(count, {
    cost: slots.map((_, slot) => (slot === count - 1 ? -endValue : 0)),
    lower: Math.min(minKwh, storedKwh),
    upper: Math.max(maxKwh, storedKwh),
  });
  const row = addStored(builder, slots, { stored, storedKwh }, (slot, hours) => {
    builder.addTerm(charge + slot, -chargeEfficiency * hours);
    builder.addTerm(discharge + slot, hours / dischargeEfficiency);
  });
  if (storedKwh < minKwh) {
    const low = builder.addColumns(count, { cost: slots.map(({ hours }) => penalties.reserve * hours) });
    for (let slot = 0; slot < count; slot++) {
      builder.addTerm(stored + slot, 1);
      builder.addTerm(low + slot, 1);
      builder.endRow(minKwh, Infinity);
    }
  }
  addFullCharge(parts, battery, stored);
  return { battery, storedKwh, charge, discharge, stored, row, endValue };
}

/** A row for each hour's end, of which one counts: so all hours have the same matrix, and the solver starts from the last. */
function addFullCharge(
  { builder, inputs, slots, penalties }: Parts,
  { id, maxKwh }: PlanBattery,
  stored: number,
): void {
  const { fullCharge } = inputs;
  if (fullCharge?.batteryId !== id) return;
  const missing = builder.addColumns(1, { cost: penalties.full });
  for (const [slot, { toMs }] of slots.entries()) {
    if (toMs % HOUR_MS !== 0) continue;
    builder.addTerm(stored + slot, 1);
    builder.addTerm(missing, 1);
    builder.endRow(toMs === fullCharge.atMs ? maxKwh : 0, Infinity);
  }
}

/** Adds a row for each slot: what is stored at its end, less what was stored before, plus `addTerms`. Returns the first. */
function addStored(
  builder: LinearModelBuilder,
  slots: readonly PricedSlot[],
  { stored, storedKwh, drained = () => 0 }: { stored: number; storedKwh: number; drained?: (slot: number) => number },
  addTerms: (slot: number, hours: number) => void,
): number {
  const rows = slots.map(({ hours }, slot) => {
    builder.addTerm(stored + slot, 1);
    if (slot > 0) builder.addTerm(stored + slot - 1, -1);
    addTerms(slot, hours);
    const amount = (slot === 0 ? storedKwh : 0) - drained(slot);
    return builder.endRow(amount, amount);
  });
  return rows[0] ?? -1;
}

function addVehicle(
  { builder, slots, penalties }: Parts,
  vehicle: PlanVehicle,
  storedKwh: number,
  isExact: boolean,
): VehicleColumns {
  const count = slots.length;
  const maxKw = slots.map((slot) => vehicleLimit(vehicle, slot));
  // In a longer slot less power than the least one is the least one for a part of it.
  const isShort = slots.map(({ hours }) => isExact && vehicle.minKw > 0 && hours <= LONGEST_EXACT_HOURS);
  const isExactAt = (slot: number) => isShort[slot] === true && (maxKw[slot] ?? 0) >= vehicle.minKw;
  const charge = builder.addColumns(count, {
    cost: latenessCosts(slots),
    lower: maxKw.map((_, slot) => (isExactAt(slot) ? vehicle.minKw : 0)),
    upper: maxKw.map((limit, slot) => (isShort[slot] === true && limit < vehicle.minKw ? 0 : limit)),
    integrality: maxKw.map((_, slot) => (isExactAt(slot) ? SEMI_CONTINUOUS : CONTINUOUS)),
  });
  const drained = slots.map(({ fromMs, toMs }) =>
    vehicle.trips.reduce((sum, { atMs, kwh }) => (atMs >= fromMs && atMs < toMs ? sum + kwh : sum), 0),
  );
  const trips = drained.reduce((sum, kwh) => sum + kwh, 0);
  const stored = builder.addColumns(count, {
    cost: slots.map((_, slot) => (slot === count - 1 ? -vehicle.endValuePerKwh : 0)),
    // A trip that takes more than there is is no reason for having no plan.
    lower: -trips,
    upper: Math.max(vehicle.maxKwh, storedKwh),
  });
  const row = addStored(builder, slots, { stored, storedKwh, drained: (slot) => drained[slot] ?? 0 }, (slot, hours) =>
    builder.addTerm(charge + slot, -vehicle.chargeEfficiency * hours),
  );
  const targets = vehicle.targets.map(({ atMs, storedKwh: asked }): TargetColumn => {
    const targetKwh = Math.min(asked, Math.max(vehicle.maxKwh, storedKwh));
    const slot = slots.findLastIndex(({ toMs }) => toMs <= atMs);
    const column = builder.addColumns(1, { cost: penalties.target });
    if (slot >= 0) builder.addTerm(stored + slot, 1);
    builder.addTerm(column, 1);
    builder.endRow(slot >= 0 ? targetKwh : targetKwh - storedKwh, Infinity);
    return { atMs, targetKwh, slot, column };
  });
  return { vehicle, storedKwh, charge, stored, row, targets, maxKw };
}

function latenessCosts(slots: readonly PricedSlot[]): number[] {
  return slots.map(({ importPrice }, slot) => Math.max(LEAST_PRICE, Math.abs(importPrice)) * EARLIER_SHARE * slot);
}

/** The highest mean power in a slot, by how much of it the vehicle is plugged in. */
function vehicleLimit({ plugged, maxKw, isSurplusOnly }: PlanVehicle, slot: PricedSlot): number {
  const pluggedMs = plugged.reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, slot.toMs) - Math.max(fromMs, slot.fromMs)),
    0,
  );
  const limit = (maxKw * pluggedMs) / (slot.toMs - slot.fromMs);
  return isSurplusOnly ? Math.min(limit, surplusKw(slot)) : limit;
}

function addHeat({ builder, slots, penalties }: Parts, heat: PlanHeat, temperatureC: number): HeatColumns {
  const count = slots.length;
  const { heatCapacityKwhPerK: capacity, heatLossKwPerK: loss } = heat;
  const power = builder.addColumns(count, { upper: heat.maxKw });
  const temperature = builder.addColumns(count, { lower: -Infinity });
  const discomfort = slots.map(({ hours }) => penalties.comfort * hours);
  const cold = builder.addColumns(count, { cost: discomfort });
  const hot = builder.addColumns(count, { cost: discomfort });
  const rows = slots.map(({ hours }, slot) => {
    const { outdoorC = temperatureC, heatPerPower = 1, gainKw = 0 } = heat.slots[slot] ?? {};
    const share = 1 - Math.exp((-hours * loss) / capacity);
    // Heat warms as it flows away: over a long step a kWh counts for less than over a short one.
    const gain = loss > 0 ? share / loss : hours / capacity;
    builder.addTerm(temperature + slot, 1);
    if (slot > 0) builder.addTerm(temperature + slot - 1, share - 1);
    builder.addTerm(power + slot, -gain * heatPerPower);
    const amount = share * outdoorC + gain * gainKw + (slot === 0 ? (1 - share) * temperatureC : 0);
    return builder.endRow(amount, amount);
  });
  for (let slot = 0; slot < count; slot++) {
    const { minC = -Infinity, maxC = Infinity } = heat.slots[slot] ?? {};
    builder.addTerm(temperature + slot, 1);
    builder.addTerm(cold + slot, 1);
    builder.addTerm(hot + slot, -1);
    builder.endRow(minC, Math.max(minC, maxC));
  }
  return { heat, power, temperature, row: rows[0] ?? -1, cold, hot };
}
