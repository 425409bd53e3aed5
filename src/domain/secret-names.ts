/** Recognizes secrets, so that no error text, response or log line repeats them. */

const SECRET_NAME =
  /(password|passphrase|passcode|secret|token|pin|key|authorization|cookie|headervalue|credential)s?$/i;

/** Returns true if a field with this name holds a secret, itself or in its members. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Returns the text with the user and password before a URL's host replaced by `…`. */
export function withoutCredentials(text: string): string {
  const at = text.lastIndexOf("@");
  if (at < 0 || !text.slice(0, at).includes(":")) return text;
  const scheme = text.indexOf("://");
  return `${scheme >= 0 && scheme < at ? text.slice(0, scheme + 3) : ""}…${text.slice(at)}`;
}
