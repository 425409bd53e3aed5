/** When a record was last seen, or a part of it last updated: they move with every reading. */
export const STAMPS: ReadonlySet<string> = new Set(["lastSeen", "lastUpdated"]);

/** `lastUpdated` of each part of a record that was ever updated, as the API writes it. */
export function updates(record: object): readonly string[] {
  return Object.values(record).flatMap((part) => (wasUpdated(part) ? [part.lastUpdated] : []));
}

/**
 * A record with `lastUpdated` of each of its parts as `date` answers for what it is, both instants as the API writes them.
 * The same object when none moved.
 */
export function updatedAnew<Kind extends object>(record: Kind, date: (lastUpdated: string) => string): Kind {
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
