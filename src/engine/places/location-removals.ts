import type { Location } from "../../domain/places/location.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";

/** The writes and journal entries for the removal of a location. */
export interface RemovalChanges {
  readonly writes: readonly Write[];
  readonly entries: readonly NewJournalEntry[];
}

/**
 * Removes what a feature keeps about a location. It calls `commit` once with its changes, and applies them in memory when
 * that resolves. It may hold its own lock around the call. If `commit` rejects, nothing is stored, and the step rejects too.
 */
export type RemovalStep = (location: Location, commit: (changes: RemovalChanges) => Promise<void>) => Promise<void>;

/** Removes locations: the changes of all features and the removal itself are one commit. */
export class LocationRemovals {
  readonly #store: Pick<Store, "commit">;
  readonly #hooks: { readonly locationRemovals: readonly RemovalStep[] };

  constructor(store: Pick<Store, "commit">, hooks: { readonly locationRemovals: readonly RemovalStep[] }) {
    this.#store = store;
    this.#hooks = hooks;
  }

  /** Runs all steps around one commit. Rejects with a `StorageError`; then nothing has changed. */
  async run(location: Location): Promise<void> {
    const writes: Write[] = [];
    const entries: NewJournalEntry[] = [];
    const steps = this.#hooks.locationRemovals;
    const runFrom = async (index: number): Promise<void> => {
      const step = steps[index];
      if (step === undefined) return await this.#store.commit(writes, entries);
      await step(location, async (changes) => {
        writes.push(...changes.writes);
        entries.push(...changes.entries);
        await runFrom(index + 1);
      });
    };
    await runFrom(0);
  }
}
