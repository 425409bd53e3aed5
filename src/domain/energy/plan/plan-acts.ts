/** What a plan says of a device at a moment, between two plans. */
import type { EnergyPlan, PlannedDevice, PlannedSlot, PlannedVehicle, PlanReason } from "./energy-plan.ts";
import { QUARTER_HOUR_MS, surplusKw } from "./plan-inputs.ts";
import { isFlatShadowPrice, type StoredEnergySituation } from "./stored-energy-policy.ts";
import { plannedVehicleKw } from "./vehicle-policy.ts";

/** Less is not charging, kW. */
const OFF_KW = 0.05;
/** How far above its lower limit a temperature counts as at the limit, K. */
const AT_LIMIT_K = 0.05;

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
 * the meter shows it. `null` if the plan does not have the vehicle, or has nothing for it any more because the time of its
 * last target ends within the slot or is over.
 */
export function chargeInPlan(plan: EnergyPlan, id: string, maxKw: number, nowMs: number): ChargeOfPlan | null {
  const vehicle = plan.devices.find((device) => device.id === id);
  const now = slotAt(plan, nowMs);
  if (vehicle?.kind !== "vehicle" || now < 0) return null;
  const lastMs = Math.max(...vehicle.targets.map(({ atMs }) => atMs));
  if (vehicle.targets.length > 0 && (plan.slots[now]?.toMs ?? 0) > lastMs) return null;
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
    .filter(({ id, kind }) => kind === "vehicle" && id !== vehicle.id)
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

/** How what heats takes its power. */
export interface HeatPower {
  readonly maxKw: number;
  /** True if it takes all of it or none, and keeps `minC` by its own programme. */
  readonly isSwitched: boolean;
  /** Its lowest temperature, °C. */
  readonly minC: number;
}

/**
 * Returns what the plan buys for a heat pump or heater now; 0: nothing. What is switched is on while it is planned for half
 * of the slot or more, and for more than it does by itself. `null` if the plan does not have it.
 */
export function heatInPlan(plan: EnergyPlan, id: string, power: HeatPower, nowMs: number): ChargeOfPlan | null {
  const index = plan.devices.findIndex((device) => device.id === id);
  const now = slotAt(plan, nowMs);
  if (plan.devices[index]?.kind !== "heat" || now < 0) return null;
  const kw = boughtForHeat(plan, index, power, now);
  const next = plan.slots.findIndex(
    (_, slot) => slot > now && isOn(boughtForHeat(plan, index, power, slot)) !== isOn(kw),
  );
  const untilMs = plan.slots[next]?.fromMs ?? plan.slots.at(-1)?.toMs ?? nowMs;
  return { kw: isOn(kw) ? kw : 0, untilMs };
}

/** The sun that vehicles, and heat before it in the list, leave comes on top as the meter shows it. */
function boughtForHeat({ slots, devices }: EnergyPlan, index: number, power: HeatPower, at: number): number {
  const slot = slots[at];
  const heat = devices[index];
  if (slot === undefined || heat?.kind !== "heat") return 0;
  const plannedKw = heat.powerKw[at] ?? 0;
  const isByItself = plannedKw < power.maxKw / 2 || (heat.temperatureC[at] ?? 0) <= power.minC + AT_LIMIT_K;
  if (power.isSwitched && isByItself) return 0;
  const others = devices
    .filter(({ kind }, other) => kind === "vehicle" || (kind === "heat" && other < index))
    .reduce((sum, { powerKw }) => sum + (powerKw[at] ?? 0), 0);
  const bought = plannedKw - Math.max(0, surplusKw(slot) - others);
  if (!isOn(bought)) return 0;
  return power.isSwitched ? power.maxKw : bought;
}

type StoredValue = Pick<
  StoredEnergySituation,
  "lambda" | "isFlat" | "buysNow" | "fillsNow" | "importPrice" | "exportPrice"
>;

/** Returns what a kWh in a battery is worth now beside the prices; `null` if the plan does not have the battery. */
export function storedValueInPlan(plan: EnergyPlan, id: string, nowMs: number): StoredValue | null {
  const battery = plan.devices.find((device) => device.id === id);
  const now = slotAt(plan, nowMs);
  const slot = plan.slots[now];
  if (battery?.kind !== "battery" || slot === undefined) return null;
  const { importPrice, surplusPrice, isPriceKnown } = slot;
  const buysNow = isOn(battery.powerKw[now] ?? 0) && isOn(slot.importKw);
  return {
    lambda: battery.shadowPrice[now] ?? null,
    isFlat: isFlatShadowPrice(battery.shadowPrice),
    buysNow,
    fillsNow: buysNow && nowMs < (battery.fullAtMs ?? 0),
    importPrice: isPriceKnown ? importPrice : null,
    exportPrice: isPriceKnown ? surplusPrice : null,
  };
}

/** Returns the power that the plan has for a battery now, kW, positive into it; `null` if the plan does not have it. */
export function powerInPlan(plan: EnergyPlan, id: string, nowMs: number): number | null {
  const battery = plan.devices.find((device) => device.id === id);
  return battery?.kind === "battery" ? (battery.powerKw[slotAt(plan, nowMs)] ?? null) : null;
}

/** Returns what the plan expects to be stored at a moment, kWh, or of heat its temperature, °C; `null` if it does not reach it. */
export function storedInPlan(
  { slots }: Pick<EnergyPlan, "slots">,
  device: PlannedDevice,
  start: number,
  nowMs: number,
): number | null {
  const now = slots.findIndex((slot) => nowMs >= slot.fromMs && nowMs < slot.toMs);
  const slot: PlannedSlot | undefined = slots[now];
  const ends = device.kind === "heat" ? device.temperatureC : device.storedKwh;
  const after = ends[now];
  if (slot === undefined || after === undefined) return null;
  const before = now === 0 ? start : (ends[now - 1] ?? start);
  return before + ((after - before) * (nowMs - slot.fromMs)) / (slot.toMs - slot.fromMs);
}

/** Returns what the devices are about to do, without what changes as time goes by. */
export function planDigest({ devices }: Pick<EnergyPlan, "devices">, madeAtMs: number): string {
  const isOver = (ms: number): boolean => ms <= madeAtMs + QUARTER_HOUR_MS;
  const ahead = ({ code, when }: PlanReason) => [
    code,
    when.slice(0, 1).map(({ fromMs, toMs }) => [isOver(fromMs) ? "now" : fromMs, toMs]),
  ];
  const isToBeFull = (reasons: readonly PlanReason[]): boolean => reasons.some(({ code }) => code === "full-charge");
  return JSON.stringify(devices.map(({ id, reasons }) => [id, isToBeFull(reasons), reasons.slice(0, 2).map(ahead)]));
}
