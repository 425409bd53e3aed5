/** Why each device does what it does in a plan: codes and figures of which a text can be made. */
import type { PlannedSlot, PlannedTarget, PlanReason, PlanReasonCode, TimeSpan } from "./energy-plan.ts";
import type { PlanBattery } from "./plan-inputs.ts";

/** Less counts as nothing, kW. */
const NOTHING_KW = 0.05;
/** Prices that differ by less are equal, per kWh. */
const SAME_PRICE = 0.0005;
/** At this share of its highest power a slot is taken. */
const TAKEN_SHARE = 0.9;
/** How far above its lower limit a temperature counts as at the limit, K. */
const AT_LIMIT_K = 0.3;

interface DeviceSlots {
  readonly slots: readonly PlannedSlot[];
  readonly powerKw: readonly number[];
}

/** A reason without a comparison. */
export function plainReason(code: PlanReasonCode, when: readonly TimeSpan[] = []): PlanReason {
  return { code, when, priceDifference: null, alternative: null, shortKwh: null };
}

export function vehicleReasons({
  slots,
  powerKw,
  maxKw,
  targets,
  surplusKw,
}: DeviceSlots & {
  readonly maxKw: readonly number[];
  readonly targets: readonly PlannedTarget[];
  readonly surplusKw: readonly number[];
}): readonly PlanReason[] {
  const charges = indexes(slots, (slot) => (powerKw[slot] ?? 0) > NOTHING_KW);
  const isSunny = (slot: number) => (surplusKw[slot] ?? 0) >= (powerKw[slot] ?? 0) / 2;
  const fromGrid = charges.filter((slot) => !isSunny(slot));
  const reasons: PlanReason[] = [];
  const sunny = charges.filter(isSunny);
  if (sunny.length > 0) reasons.push(plainReason("surplus", spans(slots, sunny)));
  // One reason for the slots before each target, and one for those after the last.
  const edges = [...targets.map(({ atMs }) => atMs).toSorted((a, b) => a - b), Infinity];
  for (const [index, edgeMs] of edges.entries()) {
    const sinceMs = edges[index - 1] ?? -Infinity;
    const isWithin = (slot: number) => (slots[slot]?.fromMs ?? 0) >= sinceMs && (slots[slot]?.toMs ?? 0) <= edgeMs;
    const used = fromGrid.filter(isWithin);
    const shortKwh = targets.find(({ atMs }) => atMs === edgeMs)?.shortKwh ?? 0;
    if (shortKwh > NOTHING_KW) reasons.push({ ...plainReason("out-of-reach", spans(slots, used)), shortKwh });
    else if (used.length > 0)
      reasons.push(chosenHours(slots, used, freeSlots({ slots, powerKw, maxKw }).filter(isWithin)));
  }
  return ordered(reasons);
}

/** Slots that could have been used and are not. */
function freeSlots({ slots, powerKw, maxKw }: DeviceSlots & { readonly maxKw: readonly number[] }): number[] {
  return indexes(slots, (slot) => {
    const limit = maxKw[slot] ?? 0;
    return limit > NOTHING_KW && (powerKw[slot] ?? 0) < limit * TAKEN_SHARE;
  });
}

function chosenHours(slots: readonly PlannedSlot[], used: readonly number[], free: readonly number[]): PlanReason {
  const others = free.filter((slot) => !used.includes(slot));
  const when = spans(slots, used);
  const alternative = spanOf(slots, others);
  if (alternative === null) return plainReason("whole-time-needed", when);
  const priceDifference = meanPrice(slots, others) - meanPrice(slots, used);
  if (priceDifference < SAME_PRICE) return plainReason("before-target", when);
  return { code: "cheaper", when, priceDifference, alternative, shortKwh: null };
}

