/** What stands in the log in place of a secret. */
export const REDACTED = "[redacted]";

/** Deeper parts of a logged value are left out. */
const MAX_DEPTH = 6;

/** Names whose values never reach the log, wherever they stand; case, `-` and `_` do not count. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "clientsecret",
  "secret",
  "secrethash",
  "password",
  "passphrase",
  "privatekey",
  "passcode",
  "pin",
  "headervalue",
  "credentials",
  "apikey",
  "xapikey",
  "token",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "vin",
  "latitude",
  "longitude",
  "coordinates",
]);

/** A copy of a logged value without its secrets. Errors are kept for the serializer that turns them into objects. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (value instanceof Date || ArrayBuffer.isView(value)) return value;
  if (depth >= MAX_DEPTH) return "[deeper]";
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  return redactFields(value, depth);
}

export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, entry]) => [name, isSecret(name) ? REDACTED : redact(entry, depth + 1)]),
  );
}

function isSecret(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, ""));
}
