import type { TwinEffect } from "../twin-behaviour.ts";

type Does = NonNullable<TwinEffect["battery"]>["does"];

export function does(what: Does, askedW = 0): TwinEffect {
  return { battery: { does: what, askedW } };
}

/** A set point that is positive when the battery discharges. */
export function bySetpoint(dischargeW: number): TwinEffect {
  if (dischargeW === 0) return does("idle");
  return does(dischargeW > 0 ? "discharge" : "charge", Math.abs(dischargeW));
}

/** What is left of its freedom when charging and discharging are limited; 0 forbids. */
export function byLimits(charge: number, discharge: number): TwinEffect {
  if (discharge <= 0) return does(charge <= 0 ? "idle" : "no-discharge");
  return does(charge <= 0 ? "no-charge" : "own-control");
}
