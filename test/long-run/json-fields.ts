/** Values inside answers of the API, whose types the tests do not know. */

/** The entries of a page. */
export function entriesOf(page: unknown): readonly unknown[] {
  const data = field(page, "data");
  return Array.isArray(data) ? data : [];
}

/** A value inside an answer, by the names on the way to it; `undefined` where the way ends. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
}
