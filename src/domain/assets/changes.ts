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
  collect(before as Fields, after as Fields, "", found);
  return found;
}

type Fields = Readonly<Record<string, unknown>>;
const NOTHING: Fields = {};

/** Makes no lists of pairs: it runs for each poll of each device. */
function collect(before: Fields, after: Fields, prefix: string, found: { paths: string[]; isDiscrete: boolean }): void {
  for (const key of Object.keys(after)) {
    const value = after[key];
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (READING_TIME_FIELDS.has(key) || isSame(old, value)) continue;
    if (isRecord(value) && Object.keys(value).length > 0) {
      // A part that was null or absent before is listed by its leaves too.
      collect(isRecord(old) ? old : NOTHING, value, `${prefix}${key}.`, found);
      continue;
    }
    found.paths.push(`${prefix}${key}`);
    if (typeof old !== "number" || typeof value !== "number") found.isDiscrete = true;
  }
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key) || before[key] === undefined || READING_TIME_FIELDS.has(key)) continue;
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

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
