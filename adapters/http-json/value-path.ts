/**
 * Where a value stands in a document. A path is a JSON pointer (RFC 6901) with three further segments:
 * - `*`: every element of an array, every value of an object.
 * - `[key=text]`: the first element whose `key`, written as text, is `text`; `key` may lead deeper with dots.
 * - `[key=$name]`: the same with the value of the profile's key `name`, which was read before.
 */
import { DeviceError } from "hemgate/sdk";

type Segment =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "all" }
  | { readonly kind: "where"; readonly keys: readonly string[]; readonly text: string; readonly isKey: boolean };

export type ValuePath = readonly Segment[];

/** Parses a path. Throws when it is invalid. */
export function parsePath(path: string): ValuePath {
  if (path === "") return [];
  if (!path.startsWith("/")) throw new SyntaxError(`path ${path} does not start with /`);
  return path.slice(1).split("/").map(segmentOf);
}

function segmentOf(text: string): Segment {
  if (text === "*") return { kind: "all" };
  const where = /^\[([^=\]]+)=(\$?)([^\]]*)\]$/.exec(text);
  if (where === null) return { kind: "key", key: text.replaceAll("~1", "/").replaceAll("~0", "~") };
  const [, keys = "", mark = "", value = ""] = where;
  return { kind: "where", keys: keys.split("."), text: value.replaceAll("~1", "/"), isKey: mark === "$" };
}

/** The keys whose values a path needs. */
export function referencesOf(path: ValuePath): readonly string[] {
  return path.flatMap((segment) => (segment.kind === "where" && segment.isKey ? [segment.text] : []));
}

/**
 * The values at a path; none when it leads nowhere. Throws a `DeviceError("malformed")` where a number or a text stands
 * in place of what the path goes through.
 */
export function valuesAt(document: unknown, path: ValuePath, known: (key: string) => unknown): readonly unknown[] {
  let found: readonly unknown[] = [document];
  for (const segment of path) {
    found = found.flatMap((value) => stepInto(value, segment, known));
    if (found.length === 0) return [];
  }
  return found.filter((value) => value !== undefined && value !== null);
}

function stepInto(value: unknown, segment: Segment, known: (key: string) => unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") {
    throw new DeviceError("malformed", `${typeof value} instead of an object before ${nameOf(segment)}`);
  }
  if (segment.kind === "key") return [own(value, segment.key)];
  const elements: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (segment.kind === "all") return elements;
  const sought = segment.isKey ? known(segment.text) : segment.text;
  if (sought === null || sought === undefined) return [];
  const chosen = elements.find((element) => String(deep(element, segment.keys)) === String(sought));
  return chosen === undefined ? [] : [chosen];
}

function deep(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) => (typeof part === "object" && part !== null ? own(part, key) : null),
    value,
  );
}

function own(value: object, key: string): unknown {
  // An array has its own length, which stands in no document.
  return Object.prototype.propertyIsEnumerable.call(value, key) ? Reflect.get(value, key) : null;
}

function nameOf(segment: Segment): string {
  return segment.kind === "key" ? segment.key : segment.kind === "all" ? "*" : `[${segment.keys.join(".")}]`;
}
