import { type PlanBattery, type PricedSlot, surplusKw } from "./plan-inputs.ts";

/** Of the hours that lack power, this share costs no more than the price that energy is kept for. */
const KEPT_FOR = 0.75;

/**
 * What a stored kWh is worth when the plan ends: what it would have cost to fill the battery in the cheapest quarter of
 * the time, from what would be fed in or from the grid, and no more than it saves at the price that only the dearest
 * quarter of the time exceeds: else a battery would keep for good what costs more to buy than it brings.
 */
export function endValueOf(battery: PlanBattery, slots: readonly PricedSlot[]): number {
  return Math.max(0, Math.min(refillCost(battery, slots), savedLater(battery, slots)));
}

/** Infinite where the house never lacks power at a known price. */
function savedLater({ dischargeEfficiency, wearPerKwh }: PlanBattery, slots: readonly PricedSlot[]): number {
  const lacking = slots
    .filter((slot) => slot.isPriceKnown && surplusKw(slot) === 0)
    .toSorted((a, b) => a.importPrice - b.importPrice);
  const share = lacking.reduce((sum, { hours }) => sum + hours, 0) * KEPT_FOR;
  let hours = 0;
  const dear = lacking.find((slot) => {
    hours += slot.hours;
    return hours >= share;
  });
  return dear === undefined ? Number.POSITIVE_INFINITY : (dear.importPrice - wearPerKwh) * dischargeEfficiency;
}

function refillCost(battery: PlanBattery, slots: readonly PricedSlot[]): number {
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
  return hours === 0 ? 0 : sum / hours / battery.chargeEfficiency;
}
