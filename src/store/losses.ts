/** Losses of stored data as they are kept until somebody acknowledges them. */
import type { LossRecord } from "./records/loss.ts";
import type { Write } from "./records.ts";

/** More than a failing disk needs to be told of; the oldest go. */
const MAX_LOSSES = 20;
const MAX_DETAILS = 50;

export function lossOf(id: string, details: readonly string[], foundAtMs: number): LossRecord {
  const kept = details.slice(0, MAX_DETAILS);
  const more = details.length - kept.length;
  return { id, foundAtMs, details: more > 0 ? [...kept, `and ${more} more, see the log`] : kept, state: "OPEN" };
}

/** Removals that make room for one more. */
export function surplusLosses(losses: readonly LossRecord[]): readonly Write[] {
  return losses
    .toSorted((one, other) => one.foundAtMs - other.foundAtMs)
    .slice(0, Math.max(0, losses.length - MAX_LOSSES + 1))
    .map(({ id }) => ({ table: "loss", key: id, remove: true }));
}
