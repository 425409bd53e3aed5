/** The records in memory. They are what a restart would read: each goes through its stored form. */
import type { Form } from "./envelope.ts";
import type { TableName, Tables, Write } from "./records.ts";

/** A write in its stored form, taken when the caller hands it over, so that nobody changes it later. */
export type EncodedWrite =
  | { readonly table: TableName; readonly key: string; readonly json: string }
  | { readonly table: TableName; readonly key: string; readonly json: null };

/** The records of one table by their keys; `sealed` where they hold secrets, so that they are never on disk in clear. */
class Shelf<Kept> extends Map<string, Kept> {
  readonly isSealed: boolean;
  #list: readonly Kept[] | null = null;

  constructor(form: Form = "clear") {
    super();
    this.isSealed = form === "sealed";
  }

  override set(key: string, record: Kept): this {
    this.#list = null;
    return super.set(key, record);
  }

  override delete(key: string): boolean {
    this.#list = null;
    return super.delete(key);
  }

  /** The same until a record changes: whoever looks for something in a table copies nothing. */
  list(): readonly Kept[] {
    this.#list ??= [...this.values()];
    return this.#list;
  }
}

type Maps = { readonly [Name in TableName]: Shelf<Tables[Name]> };

export class MemoryTables {
  readonly #maps: Maps = {
    client: new Shelf(),
    token: new Shelf(),
    asset: new Shelf(),
    action: new Shelf(),
    lease: new Shelf(),
    device: new Shelf("sealed"),
    link: new Shelf("sealed"),
    location: new Shelf(),
    idempotency: new Shelf(),
    placement: new Shelf(),
    tariff: new Shelf(),
    "tariff-link": new Shelf(),
    user: new Shelf(),
    authorization: new Shelf(),
    unlinked: new Shelf(),
    simulated: new Shelf(),
    override: new Shelf(),
    schedule: new Shelf(),
    "schedule-state": new Shelf(),
    "vehicle-smart": new Shelf(),
    "charger-smart": new Shelf(),
    "hvac-smart": new Shelf(),
    "vehicle-plan": new Shelf(),
    "charge-shift": new Shelf(),
    webhook: new Shelf("sealed"),
    "webhook-progress": new Shelf(),
    hem: new Shelf(),
    forgotten: new Shelf(),
    pairing: new Shelf(),
    "mqtt-retained": new Shelf(),
    correction: new Shelf(),
    finding: new Shelf(),
    note: new Shelf("sealed"),
    "account-note": new Shelf("sealed"),
    gateway: new Shelf(),
    "moved-device": new Shelf(),
    forecast: new Shelf(),
    "forecast-quota": new Shelf(),
    "market-day": new Shelf(),
    "cloud-command": new Shelf(),
    "cloud-configuration": new Shelf("sealed"),
    "cloud-telemetry": new Shelf(),
    "cloud-identity": new Shelf("sealed"),
    "cloud-enrolment": new Shelf("sealed"),
    "cloud-farewell": new Shelf(),
    loss: new Shelf(),
  };

  all<Name extends TableName>(table: Name): readonly Tables[Name][] {
    return this.#maps[table].list();
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

  /** Whether the records of a table are sealed; a table that this version no longer has may have been. */
  isSealed(table: string): boolean {
    return !this.has(table) || this.#maps[table].isSealed;
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
