/** A plan as it is shown, kept and acted on. Powers in kW, energy in kWh, prices per kWh. */

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Why a device does something in a plan. */
export type PlanReasonCode =
  /** From power that would be fed in. */
  | "surplus"
  /** Now rather than in `alternative`, which is dearer by `priceDifference`. */
  | "cheaper"
  /** The whole time until the target is needed. */
  | "whole-time-needed"
  /** The target cannot be reached; it will be missed by `shortKwh`. */
  | "out-of-reach"
  /** Before the target; no other time would be cheaper. */
  | "before-target"
  /** The battery covers the house, which pays off by `priceDifference` compared with what the energy is worth later. */
  | "covers-house"
  /** The battery waits for `alternative`, in which a kWh is worth `priceDifference` more. */
  | "waits-for-dearer-hours"
  /** The battery feeds in, because it pays more than the energy is worth later. */
  | "sells"
  /** It was not full for ten days, and is charged fully once. Without times: as soon as that is within reach. */
  | "full-charge"
  /** It has less than its reserve, and is charged up to that from the grid. */
  | "reserve"
  /** The temperature would fall below its limit. */
  | "comfort"
  /** Heats now rather than in `alternative`, which is dearer by `priceDifference`. */
  | "heats-cheaper"
  /** The state of charge, or the temperature or power of what heats, is not known. */
  | "unknown-charge"
  /** Another feature or a person has set it, or it takes no commands. */
  | "in-other-hands"
  /** There is no solver, and so no plan for it. */
  | "no-solution"
  | "nothing-to-do";

/** Why there is no plan. */
export type NoPlanCode =
  | "unknown-charge"
  | "no-prices"
  | "no-solution"
  /** What the house uses was never measured. */
  | "no-history"
  | "clock-not-set"
  | "nothing-to-plan"
  /** Since the start the grid meter, or what may be planned, was not read. */
  | "not-read-yet"
  | "not-made-yet";

export interface PlanReason {
  readonly code: PlanReasonCode;
  /** When it does it; stretches in order. */
  readonly when: readonly TimeSpan[];
  /** Per kWh, positive: what the choice saves; `null` if there is nothing to compare with. */
  readonly priceDifference: number | null;
  /** The time that it is compared with. */
  readonly alternative: TimeSpan | null;
  readonly shortKwh: number | null;
}

export interface PlannedSlot extends TimeSpan {
  readonly importPrice: number;
  readonly exportPrice: number;
  /** What one more kWh of surplus would bring: less than `exportPrice` where the feed-in is at its limit. */
  readonly surplusPrice: number;
  /** False: the price is a cautious guess. */
  readonly isPriceKnown: boolean;
  readonly loadKw: number;
  readonly pvKw: number;
  readonly importKw: number;
  readonly exportKw: number;
  readonly curtailedKw: number;
  /** Of the import: above the limit, because the load alone is. */
  readonly overLimitKw: number;
  /** Of the slot's import less its feed-in. */
  readonly cost: number;
}

export interface PlannedTarget {
  readonly atMs: number;
  readonly targetKwh: number;
  /** 0: it will be reached. */
  readonly shortKwh: number;
}

interface PlannedBase {
  readonly id: string;
  /** By slot; positive into the device. */
  readonly powerKw: readonly number[];
  /** What it does first comes first. */
  readonly reasons: readonly PlanReason[];
}

export interface PlannedBattery extends PlannedBase {
  readonly kind: "battery";
  /** By slot, at its end. */
  readonly storedKwh: readonly number[];
  /** By slot: the value of one more kWh in the battery. */
  readonly shadowPrice: readonly number[];
  /** When it is full, wall-clock ms, if that is wanted because it was not for ten days; `null`: it is not, or not reached. */
  readonly fullAtMs: number | null;
}

export interface PlannedVehicle extends PlannedBase {
  readonly kind: "vehicle";
  readonly storedKwh: readonly number[];
  readonly shadowPrice: readonly number[];
  readonly targets: readonly PlannedTarget[];
}

export interface PlannedHeat extends PlannedBase {
  readonly kind: "heat";
  /** By slot, at its end, °C. */
  readonly temperatureC: readonly number[];
  /** Kelvin below the lower limit times hours; 0: it is warm enough. */
  readonly coldKh: number;
}

export type PlannedDevice = PlannedBattery | PlannedVehicle | PlannedHeat;

export interface EnergyPlan {
  readonly kind: "plan";
  readonly method: "linear-program" | "dynamic-program";
  readonly slots: readonly PlannedSlot[];
  readonly devices: readonly PlannedDevice[];
  /** Of all slots, with the wear of batteries and a paid peak. */
  readonly cost: number;
  /** Devices that are not planned. */
  readonly leftOut: readonly { readonly id: string; readonly reason: PlanReason }[];
}
