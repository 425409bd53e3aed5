import { READING_TIME_FIELDS } from "./last-updated.ts";

/** The differences between two states of a record. */
export interface Changes {
  /** Dotted paths of the leaves (rule S1.7), such as `chargeState.batteryLevel`; an array counts as one leaf. */
  readonly paths: readonly string[];
  /** True if anything but a number changed: a state, a boolean, or a value that became known or unknown. */
  readonly isDiscrete: boolean;
}

/**
 * Compares two states of a record. `lastSeen` and `lastUpdated` are ignored, and parts that are the same object are
 * skipped. Of a removed part only its own key is listed.
 */
export function changesBetween(before: object, after: object): Changes {
  const found = { paths: [] as string[], isDiscrete: false };
  collect(before, after, "", found);
  return found;
}

function collect(before: object, after: object, prefix: string, found: { paths: string[]; isDiscrete: boolean }): void {
  const earlier = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(after)) {
    const old: unknown = earlier.get(key);
    earlier.delete(key);
    if (READING_TIME_FIELDS.has(key) || isSame(old, value)) continue;
    if (isRecord(value) && Object.keys(value).length > 0) {
      // A part that was null or absent before is listed by its leaves too.
      collect(isRecord(old) ? old : {}, value, `${prefix}${key}.`, found);
      continue;
    }
    found.paths.push(`${prefix}${key}`);
    if (typeof old !== "number" || typeof value !== "number") found.isDiscrete = true;
  }
  for (const [key, value] of earlier) {
    if (value === undefined || READING_TIME_FIELDS.has(key)) continue;
    found.paths.push(`${prefix}${key}`);
    found.isDiscrete = true;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
}

/** Items of arrays have no paths, so they are compared as a whole. */
function isEqual(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return isSame(a, b);
  const keys = Object.keys(a);
  const other = new Map(Object.entries(b));
  return keys.length === other.size && Object.entries(a).every(([key, value]) => isEqual(value, other.get(key)));
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
