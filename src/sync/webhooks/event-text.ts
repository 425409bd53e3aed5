/** Events as webhooks get them (rule S1.7). */
import { instant } from "../../domain/fields.ts";
import { ALL_EVENTS } from "../../domain/webhooks/webhook.ts";
import type { JournalEntry } from "../../store/records.ts";

/** What clients are told begins with this; the journal's other entries are the gateway's own. */
const PUBLIC_PREFIX = "user:";

/** Brings what an event carries beside its envelope to the shape of a version; null: the version has nothing of it. */
export type PayloadMapper = (event: string, payload: Payload, version: string) => Payload | null;
export type Payload = Readonly<Record<string, unknown>>;

/** The user that an entry is about; null when it names none. */
export function userOf({ payload }: Pick<JournalEntry, "payload">): string | null {
  if (typeof payload !== "object" || payload === null || !("user" in payload)) return null;
  const { user } = payload;
  return typeof user === "object" && user !== null && "id" in user && typeof user.id === "string" ? user.id : null;
}

export function isPublic(event: string): boolean {
  return event.startsWith(PUBLIC_PREFIX);
}

/** Whether a webhook with these `events` is told of the event. */
export function isWanted(events: readonly string[], event: string): boolean {
  return isPublic(event) && (events.includes(ALL_EVENTS) || events.includes(event));
}

export interface Envelope {
  readonly createdAtMs: number;
  readonly version: string;
  readonly event: string;
}

/** The JSON of one event. */
export function eventText({ createdAtMs, version, event }: Envelope, payload: Payload): string {
  return JSON.stringify({ createdAt: instant(createdAtMs), version, event, ...payload });
}

/** A journal entry's JSON in a version; null: the version has nothing of it. */
export function entryText(entry: JournalEntry, version: string, mapped: PayloadMapper): string | null {
  const payload = mapped(entry.event, payloadOf(entry), version);
  return payload === null ? null : eventText({ createdAtMs: entry.atMs, version, event: entry.event }, payload);
}

function payloadOf({ payload }: JournalEntry): Payload {
  return typeof payload === "object" && payload !== null ? { ...payload } : {};
}
