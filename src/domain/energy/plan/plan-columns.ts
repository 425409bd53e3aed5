/** Where the quantities of a plan are in its linear program. */
import type { LinearModel, LinearModelBuilder } from "./linear-model.ts";
import type { PlanBattery, PlanHeat, PlanInputs, PlanVehicle, PricedSlot } from "./plan-inputs.ts";

/** Columns of a battery: the first of its slots. */
export interface BatteryColumns {
  readonly battery: PlanBattery;
  readonly storedKwh: number;
  readonly charge: number;
  readonly discharge: number;
  readonly stored: number;
  /** Rows of the stored energy; their duals are the value of a stored kWh. */
  readonly row: number;
  readonly endValue: number;
}

export interface TargetColumn {
  readonly atMs: number;
  readonly targetKwh: number;
  /** The last slot before it; -1: it is due now. */
  readonly slot: number;
  readonly column: number;
}

export interface VehicleColumns {
  readonly vehicle: PlanVehicle;
  readonly storedKwh: number;
  readonly charge: number;
  readonly stored: number;
  readonly row: number;
  readonly targets: readonly TargetColumn[];
  /** By slot: the highest power, 0 while it is away. */
  readonly maxKw: readonly number[];
}

export interface HeatColumns {
  readonly heat: PlanHeat;
  readonly power: number;
  readonly temperature: number;
  readonly row: number;
  readonly cold: number;
  readonly hot: number;
}

export interface GridColumns {
  readonly import: number;
  /** Import above the limit. */
  readonly over: number;
  readonly export: number;
  /** Feed-in above the limit. */
  readonly spill: number;
  readonly curtailed: number;
}

export interface PlanModel {
  readonly kind: "plan-model";
  readonly model: LinearModel;
  readonly inputs: PlanInputs;
  readonly slots: readonly PricedSlot[];
  readonly grid: GridColumns;
  readonly batteries: readonly BatteryColumns[];
  readonly vehicles: readonly VehicleColumns[];
  readonly heats: readonly HeatColumns[];
  /** Column of the highest import; -1: it costs nothing. */
  readonly peak: number;
  /** Devices that are left out, because their charge or temperature is not known. */
  readonly leftOut: readonly string[];
}

/** What each part of the model is built with. */
export interface Parts {
  readonly builder: LinearModelBuilder;
  readonly inputs: PlanInputs;
  readonly slots: readonly PricedSlot[];
  readonly penalties: Penalties;
}

/** Per kWh, or per kelvin and hour. Each is ten times the one before or more, but for `full`, which comes before all. */
export interface Penalties {
  /** More than a kWh can cost, so that a battery is full if it can be. */
  readonly full: number;
  readonly comfort: number;
  readonly reserve: number;
  readonly target: number;
  readonly limit: number;
}
