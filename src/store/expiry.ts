/** Finds expired records of the critical database. Pure. */
import { DAY_MS, HOUR_MS } from "../domain/duration.ts";
import { EARLIEST_NOW_MS } from "../platform/earliest-now.ts";
import type { Clock } from "../platform/ports/ports.ts";
import type { IdempotencyRecord } from "./records/idempotency.ts";
import type { ActionRecord, Write } from "./records.ts";
import type { MemoryTables } from "./tables.ts";

/** Limits of resolved actions: one is removed if it is older, or if there are as many newer ones. */
export const MAX_RESOLVED_ACTIONS = 1_000;
export const RESOLVED_ACTION_AGE_MS = 30 * DAY_MS;
/** Idempotency keys are valid for a day. */
const IDEMPOTENCY_AGE_MS = DAY_MS;
/** A command is remembered longer than the cloud service sends it (one day), so that it never runs twice. */
const CLOUD_COMMAND_AGE_MS = 8 * DAY_MS;
/** An expired token is stored this much longer, because the wall clock may jump a little. */
const TOKEN_GRACE_MS = HOUR_MS;

/**
 * Returns true if an idempotency key has expired. A clock that was set back does not extend its life, and an unreliable
 * clock does not end it.
 */
export function isKeyOver(
  { createdAtMs, isDateUnsure }: Pick<IdempotencyRecord, "createdAtMs" | "isDateUnsure">,
  clock: Pick<Clock, "nowMs" | "quality">,
): boolean {
  if (isDateUnsure || clock.quality() !== "synced") return false;
  return Math.abs(clock.nowMs() - createdAtMs) >= IDEMPOTENCY_AGE_MS;
}

/**
 * Returns the removals of expired tokens, keys and commands and of old resolved actions. `nowMs` is `null` while the
 * wall clock is unreliable; the age of keys, commands and actions from such a time starts when the clock is set, so
 * that none of them is repeated.
 */
export function expired(tables: MemoryTables, nowMs: number | null): readonly Write[] {
  return [
    ...expiredTokens(tables, nowMs),
    ...expiredActions(tables, nowMs),
    ...expiredKeys(tables, nowMs),
    ...expiredCommands(tables, nowMs),
  ];
}

function expiredTokens(tables: MemoryTables, nowMs: number | null): Write[] {
  if (nowMs === null) return [];
  return [...tables.keyed("token")]
    .filter(([, token]) => token.expiresAtMs + TOKEN_GRACE_MS < nowMs)
    .map(([key]): Write => ({ table: "token", key, remove: true }));
}

function expiredKeys(tables: MemoryTables, nowMs: number | null): Write[] {
  if (nowMs === null) return [];
  return [...tables.keyed("idempotency")].flatMap(([key, { isDateUnsure, ...record }]): Write[] => {
    if (isDateUnsure) return [{ table: "idempotency", key, put: { ...record, createdAtMs: nowMs } }];
    const isOld = record.createdAtMs + IDEMPOTENCY_AGE_MS < nowMs;
    return isOld ? [{ table: "idempotency", key, remove: true }] : [];
  });
}

function expiredCommands(tables: MemoryTables, nowMs: number | null): Write[] {
  if (nowMs === null) return [];
  return [...tables.keyed("cloud-command")].flatMap(([key, { isDateUnsure, ...record }]): Write[] => {
    if (record.running !== null) return [];
    if (isDateUnsure) return [{ table: "cloud-command", key, put: { ...record, takenAtMs: nowMs } }];
    const isOld = record.takenAtMs + CLOUD_COMMAND_AGE_MS < nowMs;
    return isOld ? [{ table: "cloud-command", key, remove: true }] : [];
  });
}

function expiredActions(tables: MemoryTables, nowMs: number | null): Write[] {
  return [...tables.keyed("action")]
    .filter(([, record]) => record.action.state !== "PENDING")
    .map(([key, record]) => ({ key, record, endedAtMs: endedAtMs(record, nowMs) }))
    .sort((one, other) => other.endedAtMs - one.endedAtMs)
    .flatMap(({ key, record: { isDateUnsure, ...record }, endedAtMs: ended }, rank): Write[] => {
      const isOld = nowMs !== null && ended >= EARLIEST_NOW_MS && ended + RESOLVED_ACTION_AGE_MS < nowMs;
      if (rank >= MAX_RESOLVED_ACTIONS || isOld) return [{ table: "action", key, remove: true }];
      const isDated = isDateUnsure && nowMs !== null;
      return isDated ? [{ table: "action", key, put: { ...record, agesFromMs: nowMs } }] : [];
    });
}

/** Returns when an action ended. One with an unreliable date counts as the newest, so it is removed last. */
function endedAtMs({ action, createdAtMs, isDateUnsure, agesFromMs }: ActionRecord, nowMs: number | null): number {
  if (isDateUnsure) return nowMs ?? Number.MAX_SAFE_INTEGER;
  return agesFromMs ?? (action.completedAt === null ? createdAtMs : Date.parse(action.completedAt));
}
