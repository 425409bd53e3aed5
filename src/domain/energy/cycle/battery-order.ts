/** Decides about the batteries of a house one after the other: each sees what those before it are about to take more or less. */
import { type BatteryInputs, batteryDecision } from "./battery-allocation.ts";
import { perWattOf, SETTLED_MS } from "./battery-power.ts";
import { type BatteryMemory, EMPTY_BATTERY_MEMORY } from "./cycle-memory.ts";
import type { Decision } from "./energy-decision.ts";
import type { BatteryView } from "./energy-snapshot.ts";
import { finite } from "./grid-reading.ts";

/** What a battery without a known power is taken to charge with, W. */
const DEFAULT_CHARGE_W = 5_000;

export interface BatteryOutcome {
  readonly id: string;
  readonly decision: Decision;
  readonly memory: BatteryMemory;
}

export function batteryDecisions(
  memories: ReadonlyMap<string, BatteryMemory>,
  inputs: BatteryInputs,
): readonly BatteryOutcome[] {
  let left = inputs;
  return inputs.snapshot.batteries.map((battery) => {
    const outcome = batteryDecision(battery, memories.get(battery.id) ?? EMPTY_BATTERY_MEMORY, left);
    left = without(left, battery, outcome.memory);
    return { id: battery.id, ...outcome };
  });
}

/** The inputs for the next battery: the meter as it will be, and the limits without the room that was just given away. */
function without(inputs: BatteryInputs, battery: BatteryView, memory: BatteryMemory): BatteryInputs {
  const { grid, rows, snapshot } = inputs;
  const change = changeOf(battery, memory, snapshot.nowMs);
  if (change.watts === 0) return inputs;
  const takenW = change.isNew ? Math.max(0, change.watts) : 0;
  const { newest } = grid;
  return {
    ...inputs,
    grid: newest === null ? grid : { ...grid, newest: { ...newest, powerW: newest.powerW + change.watts } },
    rows: rows.map((row) => {
      const perWatt = perWattOf(battery, row, snapshot.site);
      const measured = row.measured === null ? null : row.measured + change.watts * perWatt;
      return { ...row, measured, maybeTaken: row.maybeTaken + takenW * perWatt };
    }),
  };
}

/** By how much a battery will take more than its reading shows, W. `isNew`: the limits do not count it yet. */
function changeOf(
  battery: BatteryView,
  { power, command }: BatteryMemory,
  nowMs: number,
): { readonly watts: number; readonly isNew: boolean } {
  const measuredW = finite(battery.powerW) ?? 0;
  const sinceMs = Math.max(power?.atMs ?? -Infinity, command?.atMs ?? -Infinity);
  if (nowMs - sinceMs >= SETTLED_MS) return { watts: 0, isNew: false };
  const goalW = power?.watts ?? powerIn(command?.mode ?? null, battery, measuredW);
  return { watts: goalW - measuredW, isNew: sinceMs === nowMs };
}

/** What a battery takes in a mode without a power, W: one that follows the meter stops charging, and goes on as it was else. */
function powerIn(mode: BatteryView["mode"], battery: BatteryView, measuredW: number): number {
  if (mode === "IMPORT_FOCUS") return finite(battery.maxChargeW) ?? Math.max(DEFAULT_CHARGE_W, measuredW);
  if (mode === "EXPORT_FOCUS") return -(finite(battery.maxDischargeW) ?? Math.max(DEFAULT_CHARGE_W, -measuredW));
  return mode === "IDLE" ? 0 : Math.min(0, measuredW);
}
