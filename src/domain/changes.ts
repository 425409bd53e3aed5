/** What differs between two states of a record. */
export interface Changes {
  /** Dotted leaf paths (supplement 1.7), such as `chargeState.batteryLevel`; an array counts as one leaf. */
  readonly paths: readonly string[];
  /** True when more than numbers moved: a state, a claim, or a value that became known or unknown. */
  readonly isDiscrete: boolean;
}

/** Stamps of freshness move with every reading; by themselves they are no news. */
const STAMPS: ReadonlySet<string> = new Set(["lastSeen", "lastUpdated"]);

/** Compares two states; parts that are the same object are not looked into. */
export function changesBetween(before: object, after: object): Changes {
  const found = { paths: [] as string[], isDiscrete: false };
  collect(before, after, "", found);
  return found;
}

function collect(before: object, after: object, prefix: string, found: { paths: string[]; isDiscrete: boolean }): void {
  const earlier = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(after)) {
    const old: unknown = earlier.get(key);
    if (STAMPS.has(key) || isSame(old, value)) continue;
    if (isRecord(old) && isRecord(value)) {
      collect(old, value, `${prefix}${key}.`, found);
      continue;
    }
    found.paths.push(`${prefix}${key}`);
    if (typeof old !== "number" || typeof value !== "number") found.isDiscrete = true;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
