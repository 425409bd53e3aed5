/** Placeholders of paths: `{name}` stands for a value that is known only with the device. */

const PLACEHOLDER = /\{([A-Za-z]\w*)\}/g;

/** The names that a path waits for. */
export function settingsIn(path: string): readonly string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** The path with its values in it, as they are. Null when one of them is not known. */
export function fillPath(path: string, fill: (name: string) => string | null): string | null {
  const values = new Map(settingsIn(path).map((name) => [name, fill(name)]));
  if ([...values.values()].includes(null)) return null;
  return path.replaceAll(PLACEHOLDER, (_whole, name: string) => values.get(name) ?? "");
}
