/** The target of a charge as the page sets it. */
import type { EnergyDeviceState } from "../shapes.ts";

export type Target = NonNullable<NonNullable<EnergyDeviceState["policy"]>["target"]>;

interface TargetInput {
  readonly amount: number;
  /** `HH:MM` by the clock of this device. */
  readonly time: string;
  /** The moment that is set already and shown; `null` if another time was chosen. */
  readonly by: string | null;
  readonly days: readonly number[];
  /** The amount is a level, %, and no energy. */
  readonly isLevel: boolean;
  readonly nowMs: number;
}

/** Returns the target to set: on these days, or once, at the next such time unless a moment is set already. */
export function targetOf({ amount, time, by: set, days, isLevel, nowMs }: TargetInput): Target {
  const what = { soc: isLevel ? amount : null, energyKwh: isLevel ? null : amount };
  if (days.length > 0) return { kind: "WEEKLY", time, weekdays: [...days], ...what };
  if (set !== null && Date.parse(set) > nowMs) return { kind: "ONCE", by: set, ...what };
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const by = new Date(nowMs);
  by.setHours(hours, minutes, 0, 0);
  if (by.getTime() <= nowMs) by.setDate(by.getDate() + 1);
  return { kind: "ONCE", by: by.toISOString(), ...what };
}

/** Returns the time of day of a target, by the clock of this device; of none, the usual one. */
export function timeOf(target: Target | null): string {
  if (target === null) return "07:00";
  if (target.kind === "WEEKLY") return target.time;
  const by = new Date(target.by);
  return `${String(by.getHours()).padStart(2, "0")}:${String(by.getMinutes()).padStart(2, "0")}`;
}
