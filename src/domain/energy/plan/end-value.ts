import { type PlanBattery, type PricedSlot, surplusKw } from "./plan-inputs.ts";

/**
 * What a stored kWh is worth when the plan ends: what it would have cost to fill the battery in the cheapest quarter of
 * the time, from what would be fed in or from the grid.
 */
export function endValueOf(battery: PlanBattery, slots: readonly PricedSlot[]): number {
  const refills = slots
    .flatMap((slot) => {
      if (surplusKw(slot) > 0) return [{ price: slot.exportPrice, hours: slot.hours }];
      return battery.mayChargeFromGrid && slot.isPriceKnown ? [{ price: slot.importPrice, hours: slot.hours }] : [];
    })
    .toSorted((a, b) => a.price - b.price);
  const quarter = slots.reduce((sum, { hours }) => sum + hours, 0) / 4;
  let hours = 0;
  let sum = 0;
  for (const refill of refills) {
    const taken = Math.min(refill.hours, quarter - hours);
    if (taken <= 0) break;
    hours += taken;
    sum += refill.price * taken;
  }
  return hours === 0 ? 0 : Math.max(0, sum / hours / battery.chargeEfficiency);
}
