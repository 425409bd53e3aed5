/** Which values no error text, answer or log line repeats. */

const SECRET_NAME =
  /(password|passphrase|passcode|secret|token|pin|key|authorization|cookie|headervalue|credential)s?$/i;

/** True if a field of this name, or what is below it, holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A text without the user and password that stand before the host of a URL. */
export function withoutCredentials(text: string): string {
  const at = text.lastIndexOf("@");
  if (at < 0 || !text.slice(0, at).includes(":")) return text;
  const scheme = text.indexOf("://");
  return `${scheme >= 0 && scheme < at ? text.slice(0, scheme + 3) : ""}…${text.slice(at)}`;
}
