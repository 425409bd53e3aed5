/** What an entry of the audit trail is about, by its path. */
import type { Texts } from "../../texts.ts";

type Deed = keyof Texts["house"]["audit"]["deeds"];

/** The first that fits counts. */
const DEEDS: readonly (readonly [pattern: RegExp, deed: Deed])[] = [
  [/^\/local\/sessions?\b/u, "session"],
  [/^\/local\/claim\b|^hemgate (?:claim|people reset)/u, "claim"],
  [/^\/local\/people\b/u, "people"],
  [/^\/local\/clients\b|^\/oauth2\//u, "clients"],
  [/^\/local\/(?:site|energy\/limit\w*)\b/u, "limits"],
  [/^\/local\/energy\/devices\//u, "modes"],
  [/^\/local\/energy\/battery-use\b/u, "battery"],
  [/^\/(?:batteries|chargers|hvacs|vehicles|schedules)\b|\/schedules\b/u, "command"],
  [/^\/local\/(?:checks|corrections)\b/u, "findings"],
  [/^\/local\/setup\b/u, "setup"],
  [/^\/local\/(?:devices|discovery)\b|^\/users\/|^\/link\//u, "devices"],
  [/^\/webhooks\b|^\/local\/(?:notifications|webhooks)\b/u, "messages"],
  [/^\/local\/backups\b/u, "backups"],
  [/^\/local\/update\b/u, "update"],
  [/^\/local\/cloud\b/u, "cloud"],
  [/^\/local\/(?:configuration|mail-server)\b|^\/(?:tariffs|locations)\b/u, "settings"],
];

export function deedOf(path: string): Deed {
  return DEEDS.find(([pattern]) => pattern.test(path))?.[1] ?? "other";
}
