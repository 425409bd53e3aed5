import type { Location } from "../../domain/places/location.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";

/** What is stored, and told, when a location goes. */
export interface RemovalChanges {
  readonly writes: readonly Write[];
  readonly entries: readonly NewJournalEntry[];
}

/**
 * What a part does when a location goes: it adds its changes to the one commit by calling `commit`, once, and takes them
 * over in memory when that resolves. It may hold a lock of its own around the call. When `commit` rejects nothing is
 * stored, and the step passes the rejection on.
 */
export type RemovalStep = (location: Location, commit: (changes: RemovalChanges) => Promise<void>) => Promise<void>;

/** The parts that have something at locations. All of their changes and the removal itself are one commit. */
export class LocationRemovals {
  readonly #store: Pick<Store, "commit">;
  readonly #hooks: { readonly locationRemovals: readonly RemovalStep[] };

  constructor(store: Pick<Store, "commit">, hooks: { readonly locationRemovals: readonly RemovalStep[] }) {
    this.#store = store;
    this.#hooks = hooks;
  }

  /** Runs all steps around one commit. Rejects as `commit` of the store does; then nothing has changed. */
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
