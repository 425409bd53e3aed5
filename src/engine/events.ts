/** The journal's entries, as the keys that an event carries beside its envelope (rule S1.7). */
import type { Action } from "../domain/actions/action.ts";
import type { Asset, AssetKind } from "../domain/assets/asset.ts";
import { changesBetween } from "../domain/assets/changes.ts";
import type { Schedule } from "../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../domain/schedules/schedule-status.ts";
import type { VehicleSmartStatus } from "../domain/smart/vehicle-smart-charging.ts";
import type { NewJournalEntry } from "../store/store.ts";

type User = { readonly id: string };

/** What happened to an asset; the payload carries it whole. */
export function assetEvent(
  happened: "discovered" | "deleted",
  kind: AssetKind,
  asset: Pick<Asset, "id" | "userId">,
): NewJournalEntry {
  return { event: `user:${kind}:${happened}`, payload: { user: userOf(asset), [kind]: asset } };
}

export function assetUpdated(kind: AssetKind, asset: Asset, updatedFields: readonly string[]): NewJournalEntry {
  return { event: `user:${kind}:updated`, payload: { user: userOf(asset), [kind]: asset, updatedFields } };
}

/** An action's transition; `before` is null for a new one. */
export function actionUpdated(before: Action | null, action: Action): NewJournalEntry {
  const updatedFields = changesBetween(before ?? {}, action).paths;
  return {
    event: "user:vendor-action:updated",
    payload: { user: userOf(action), vendorAction: action, updatedFields },
  };
}

/** A vendor does not accept a user's credentials any more. */
export function credentialsInvalidated(userId: string, vendor: string): NewJournalEntry {
  return { event: "user:credentials:invalidated", payload: { user: { id: userId }, vendor } };
}

/** A schedule's status changed; `before` is null for a new one. */
export function scheduleUpdated(
  userId: string,
  schedule: Schedule,
  before: ScheduleStatus | null,
  status: ScheduleStatus,
): NewJournalEntry {
  const updatedFields = changesBetween(before ?? {}, status).paths;
  return {
    event: "user:schedule:execution-updated",
    payload: { user: { id: userId }, status, schedule, updatedFields },
  };
}

/** A vehicle's smart charging moved on. */
export function smartChargingStatusUpdated(
  status: VehicleSmartStatus,
  updatedFields: readonly string[],
): NewJournalEntry {
  return {
    event: "user:vehicle:smart-charging-status-updated",
    payload: { user: userOf(status), smartChargingStatus: status, updatedFields },
  };
}

function userOf({ userId }: { readonly userId: string }): User {
  return { id: userId };
}
