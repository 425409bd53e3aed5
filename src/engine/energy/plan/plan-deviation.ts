import type { EnergyPlan } from "../../../domain/energy/plan/energy-plan.ts";
import { storedInPlan } from "../../../domain/energy/plan/plan-acts.ts";
import type { PlanTargets } from "./plan-targets.ts";

/** A charge that is further from the planned one than this share of the capacity, this energy, kWh, or temperature, K, is news. */
const DEVIATION = { share: 0.05, kwh: 1, kelvin: 2 };

/** Returns true if what is stored is far from what the plan, which was made for `before`, expected by now. */
export function deviates(plan: EnergyPlan, before: PlanTargets, now: PlanTargets, nowMs: number): boolean {
  const isApart = (id: string, start: number, stored: number, least: number): boolean => {
    const device = plan.devices.find((each) => each.id === id);
    const expected = device === undefined ? null : storedInPlan(plan, device, start, nowMs);
    return expected !== null && Math.abs(expected - stored) > least;
  };
  const isFar = (id: string, startKwh: number, nowKwh: number, ofKwh: number): boolean =>
    isApart(id, startKwh, nowKwh, ofKwh * DEVIATION.share);
  const ofBatteries = now.batteries.some(({ id, storedKwh, maxKwh }) => {
    const start = before.batteries.find((each) => each.id === id)?.storedKwh ?? null;
    return start !== null && storedKwh !== null && isFar(id, start, storedKwh, maxKwh);
  });
  const ofVehicles = now.vehicles.some(({ id, neededKwh }) => {
    const start = before.vehicles.find((each) => each.id === id)?.neededKwh;
    if (start === undefined) return false;
    return isFar(id, 0, start - neededKwh, Math.max(start, DEVIATION.kwh / DEVIATION.share));
  });
  const ofHeats = now.heats.some(({ id, temperatureC }) => {
    const start = before.heats.find((each) => each.id === id)?.temperatureC ?? null;
    return start !== null && temperatureC !== null && isApart(id, start, temperatureC, DEVIATION.kelvin);
  });
  return ofBatteries || ofVehicles || ofHeats;
}
