/** Takes what is secret or private out of settings before people see them. Pure. */
import { isSecretName, withoutCredentials } from "../secret-names.ts";

/** What stands in place of a secret. */
export const HIDDEN = "[redacted]";

/** Names of fields that tell who somebody is or where they live; in a file that is sent to others. */
const PRIVATE_NAME = /^(e?mail|user(name)?|owner|serial(number)?|vin|latitude|longitude|coordinates|phone)$/i;

/** Returns a copy in which each secret is `[redacted]`; with `isForOthers` what is private, too. `null` stays. */
export function withoutSecrets(value: unknown, isForOthers: boolean): unknown {
  if (typeof value === "string") return withoutCredentials(value);
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry, isForOthers));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const isHidden = isSecretName(name) || (isForOthers && PRIVATE_NAME.test(name));
      const isThere = entry !== null && entry !== undefined;
      return [name, isHidden && isThere ? HIDDEN : withoutSecrets(entry, isForOthers)];
    }),
  );
}

/** Returns all texts that stand under a secret's name, so that they can be looked for elsewhere. */
export function secretsIn(value: unknown, isSecret = false): readonly string[] {
  if (typeof value === "string") return isSecret ? [value] : credentialsIn(value);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => secretsIn(entry, isSecret));
  return Object.entries(value).flatMap(([name, entry]) => secretsIn(entry, isSecret || isSecretName(name)));
}

/** The password before a URL's host. */
function credentialsIn(text: string): readonly string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s:]*:([^/@\s]+)@/i.exec(text) ?? [];
  return password === undefined ? [] : [password];
}

/** Shorter ones would take away half of the text. */
const MIN_SECRET_CHARACTERS = 5;

/** Returns the text with each of the secrets replaced, wherever it stands. */
export function withoutTexts(text: string, secrets: readonly string[]): string {
  const longest = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  return longest.reduce((left, secret) => left.replaceAll(JSON.stringify(secret).slice(1, -1), HIDDEN), text);
}
