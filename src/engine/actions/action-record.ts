import type { Action, ActionOrigin } from "../../domain/actions/action.ts";
import { isPending } from "../../domain/actions/action-machine.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { isKeyOver } from "../../store/expiry.ts";
import type { ActionRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { ClientRequest } from "../contracts/engine.ts";

type Actions = Pick<Store, "all">;
type KeyClock = Pick<Clock, "nowMs" | "quality">;

/** Who wants an action, and the request that it comes from, as its record keeps them. */
export type Requester = { readonly origin: ActionOrigin } & Pick<ActionRecord, "requestKey">;

export function requesterOf(by: ActionOrigin | ClientRequest): Requester {
  if (typeof by === "string") return { origin: by };
  return { origin: "client", ...(by.requestKey !== undefined && { requestKey: by.requestKey }) };
}

/** Who wanted the action. */
export function originOf({ origin }: ActionRecord): ActionOrigin {
  return origin ?? "client";
}

/** The action that this very request made before; null when it made none, or so long ago that its key is free again. */
export function answeredBefore(store: Actions, clock: KeyClock, { requestKey }: Requester): Action | null {
  if (requestKey === undefined) return null;
  const isSame = ({ agesFromMs, ...record }: ActionRecord): boolean =>
    record.requestKey === requestKey && !isKeyOver({ ...record, createdAtMs: agesFromMs ?? record.createdAtMs }, clock);
  return store.all("action").find(isSame)?.action ?? null;
}

export function pendingOf(store: Actions, targetId: string): ActionRecord | null {
  return store.all("action").find(({ action }) => action.targetId === targetId && isPending(action)) ?? null;
}

/** Returns the record, marked as unsurely dated while the clock is not synced. */
export function dated(record: ActionRecord, clock: Pick<Clock, "quality">): ActionRecord {
  return clock.quality() === "synced" ? record : { ...record, isDateUnsure: true };
}

export function putAction(record: ActionRecord): Write {
  return { table: "action", key: record.action.id, put: record };
}
