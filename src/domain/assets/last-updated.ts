/** The fields that change with every reading: when a record was last seen, or a part of it last updated. */
export const READING_TIME_FIELDS: ReadonlySet<string> = new Set(["lastSeen", "lastUpdated"]);

/** Returns `lastUpdated` of each part of a record that was ever updated, ISO 8601. */
export function lastUpdatesOf(record: object): readonly string[] {
  return Object.values(record).flatMap((part) => (wasUpdated(part) ? [part.lastUpdated] : []));
}

/** Returns the record with `lastUpdated` (ISO 8601) of each part replaced by `date` of it; the same object if all are equal. */
export function withLastUpdated<Kind extends object>(record: Kind, date: (lastUpdated: string) => string): Kind {
  const moved: Record<string, object> = {};
  for (const [name, part] of Object.entries(record)) {
    if (!wasUpdated(part)) continue;
    const lastUpdated = date(part.lastUpdated);
    if (lastUpdated !== part.lastUpdated) moved[name] = { ...part, lastUpdated };
  }
  return Object.keys(moved).length === 0 ? record : Object.assign({}, record, moved);
}

function wasUpdated(part: unknown): part is { readonly lastUpdated: string } {
  return typeof part === "object" && part !== null && "lastUpdated" in part && typeof part.lastUpdated === "string";
}
