/** Handles a database that was rebuilt from a damaged one: its report, and records that may be outdated. */
import { isPending } from "../domain/actions/action-machine.ts";
import type { DatabaseName, Salvage } from "../platform/ports/ports.ts";
import type { StoredRow } from "./critical-image.ts";
import { parseRecordKey, recordKey } from "./keys.ts";
import type { MigratedRow } from "./migrations.ts";
import type { CloudCommandRecord } from "./records/cloud/cloud-command.ts";
import type { ActionRecord, LeaseRecord } from "./records.ts";

/** Maximum number of records in a report; further ones are counted. */
const MAX_NAMED = 20;

/** Returns the report for the owner, in one line. */
export function salvageText(name: DatabaseName, { damage, where, doubtful }: Salvage): string {
  const start = `${name} database: ${damage.join(", ")}; rebuilt from its intact parts, the damaged one was moved to ${where}`;
  const records = doubtful.flatMap((key) => parseRecordKey(key) ?? []);
  if (records.length === 0) return start;
  const named = records.slice(0, MAX_NAMED).map(({ table, key }) => `${table} ${key}`);
  const more = records.length > MAX_NAMED ? ` and ${records.length - MAX_NAMED} more` : "";
  return `${start}; the last changes may be lost, and these records may be outdated or removed: ${named.join(", ")}${more}`;
}

/**
 * Returns the records as they can be used safely after damage: actions that may have ended are not continued, and their
 * leases are released.
 */
export function withCaution(rows: readonly StoredRow[], doubtful: readonly string[]): readonly StoredRow[] {
  const keys = new Set(doubtful);
  const isDoubtful = ({ table, key }: StoredRow): boolean => keys.has(recordKey(table, key));
  const devices = new Set(rows.flatMap((row) => (isDoubtful(row) ? pendingDevice(row) : [])));
  return rows.map((row) => {
    if (!("record" in row)) return row;
    if (row.table === "lease") return { ...row, record: takenBack(row.record as LeaseRecord, devices) };
    return isDoubtful(row) ? { ...row, record: cautious(row) } : row;
  });
}

function pendingDevice(row: StoredRow): readonly string[] {
  if (row.table !== "action" || !("record" in row)) return [];
  const { action, deviceId } = row.record as ActionRecord;
  return isPending(action) ? [deviceId] : [];
}

function takenBack(lease: LeaseRecord, devices: ReadonlySet<string>): LeaseRecord {
  return devices.has(lease.deviceId) ? { ...lease, state: "released" } : lease;
}

function cautious({ table, record }: MigratedRow): unknown {
  if (table === "action") return { ...(record as ActionRecord), isDoubtful: true };
  // An expired command is answered as interrupted and does not run again.
  if (table === "cloud-command") return { ...(record as CloudCommandRecord), expiresAtMs: 0 };
  return record;
}
