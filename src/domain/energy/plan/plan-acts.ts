/** What a plan says of a device at a moment, between two plans. */
import type { EnergyPlan, PlannedBattery, PlannedSlot, PlannedVehicle } from "./energy-plan.ts";
import { surplusKw } from "./plan-inputs.ts";
import { isFlatShadowPrice, type StoredEnergySituation } from "./stored-energy-policy.ts";
import { plannedVehicleKw } from "./vehicle-policy.ts";

/** Less is not charging, kW. */
const OFF_KW = 0.05;

/** Returns the index of the slot that holds a moment; -1: the plan does not reach it. */
function slotAt({ slots }: EnergyPlan, nowMs: number): number {
  return slots.findIndex(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs);
}

/** What a vehicle is to take whatever the sun does. */
export interface ChargeOfPlan {
  readonly kw: number;
  /** Wall-clock ms at which it begins or ends next. */
  readonly untilMs: number;
}

/**
 * Returns what the plan buys for a vehicle now, or takes from a battery for it; 0: nothing. Surplus comes on top of it, as
 * the meter shows it. `null` if the plan does not have the vehicle.
 */
export function chargeInPlan(plan: EnergyPlan, id: string, maxKw: number, nowMs: number): ChargeOfPlan | null {
  const vehicle = plan.devices.find((device) => device.id === id);
  const now = slotAt(plan, nowMs);
  if (vehicle?.kind !== "vehicle" || now < 0) return null;
  const kw = firmKw(plan, vehicle, now, maxKw);
  const next = plan.slots.findIndex((_, slot) => slot > now && isOn(firmKw(plan, vehicle, slot, maxKw)) !== isOn(kw));
  const untilMs = plan.slots[next]?.fromMs ?? plan.slots.at(-1)?.toMs ?? nowMs;
  return { kw: isOn(kw) ? kw : 0, untilMs };
}

function isOn(kw: number): boolean {
  return kw > OFF_KW;
}

function firmKw(plan: EnergyPlan, vehicle: PlannedVehicle, index: number, maxKw: number): number {
  const slot = plan.slots[index];
  if (slot === undefined) return 0;
  const others = plan.devices
    .filter(({ id, kind }) => kind !== "battery" && id !== vehicle.id)
    .reduce((sum, { powerKw }) => sum + (powerKw[index] ?? 0), 0);
  return plannedVehicleKw({
    plannedKw: vehicle.powerKw[index] ?? 0,
    plannedSurplusKw: Math.max(0, surplusKw(slot) - others),
    lambda: vehicle.shadowPrice[index] ?? 0,
    exportPrice: slot.exportPrice,
    chargeEfficiency: 1,
    // The control cycle regulates what is left of the sun by itself.
    surplusKw: 0,
    maxKw,
  });
}

type StoredValue = Pick<StoredEnergySituation, "lambda" | "isFlat" | "buysNow" | "importPrice" | "exportPrice">;

/** Returns what a kWh in a battery is worth now beside the prices; `null` if the plan does not have the battery. */
export function storedValueInPlan(plan: EnergyPlan, id: string, nowMs: number): StoredValue | null {
  const battery = plan.devices.find((device) => device.id === id);
  const now = slotAt(plan, nowMs);
  const slot = plan.slots[now];
  if (battery?.kind !== "battery" || slot === undefined) return null;
  const { importPrice, exportPrice, isPriceKnown } = slot;
  return {
    lambda: battery.shadowPrice[now] ?? null,
    isFlat: isFlatShadowPrice(battery.shadowPrice),
    buysNow: isOn(battery.powerKw[now] ?? 0) && isOn(slot.importKw),
    importPrice: isPriceKnown ? importPrice : null,
    exportPrice: isPriceKnown ? exportPrice : null,
  };
}

/** Returns the power that the plan has for a battery now, kW, positive into it; `null` if the plan does not have it. */
export function powerInPlan(plan: EnergyPlan, id: string, nowMs: number): number | null {
  const battery = plan.devices.find((device) => device.id === id);
  return battery?.kind === "battery" ? (battery.powerKw[slotAt(plan, nowMs)] ?? null) : null;
}

/** Returns what the plan expects to be stored at a moment, kWh; `null` if it does not reach it. */
export function storedInPlan(
  { slots }: Pick<EnergyPlan, "slots">,
  { storedKwh }: Pick<PlannedBattery | PlannedVehicle, "storedKwh">,
  startKwh: number,
  nowMs: number,
): number | null {
  const now = slots.findIndex((slot) => nowMs >= slot.fromMs && nowMs < slot.toMs);
  const slot: PlannedSlot | undefined = slots[now];
  const after = storedKwh[now];
  if (slot === undefined || after === undefined) return null;
  const before = now === 0 ? startKwh : (storedKwh[now - 1] ?? startKwh);
  return before + ((after - before) * (nowMs - slot.fromMs)) / (slot.toMs - slot.fromMs);
}
