/** The journal's entries, as the keys that an event carries beside its envelope (rule S1.7). */
import type { Action } from "../domain/actions/action.ts";
import type { Asset, AssetKind } from "../domain/assets/asset.ts";
import { changesBetween } from "../domain/assets/changes.ts";
import type { Schedule } from "../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../domain/schedules/schedule-status.ts";
import type { VehicleSmartStatus } from "../domain/smart/vehicle-smart-charging.ts";
import type { NewJournalEntry } from "../store/store.ts";

/** Returns the entry for something that happened to a user: the event `user:<name>`, whose payload names the user. */
export function userEvent(name: string, userId: string, payload: object): NewJournalEntry {
  return { event: `user:${name}`, userId, payload: { user: { id: userId }, ...payload } };
}

/** What happened to an asset; the payload carries it whole. */
export function assetEvent(
  happened: "discovered" | "deleted",
  kind: AssetKind,
  asset: Pick<Asset, "id" | "userId">,
): NewJournalEntry {
  return userEvent(`${kind}:${happened}`, asset.userId, { [kind]: asset });
}

export function assetUpdated(kind: AssetKind, asset: Asset, updatedFields: readonly string[]): NewJournalEntry {
  return userEvent(`${kind}:updated`, asset.userId, { [kind]: asset, updatedFields });
}

/** An action's transition; `before` is null for a new one. */
export function actionUpdated(before: Action | null, action: Action): NewJournalEntry {
  const updatedFields = changesBetween(before ?? {}, action).paths;
  return userEvent("vendor-action:updated", action.userId, { vendorAction: action, updatedFields });
}

/** A vendor does not accept a user's credentials any more. */
export function credentialsInvalidated(userId: string, vendor: string): NewJournalEntry {
  return userEvent("credentials:invalidated", userId, { vendor });
}

/** A schedule's status changed; `before` is null for a new one. */
export function scheduleUpdated(
  userId: string,
  schedule: Schedule,
  before: ScheduleStatus | null,
  status: ScheduleStatus,
): NewJournalEntry {
  const updatedFields = changesBetween(before ?? {}, status).paths;
  return userEvent("schedule:execution-updated", userId, { status, schedule, updatedFields });
}

/** A vehicle's smart charging moved on. */
export function smartChargingStatusUpdated(
  status: VehicleSmartStatus,
  updatedFields: readonly string[],
): NewJournalEntry {
  return userEvent("vehicle:smart-charging-status-updated", status.userId, {
    smartChargingStatus: status,
    updatedFields,
  });
}
