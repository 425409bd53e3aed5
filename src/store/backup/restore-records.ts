/** Changes the records of a backup for the box that they are restored on. */
import { isPending } from "../../domain/actions/action-machine.ts";
import { type Place, sealJson, unseal, unsealJson } from "../envelope.ts";
import { EPOCH_KEY, OUTBOX_KEY, OUTBOX_ROWS, parseRecordKey } from "../keys.ts";
import type { CloudCommandRecord } from "../records/cloud/cloud-command.ts";
import type { ActionRecord, LeaseRecord, TableName, Write } from "../records.ts";
import type { Store } from "../store.ts";
import type { BackupRecord } from "./backup-entries.ts";
import type { RestoredAs } from "./restored-as.ts";

const SECOND_MS = 1_000;

/** What makes a gateway this one for its cloud service and its devices. */
const OF_THE_ORIGINAL: readonly string[] = [
  "gateway",
  "cloud-identity",
  "cloud-enrolment",
  "cloud-farewell",
  "cloud-command",
  "cloud-configuration",
  "cloud-telemetry",
  "lease",
] satisfies readonly TableName[];

/**
 * Converts the records of the critical database, in the order of their keys. The gateway went on after the backup: commands
 * that were pending may have ended, and the next epochs of the journal may be taken. So no command runs again, and the journal
 * begins with the present time, as after a lost database. A copy has nothing by which it would be the same gateway.
 */
export class RestoredRecords {
  readonly #as: RestoredAs;
  readonly #nowMs: number;
  /** Devices with a pending action; actions come before leases. */
  readonly #pending = new Set<string>();

  constructor(as: RestoredAs, nowMs: number) {
    this.#as = as;
    this.#nowMs = nowMs;
  }

  /** Returns the record to put into the new database; `null` if it is left out. Throws a `StorageError("damaged")`. */
  convert(record: BackupRecord): BackupRecord | null {
    if (record.database !== "critical") return record;
    if (record.key === EPOCH_KEY) return this.#withPresentEpoch(record);
    const place = parseRecordKey(record.key);
    const isOriginals = place === null ? isOutbox(record.key) : OF_THE_ORIGINAL.includes(place.table);
    if (this.#as === "copy" && isOriginals) return null;
    switch (place?.table) {
      case "action":
        return this.#withoutPending(record);
      case "lease":
        return changed<LeaseRecord>(record, (lease) =>
          this.#pending.has(lease.deviceId) ? { ...lease, state: "released" } : lease,
        );
      case "cloud-command":
        // One that has expired is answered as interrupted, and does not run again.
        return changed<CloudCommandRecord>(record, (command) => ({ ...command, expiresAtMs: 0 }));
      default:
        return record;
    }
  }

  #withPresentEpoch(record: BackupRecord): BackupRecord {
    const epoch = Math.max(Number(unsealJson(record.key, record.value)), Math.floor(this.#nowMs / SECOND_MS));
    return { ...record, value: sealJson(record.key, { epoch, seq: 0 }, epoch) };
  }

  #withoutPending(record: BackupRecord): BackupRecord {
    return changed<ActionRecord>(record, (action) => {
      if (!isPending(action.action)) return action;
      this.#pending.add(action.deviceId);
      return { ...action, isDoubtful: true };
    });
  }
}

/** Returns the writes that pause the webhooks of a copy, so that their receivers get nothing twice. */
export function pausedWebhooks(store: Pick<Store, "all">): readonly Write[] {
  return store.all("webhook").map((webhook) => ({
    table: "webhook",
    key: webhook.id,
    put: { ...webhook, isActive: false },
  }));
}

function isOutbox(key: string): boolean {
  return key === OUTBOX_KEY || (key >= OUTBOX_ROWS.gte && key < OUTBOX_ROWS.lt);
}

/** Changes a record of a table without secrets; it keeps its place. */
function changed<Stored>(record: BackupRecord, change: (stored: Stored) => Stored): BackupRecord {
  const { key, value } = record;
  const place: Place = unseal(key, value).place;
  return { ...record, value: sealJson(key, place, change(unsealJson(key, value) as Stored)) };
}
