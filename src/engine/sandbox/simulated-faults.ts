import { instant } from "../../domain/fields.ts";
import {
  holdsAt,
  type NewSimulatedFault,
  type SimulatedDevice,
  type SimulatedFault,
} from "../../domain/sandbox/simulated.ts";
import type { SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";

const DEFAULT_DELAY_SECONDS = 30;

/** Returns the requested faults, beginning now. */
export function faultsFrom(requested: readonly NewSimulatedFault[], nowMs: number): readonly SimulatedFault[] {
  return requested.map(({ kind, seconds, delaySeconds = DEFAULT_DELAY_SECONDS }) => ({
    kind,
    until: seconds === undefined ? null : instant(nowMs + seconds * 1_000),
    delaySeconds: kind === "slow" ? delaySeconds : null,
  }));
}

/** Returns the faults of a device after a change, without those that are over. */
export function faultsAfter(
  { faults }: Pick<SimulatedDevice, "faults">,
  changes: SimulatedChanges,
  nowMs: number,
): readonly SimulatedFault[] {
  const kept = changes.faults === undefined ? faults.filter((fault) => holdsAt(fault, nowMs)) : [];
  const all = [...kept, ...faultsFrom(changes.faults ?? [], nowMs)];
  if (changes.isReachable === undefined) return all;
  const others = all.filter(({ kind }) => kind !== "unreachable");
  return changes.isReachable ? others : [...others, { kind: "unreachable", until: null, delaySeconds: null }];
}
