/** Which records of the critical database have had their time. Pure. */
import { EARLIEST_NOW_MS } from "../platform/earliest-now.ts";
import type { Clock } from "../platform/ports/ports.ts";
import type { IdempotencyRecord } from "./records/idempotency.ts";
import type { ActionRecord, Write } from "./records.ts";
import type { MemoryTables } from "./tables.ts";

/** Both hold: a resolved action goes when it is older or when as many newer ones are there. */
export const MAX_RESOLVED_ACTIONS = 1_000;
export const RESOLVED_ACTION_AGE_MS = 30 * 24 * 3_600_000;
/** Keys are good for a day. */
const IDEMPOTENCY_AGE_MS = 24 * 3_600_000;
/** The cloud service sends a command for a day at most; it is known for longer, so that it never runs twice. */
const CLOUD_COMMAND_AGE_MS = 8 * 24 * 3_600_000;
/** The wall clock may step by a little: an expired token is kept this much longer. */
const TOKEN_GRACE_MS = 3_600_000;

/** A clock that was set back must not make a key live for ever, and one that nobody vouches for does not end it. */
export function isKeyOver(
  { createdAtMs, isDateUnsure }: Pick<IdempotencyRecord, "createdAtMs" | "isDateUnsure">,
  clock: Pick<Clock, "nowMs" | "quality">,
): boolean {
  if (isDateUnsure || clock.quality() !== "synced") return false;
  return Math.abs(clock.nowMs() - createdAtMs) >= IDEMPOTENCY_AGE_MS;
}

/**
 * Removals of expired tokens, keys and commands and of resolved actions; `nowMs` is null while the wall clock cannot be
 * trusted. A key, command or action of such a time counts from now on: it was not done twice, and is not after the clock
 * is set.
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

/** One of an unsure date is the newest: it goes after the others. */
function endedAtMs({ action, createdAtMs, isDateUnsure, agesFromMs }: ActionRecord, nowMs: number | null): number {
  if (isDateUnsure) return nowMs ?? Number.MAX_SAFE_INTEGER;
  return agesFromMs ?? (action.completedAt === null ? createdAtMs : Date.parse(action.completedAt));
}
