/** What came over MQTT, read with limits: a payload is a stranger's text until it is parsed here. */

/** Larger than any state that the firmwares here send; a longer one is refused unread. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;
const MAX_JSON_DEPTH = 24;
const MAX_NUMBER_LENGTH = 40;
/** What firmwares write in place of a number that they do not have. */
const NO_NUMBER = new Set(["", "nan", "null", "none", "unknown", "unavailable", "n/a", "-"]);
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A payload is not what its topic promises. The message says what was wrong with it. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

/** The payload as text. Throws a `PayloadError` when it is too large or no UTF-8. */
export function textOf(payload: Uint8Array): string {
  if (payload.length > MAX_PAYLOAD_BYTES) {
    throw new PayloadError(`${payload.length} bytes are more than ${MAX_PAYLOAD_BYTES}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(payload);
  } catch (cause) {
    throw new PayloadError("not UTF-8 text", { cause });
  }
}

/** Parses JSON. Throws a `PayloadError` when it is not JSON, nests too deep, or holds a number that is not finite. */
export function jsonOf(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    throw unexpected("JSON", text, { cause });
  }
  check(value);
  return value;
}

/** A plain number; null where the firmware says that it has none. Throws a `PayloadError` for any other text. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  if (NO_NUMBER.has(trimmed.toLowerCase())) return null;
  const value = trimmed.length <= MAX_NUMBER_LENGTH && NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (!Number.isFinite(value)) throw unexpected("a number", text);
  return value;
}

/** The part of a JSON value under a path; undefined when there is none. A number is the index in a list. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let part = value;
  for (const key of path) {
    if (typeof part !== "object" || part === null) return undefined;
    if (Array.isArray(part)) {
      if (typeof key !== "number") return undefined;
      part = part[key];
    } else {
      const record = part as { readonly [key: string]: Json };
      part = Object.hasOwn(record, key) ? record[key] : undefined;
    }
  }
  return part;
}

/** The text under a path, null when there is none or it is empty. */
export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string | null {
  const part = at(value, ...path);
  return typeof part === "string" && part.trim() !== "" ? part.trim() : null;
}

/** The members of a JSON object; none when it is something else. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value);
}

/** Returns the error for a payload of another form. It does not repeat the payload, which may hold a secret. */
export function unexpected(expected: string, text: string, options?: ErrorOptions): PayloadError {
  return new PayloadError(`expected ${expected}, but ${text.length} other characters came`, options);
}

/** A device's answer to a command, cut, for an error. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function check(value: Json): void {
  const left: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, depth } = next;
    if (depth > MAX_JSON_DEPTH) throw new PayloadError(`nested deeper than ${MAX_JSON_DEPTH}`);
    // JSON.parse makes Infinity of 1e999.
    if (typeof value === "number" && !Number.isFinite(value)) throw new PayloadError("a number that is not finite");
    if (typeof value !== "object" || value === null) continue;
    for (const part of Object.values(value)) left.push({ value: part, depth: depth + 1 });
  }
}