export function batteryReasons({
  battery,
  slots,
  powerKw,
  storedKwh,
  fullAtMs,
}: DeviceSlots & {
  readonly battery: PlanBattery;
  readonly storedKwh: readonly number[];
  readonly fullAtMs: number | null;
}): readonly PlanReason[] {
  const isForFull = (slot: number) => fullAtMs !== null && (slots[slot]?.toMs ?? Infinity) <= fullAtMs;
  const netKw = (slot: number) => (slots[slot]?.loadKw ?? 0) - (slots[slot]?.pvKw ?? 0);
  const power = (slot: number) => powerKw[slot] ?? 0;
  const allCharges = indexes(slots, (slot) => power(slot) > NOTHING_KW);
  const charges = allCharges.filter((slot) => !isForFull(slot));
  const discharges = indexes(slots, (slot) => power(slot) < -NOTHING_KW);
  const isGridCharge = (slot: number) => (slots[slot]?.importKw ?? 0) > NOTHING_KW;
  const sells = discharges.filter((slot) => (slots[slot]?.exportKw ?? 0) > Math.max(0, -netKw(slot)) + NOTHING_KW);
  const covers = discharges.filter((slot) => !sells.includes(slot));
  const waits = indexes(
    slots,
    (slot) =>
      !isForFull(slot) &&
      Math.abs(power(slot)) <= NOTHING_KW &&
      netKw(slot) > NOTHING_KW &&
      (storedKwh[slot] ?? 0) > battery.minKwh + NOTHING_KW &&
      covers.some((later) => later > slot),
  );
  const compared = (code: PlanReasonCode, used: readonly number[], others: readonly number[]): PlanReason[] => {
    if (used.length === 0) return [];
    const price = meanPrice(slots, used);
    const dearer = others.filter((slot) => (slots[slot]?.importPrice ?? 0) > price + SAME_PRICE);
    const difference = dearer.length === 0 ? null : meanPrice(slots, dearer) - price;
    const when = spans(slots, used);
    return [{ code, when, priceDifference: difference, alternative: spanOf(slots, dearer), shortKwh: null }];
  };
  const isBelowReserve = (slot: number): boolean =>
    ((slot === 0 ? battery.storedKwh : storedKwh[slot - 1]) ?? 0) < battery.minKwh - NOTHING_KW;
  const toReserve = charges.filter((slot) => isGridCharge(slot) && isBelowReserve(slot));
  const fromGrid = charges.filter((slot) => isGridCharge(slot) && !toReserve.includes(slot));
  const after = (used: readonly number[]) => covers.filter((slot) => slot > (used[0] ?? 0));
  const isToBeFull = (battery.fullByMs ?? null) !== null;
  return ordered([
    ...(isToBeFull ? [plainReason("full-charge", spans(slots, allCharges.filter(isForFull)))] : []),
    ...compared("reserve", toReserve, []),
    ...compared("cheaper", fromGrid, after(fromGrid)),
    ...compared(
      "surplus",
      charges.filter((slot) => !isGridCharge(slot)),
      [],
    ),
    ...compared("covers-house", covers, []),
    ...compared("waits-for-dearer-hours", waits, after(waits)),
    ...compared("sells", sells, []),
  ]);
}

export function heatReasons({
  slots,
  powerKw,
  temperatureC,
  minC,
  surplusKw,
}: DeviceSlots & {
  readonly temperatureC: readonly number[];
  readonly minC: readonly number[];
  readonly surplusKw: readonly number[];
}): readonly PlanReason[] {
  const used = indexes(slots, (slot) => (powerKw[slot] ?? 0) > NOTHING_KW);
  const unused = indexes(slots, (slot) => (powerKw[slot] ?? 0) <= NOTHING_KW);
  const isSunny = (slot: number) => (surplusKw[slot] ?? 0) >= (powerKw[slot] ?? 0) / 2;
  const isNeeded = (slot: number) => (temperatureC[slot] ?? 0) <= (minC[slot] ?? -Infinity) + AT_LIMIT_K;
  const sunny = used.filter(isSunny);
  const needed = used.filter((slot) => !isSunny(slot) && isNeeded(slot));
  const early = used.filter((slot) => !isSunny(slot) && !isNeeded(slot));
  const reasons = [
    ...(sunny.length > 0 ? [plainReason("surplus", spans(slots, sunny))] : []),
    ...(needed.length > 0 ? [plainReason("comfort", spans(slots, needed))] : []),
    ...(early.length > 0 ? [chosenHours(slots, early, unused)] : []),
  ];
  return ordered(reasons.map(asHeat));
}

/** Heat has no target: what no other time would be cheaper for is needed to stay warm. */
function asHeat(reason: PlanReason): PlanReason {
  switch (reason.code) {
    case "cheaper":
      return { ...reason, code: "heats-cheaper" };
    case "before-target":
    case "whole-time-needed":
      return plainReason("comfort", reason.when);
    default:
      return reason;
  }
}

function ordered(reasons: readonly PlanReason[]): readonly PlanReason[] {
  if (reasons.length === 0) return [plainReason("nothing-to-do")];
  return reasons.toSorted((a, b) => (a.when[0]?.fromMs ?? Infinity) - (b.when[0]?.fromMs ?? Infinity));
}

function indexes(slots: readonly PlannedSlot[], isIn: (slot: number) => boolean): number[] {
  return slots.flatMap((_, slot) => (isIn(slot) ? [slot] : []));
}

/** Slots side by side become one stretch. */
function spans(slots: readonly PlannedSlot[], which: readonly number[]): readonly TimeSpan[] {
  const found: TimeSpan[] = [];
  for (const index of which) {
    const slot = slots[index];
    const last = found.at(-1);
    if (slot === undefined) continue;
    if (last?.toMs === slot.fromMs) found[found.length - 1] = { fromMs: last.fromMs, toMs: slot.toMs };
    else found.push({ fromMs: slot.fromMs, toMs: slot.toMs });
  }
  return found;
}

function spanOf(slots: readonly PlannedSlot[], which: readonly number[]): TimeSpan | null {
  const first = slots[which[0] ?? -1];
  const last = slots[which.at(-1) ?? -1];
  return first === undefined || last === undefined ? null : { fromMs: first.fromMs, toMs: last.toMs };
}

function meanPrice(slots: readonly PlannedSlot[], which: readonly number[]): number {
  return which.reduce((sum, slot) => sum + (slots[slot]?.importPrice ?? 0), 0) / Math.max(1, which.length);
}
