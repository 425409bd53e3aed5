/** Formats events for webhooks (rule S1.7). */
import { instant } from "../../domain/fields.ts";
import type { JournalEntry } from "../../store/records.ts";

/** Prefixes of events for clients; all other journal entries are internal. */
const PUBLIC_PREFIXES = ["user:", "local:"];

/** Converts an event's payload to an API version; `null` if the version does not have it. */
export type PayloadMapper = (event: string, payload: Payload, version: string) => Payload | null;
export type Payload = Readonly<Record<string, unknown>>;

/** Returns the user of an entry; `null` if it has none. */
export function userOf({ payload }: Pick<JournalEntry, "payload">): string | null {
  if (typeof payload !== "object" || payload === null || !("user" in payload)) return null;
  const { user } = payload;
  return typeof user === "object" && user !== null && "id" in user && typeof user.id === "string" ? user.id : null;
}

/** Returns true if an event is for clients. */
export function isPublic(event: string): boolean {
  return PUBLIC_PREFIXES.some((prefix) => event.startsWith(prefix));
}

/** The fields of each event beside its payload. */
export interface Envelope {
  readonly createdAtMs: number;
  readonly version: string;
  readonly event: string;
}

/** Returns the JSON of one event. */
export function eventText({ createdAtMs, version, event }: Envelope, payload: Payload): string {
  return JSON.stringify({ createdAt: instant(createdAtMs), version, event, ...payload });
}

/** Returns the JSON of a journal entry in an API version; `null` if the version does not have it. */
export function entryText(entry: JournalEntry, version: string, mapped: PayloadMapper): string | null {
  const payload = mapped(entry.event, payloadOf(entry), version);
  return payload === null ? null : eventText({ createdAtMs: entry.atMs, version, event: entry.event }, payload);
}

function payloadOf({ payload }: JournalEntry): Payload {
  return typeof payload === "object" && payload !== null ? { ...payload } : {};
}
