import { changesBetween } from "../../domain/assets/changes.ts";
import type { HemSystem } from "../../domain/hem/hem-system.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import { userEvent } from "../events.ts";

/** Returns the journal entry for a new or deleted system. */
export function hemEvent(happened: "discovered" | "deleted", system: HemSystem): NewJournalEntry {
  return userEvent(`hem-system:${happened}`, system.userId, { hemSystem: system });
}

/** Returns the journal entry for a changed system; `null` if only timestamps changed. */
export function hemUpdated(before: HemSystem, system: HemSystem): NewJournalEntry | null {
  const { paths } = changesBetween(before, system);
  if (paths.length === 0) return null;
  return userEvent("hem-system:updated", system.userId, { hemSystem: system, updatedFields: paths });
}
