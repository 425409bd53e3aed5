/** Returns the name of a typed `name=value` after a space; nothing without one: the whole may be a secret. */
export function nameIn(typed: string): string {
  const [, name] = /^([A-Za-z][A-Za-z0-9.]{0,40})=/.exec(typed) ?? [];
  return name === undefined ? "" : ` ${name}`;
}
