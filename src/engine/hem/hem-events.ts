import { changesBetween } from "../../domain/assets/changes.ts";
import type { HemSystem } from "../../domain/hem/hem-system.ts";
import type { NewJournalEntry } from "../../store/store.ts";

export function hemEvent(happened: "discovered" | "deleted", system: HemSystem): NewJournalEntry {
  return { event: `user:hem-system:${happened}`, payload: { user: { id: system.userId }, hemSystem: system } };
}

/** Null when nothing changed but stamps. */
export function hemUpdated(before: HemSystem, system: HemSystem): NewJournalEntry | null {
  const { paths } = changesBetween(before, system);
  if (paths.length === 0) return null;
  const payload = { user: { id: system.userId }, hemSystem: system, updatedFields: paths };
  return { event: "user:hem-system:updated", payload };
}
