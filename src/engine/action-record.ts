import type { ActionOrigin } from "../domain/action.ts";
import type { ActionRecord, Write } from "../store/records.ts";

/** Who wanted the action. */
export function originOf({ origin }: ActionRecord): ActionOrigin {
  return origin ?? "client";
}

export function putAction(record: ActionRecord): Write {
  return { table: "action", key: record.action.id, put: record };
}
