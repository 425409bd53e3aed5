/** The records in memory. They are what a restart would read: each goes through its stored form. */
import type { TableName, Tables, Write } from "./records.ts";

/** A write in its stored form, taken when the caller hands it over, so that nobody changes it later. */
export type EncodedWrite =
  | { readonly table: TableName; readonly key: string; readonly json: string }
  | { readonly table: TableName; readonly key: string; readonly json: null };

type Maps = { readonly [Name in TableName]: Map<string, Tables[Name]> };

export class MemoryTables {
  readonly #maps: Maps = {
    client: new Map(),
    token: new Map(),
    asset: new Map(),
    action: new Map(),
    lease: new Map(),
    device: new Map(),
    link: new Map(),
    location: new Map(),
    idempotency: new Map(),
    placement: new Map(),
    tariff: new Map(),
    "tariff-link": new Map(),
    user: new Map(),
    authorization: new Map(),
    unlinked: new Map(),
    simulated: new Map(),
    override: new Map(),
    schedule: new Map(),
    "schedule-state": new Map(),
    "vehicle-smart": new Map(),
    "charger-smart": new Map(),
    "hvac-smart": new Map(),
    "vehicle-plan": new Map(),
    "charge-shift": new Map(),
    webhook: new Map(),
    hem: new Map(),
    forgotten: new Map(),
  };

  all<Name extends TableName>(table: Name): readonly Tables[Name][] {
    return [...this.#maps[table].values()];
  }

  get<Name extends TableName>(table: Name, key: string): Tables[Name] | null {
    return this.#maps[table].get(key) ?? null;
  }

  keyed<Name extends TableName>(table: Name): ReadonlyMap<string, Tables[Name]> {
    return this.#maps[table];
  }

  apply(write: EncodedWrite): void {
    if (write.json === null) this.#maps[write.table].delete(write.key);
    else this.put(write.table, write.key, JSON.parse(write.json));
  }

  /** A record as it was read back; its checksum says that it is what was written. */
  put(table: TableName, key: string, record: unknown): void {
    const map: Map<string, unknown> = this.#maps[table];
    map.set(key, record);
  }

  has(table: string): table is TableName {
    return Object.hasOwn(this.#maps, table);
  }

  *entries(): Generator<{ readonly table: TableName; readonly key: string; readonly record: unknown }> {
    for (const table of Object.keys(this.#maps)) {
      if (!this.has(table)) continue;
      for (const [key, record] of this.#maps[table]) yield { table, key, record };
    }
  }
}

/** Throws for a record that JSON cannot hold: that is a bug of the caller, and no other commit shall pay for it. */
export function encodeWrite(write: Write): EncodedWrite {
  if ("remove" in write) return { table: write.table, key: write.key, json: null };
  return { table: write.table, key: write.key, json: JSON.stringify(write.put) };
}
