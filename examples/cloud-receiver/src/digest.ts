/** What tells a record from all others, whatever its epoch and number. */
import { createHash } from "node:crypto";
import type { SyncRecord } from "hemgate/cloud-protocol";

/** SHA-256; the order of a payload's keys has no part in it. */
export function digestOf({ boot, monotonicMs, event, payload }: SyncRecord): Buffer {
  const text = JSON.stringify([boot, monotonicMs, event, payload], (_key, value: unknown) => inOrder(value));
  return createHash("sha256").update(text).digest();
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
