import { isPending, nextAction } from "../../domain/actions/action-machine.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import { removeLease } from "../actions/lease-records.ts";
import { withoutUnused } from "../adapters/account-notes.ts";
import { removeNote } from "../adapters/device-notes.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import { actionUpdated } from "../events.ts";
import { assetRemoval } from "../fleet/asset-removal.ts";
import type { Roster } from "../fleet/roster.ts";

export interface RetirementOptions {
  readonly store: Pick<Store, "commit" | "all">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  /** The user of a device that names none. */
  readonly owner: string;
  readonly forgetters: Required<Forgetter>;
  readonly roster: Pick<Roster, "accounts" | "userOf">;
}

/**
 * Takes leave of devices that are neither configured nor added any more: their pending actions end, their assets and
 * leases go. When the disk refuses, all of it stays stored and unseen, and the next start tries again.
 */
export async function retireDevices(known: ReadonlySet<string>, options: RetirementOptions): Promise<void> {
  const { store, clock, log, owner, forgetters, roster } = options;
  const writes: Write[] = [];
  const entries: NewJournalEntry[] = [];
  for (const record of store.all("action")) {
    if (known.has(record.deviceId) || !isPending(record.action)) continue;
    const action = nextAction(record.action, { type: "target-deleted" }, clock.nowMs());
    writes.push({ table: "action", key: action.id, put: { ...record, action } });
    entries.push(actionUpdated(record.action, action));
  }
  const gone = store.all("asset").filter(({ deviceId }) => !known.has(deviceId));
  const removed = assetRemoval(gone, { shown: () => null, owner });
  for (const { id, deviceId } of gone) log.info({ assetId: id, deviceId }, "asset removed with its device");
  const removal: Removal = { kind: "assets", assetIds: new Set(gone.map(({ id }) => id)) };
  writes.push(...removed.writes, ...(gone.length === 0 ? [] : forgetters.forget(removal)));
  entries.push(...removed.entries);
  for (const record of store.all("lease")) if (!known.has(record.deviceId)) writes.push(removeLease(record));
  for (const record of store.all("note")) if (!known.has(record.deviceId)) writes.push(removeNote(record));
  // A device whose record cannot be read now may be of any account.
  if ([...known].every((id) => roster.userOf(id) !== null)) writes.push(...withoutUnused(store, roster.accounts()));
  if (writes.length === 0) return;
  try {
    await store.commit(writes, entries);
    if (gone.length > 0) forgetters.onForgotten(removal);
  } catch (err) {
    log.warn({ err }, "removed devices not forgotten yet");
  }
}
