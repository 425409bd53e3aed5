/** Records of lost data, which are kept until somebody acknowledges them. */
import type { LossRecord } from "./records/loss.ts";
import type { Write } from "./records.ts";

/** Maximum number of open losses; the oldest are removed. */
const MAX_LOSSES = 20;
const MAX_DETAILS = 50;

/** Returns the record of a loss; long lists of details are shortened. */
export function lossOf(id: string, details: readonly string[], foundAtMs: number): LossRecord {
  const kept = details.slice(0, MAX_DETAILS);
  const more = details.length - kept.length;
  return { id, foundAtMs, details: more > 0 ? [...kept, `and ${more} more, see the log`] : kept, state: "OPEN" };
}

/** Returns the removals that make room for one more loss. */
export function surplusLosses(losses: readonly LossRecord[]): readonly Write[] {
  return losses
    .toSorted((one, other) => one.foundAtMs - other.foundAtMs)
    .slice(0, Math.max(0, losses.length - MAX_LOSSES + 1))
    .map(({ id }) => ({ table: "loss", key: id, remove: true }));
}
