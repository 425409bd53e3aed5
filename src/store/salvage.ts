/** What follows from a database that was made anew from a damaged one: what is said of it, and what is not relied on. */
import { isPending } from "../domain/actions/action-machine.ts";
import type { DatabaseName, Salvage } from "../platform/ports/ports.ts";
import type { StoredRow } from "./critical-image.ts";
import { parseRecordKey, recordKey } from "./keys.ts";
import type { MigratedRow } from "./migrations.ts";
import type { CloudCommandRecord } from "./records/cloud/cloud-command.ts";
import type { ActionRecord, LeaseRecord } from "./records.ts";

/** More are counted only. */
const MAX_NAMED = 20;

/** In one line for the owner. */
export function salvageText(name: DatabaseName, { damage, where, doubtful }: Salvage): string {
  const start = `${name} database: ${damage.join(", ")}; made anew from what is intact, the damaged one moved to ${where}`;
  const records = doubtful.flatMap((key) => parseRecordKey(key) ?? []);
  if (records.length === 0) return start;
  const named = records.slice(0, MAX_NAMED).map(({ table, key }) => `${table} ${key}`);
  const more = records.length > MAX_NAMED ? ` and ${records.length - MAX_NAMED} more` : "";
  return `${start}; the last changes may be lost, and these may be older than they were, or were removed: ${named.join(", ")}${more}`;
}

/**
 * Records as they may be used after damage: what may have ended since is not carried on with, and what it holds on its
 * device is taken back.
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
  // Its time is over: it is answered as interrupted, and does not run again.
  if (table === "cloud-command") return { ...(record as CloudCommandRecord), expiresAtMs: 0 };
  return record;
}
