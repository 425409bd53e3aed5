/** The tables in memory. Each record goes through its stored form, so memory is equal to what a restart would read. */
import type { Form } from "./envelope.ts";
import type { TableName, Tables, Write } from "./records.ts";

/**
 * A write in its stored form. It is encoded when the caller passes it, so that later changes of the object have no
 * effect.
 */
export type EncodedWrite =
  | { readonly table: TableName; readonly key: string; readonly json: string }
  | { readonly table: TableName; readonly key: string; readonly json: null };

/** The records of one table by key. `sealed` for records with secrets, so that they are never on disk in clear text. */
class RecordMap<Kept> extends Map<string, Kept> {
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

  /** Returns all records; the same array until a record changes, so that readers need no copy. */
  list(): readonly Kept[] {
    this.#list ??= [...this.values()];
    return this.#list;
  }
}

type Maps = { readonly [Name in TableName]: RecordMap<Tables[Name]> };

/** All tables of the critical database. */
export class MemoryTables {
  readonly #maps: Maps = {
    client: new RecordMap(),
    token: new RecordMap(),
    asset: new RecordMap(),
    action: new RecordMap(),
    lease: new RecordMap(),
    device: new RecordMap("sealed"),
    link: new RecordMap("sealed"),
    location: new RecordMap(),
    idempotency: new RecordMap(),
    placement: new RecordMap(),
    tariff: new RecordMap(),
    "tariff-link": new RecordMap(),
    user: new RecordMap(),
    authorization: new RecordMap(),
    unlinked: new RecordMap(),
    simulated: new RecordMap(),
    override: new RecordMap(),
    schedule: new RecordMap(),
    "schedule-state": new RecordMap(),
    "vehicle-smart": new RecordMap(),
    "charger-smart": new RecordMap(),
    "hvac-smart": new RecordMap(),
    "vehicle-plan": new RecordMap(),
    "charge-shift": new RecordMap(),
    "energy-device": new RecordMap(),
    "energy-site": new RecordMap(),
    "surplus-rule": new RecordMap(),
    "full-charge": new RecordMap(),
    "curtailed-hours": new RecordMap(),
    "flex-event": new RecordMap(),
    webhook: new RecordMap("sealed"),
    "webhook-progress": new RecordMap(),
    hem: new RecordMap(),
    forgotten: new RecordMap(),
    pairing: new RecordMap(),
    "mqtt-retained": new RecordMap(),
    correction: new RecordMap(),
    finding: new RecordMap(),
    note: new RecordMap("sealed"),
    "account-note": new RecordMap("sealed"),
    gateway: new RecordMap(),
    "moved-device": new RecordMap(),
    forecast: new RecordMap(),
    "forecast-quota": new RecordMap(),
    "load-forecast": new RecordMap(),
    "market-day": new RecordMap(),
    "cloud-command": new RecordMap(),
    "cloud-configuration": new RecordMap("sealed"),
    "house-configuration": new RecordMap("sealed"),
    "cloud-telemetry": new RecordMap(),
    "cloud-identity": new RecordMap("sealed"),
    "cloud-enrolment": new RecordMap("sealed"),
    "cloud-farewell": new RecordMap(),
    loss: new RecordMap(),
    site: new RecordMap(),
    "limit-source": new RecordMap(),
    limitation: new RecordMap(),
    account: new RecordMap("sealed"),
    session: new RecordMap(),
    audit: new RecordMap(),
    "client-use": new RecordMap(),
    setup: new RecordMap(),
    "setup-import": new RecordMap(),
    backup: new RecordMap(),
    "notification-channel": new RecordMap(),
    "notification-settings": new RecordMap("sealed"),
    "available-update": new RecordMap(),
    "update-task": new RecordMap(),
    https: new RecordMap("sealed"),
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

  /** Adds a record that was read from disk; its checksum was checked. */
  put(table: TableName, key: string, record: unknown): void {
    const map: Map<string, unknown> = this.#maps[table];
    map.set(key, record);
  }

  has(table: string): table is TableName {
    return Object.hasOwn(this.#maps, table);
  }

  /**
   * Returns true if the records of a table are sealed; also for a table that this version does not have, because they
   * may have been.
   */
  isSealed(table: string): boolean {
    return !this.has(table) || this.#maps[table].isSealed;
  }

  *entries(): Generator<{ readonly table: TableName; readonly key: string; readonly record: object }> {
    for (const table of Object.keys(this.#maps)) {
      if (!this.has(table)) continue;
      for (const [key, record] of this.#maps[table]) yield { table, key, record };
    }
  }
}

/**
 * Encodes a write. Throws for a record without a JSON form: that is a bug of the caller and must not affect other
 * commits.
 */
export function encodeWrite(write: Write): EncodedWrite {
  if ("remove" in write) return { table: write.table, key: write.key, json: null };
  return { table: write.table, key: write.key, json: JSON.stringify(write.put) };
}
