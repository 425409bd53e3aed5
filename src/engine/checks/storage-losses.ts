import { problem } from "../../domain/problem.ts";
import type { LossRecord } from "../../store/records/loss.ts";
import type { Store } from "../../store/store.ts";
import type { StorageLosses } from "../contracts/losses.ts";

/** Data losses that the store recorded, until the owner dismisses them. */
export class StoredLosses implements StorageLosses {
  readonly #store: Pick<Store, "all" | "get" | "commit">;

  constructor({ store }: { readonly store: Pick<Store, "all" | "get" | "commit"> }) {
    this.#store = store;
  }

  list(): readonly LossRecord[] {
    return this.#store.all("loss");
  }

  get(id: string): LossRecord | null {
    return this.#store.get("loss", id);
  }

  async dismiss(id: string): Promise<LossRecord> {
    const record = this.get(id);
    if (record === null) throw problem("not-found", `There is no finding "${id}".`);
    const dismissed: LossRecord = { ...record, state: "DISMISSED" };
    await this.#store.commit([{ table: "loss", key: id, put: dismissed }], []);
    return dismissed;
  }
}
