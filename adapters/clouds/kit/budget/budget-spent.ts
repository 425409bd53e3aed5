/** What was spent of a budget, and how it is kept. */
import { z } from "hemgate/sdk";

export const amount = z.number().min(0);
const ageMs = z.number();

/** `told` (a key on disk): used by others, as the vendor reports; newer reports replace older ones. */
const SpentFor = z.enum(["login", "command", "poll", "told"]);
export type SpentFor = z.infer<typeof SpentFor>;

/** As on disk. Ages are ms before it was written; the last is of the first of what counts as one. */
export const SavedParts = z.array(z.tuple([ageMs, amount, SpentFor, ageMs.optional()]));
export type SavedParts = z.infer<typeof SavedParts>;

export interface Spent {
  /** The last and the first of it, monotonic ms. */
  readonly atMs: number;
  readonly sinceMs: number;
  readonly units: number;
  readonly purpose: SpentFor;
  /** True: `atMs` supposes that no time passed between two runs. */
  readonly isRestored: boolean;
}

export function saved(parts: readonly Spent[], nowMs: number): SavedParts {
  return parts.map(({ atMs, sinceMs, units, purpose }) => {
    return [Math.floor(nowMs - atMs), units, purpose, Math.floor(nowMs - sinceMs)];
  });
}

/** As if they had been saved just now. */
export function restored(parts: SavedParts, nowMs: number, isRestored: boolean): readonly Spent[] {
  return parts.map(([age, units, purpose, firstAge = age]) => {
    return { atMs: nowMs - age, sinceMs: nowMs - firstAge, units, purpose, isRestored };
  });
}

/**
 * What was spent within a slot, as one with the latest time of its parts. A slot begins with its first part, so that however
 * often it is gathered again, over restarts too, nothing counts longer than one slot more than it has to.
 */
export function gathered(parts: readonly Spent[], slotMs: number): readonly Spent[] {
  const alike = Map.groupBy(parts, ({ purpose, isRestored }) => `${purpose} ${isRestored}`);
  return [...alike.values()].flatMap((same) => {
    const slots: Spent[] = [];
    for (const part of same.toSorted((a, b) => a.sinceMs - b.sinceMs)) {
      const slot = slots.at(-1);
      const isSame = slot !== undefined && Math.max(slot.atMs, part.atMs) - slot.sinceMs <= slotMs;
      if (isSame) slots[slots.length - 1] = joined(slot, part);
      else slots.push(part);
    }
    return slots;
  });
}

function joined(slot: Spent, part: Spent): Spent {
  return { ...slot, atMs: Math.max(slot.atMs, part.atMs), units: slot.units + part.units };
}
