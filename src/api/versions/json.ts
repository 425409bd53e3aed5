/** JSON as it is read and rebuilt when one version is made of another. Nothing here changes what it is given. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a key; an empty one when there is none. */
export function objectAt(value: unknown, key: string): JsonObject {
  const child = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(child) ? child : {};
}

/** What a name is called otherwise; the name itself when nothing is said of it. */
export function renamed(names: Readonly<Record<string, string>> | undefined, name: string): string {
  return names !== undefined && Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}

/** The list under a key; an empty one when there is none. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const child = isObject(value) ? value[key] : undefined;
  return Array.isArray(child) ? child : [];
}

export function mapValues(object: JsonObject, map: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/** An object whose values are made when they are first read, each once. */
export function madeWhenRead(makers: readonly (readonly [string, () => unknown])[]): JsonObject {
  const object: JsonObject = {};
  for (const [key, make] of makers) {
    const get = (): unknown => {
      const value = make();
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
      return value;
    };
    Object.defineProperty(object, key, { get, enumerable: true, configurable: true });
  }
  return object;
}

export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _gone, ...rest } = object;
  return rest;
}

/** The value at a path; undefined when nothing is there. */
export function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return isObject(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}

/** A copy with another value at a path; undefined takes the key away. Where the path leads nowhere nothing changes. */
export function putAt(object: JsonObject, [key, ...rest]: readonly string[], value: unknown): JsonObject {
  if (key === undefined) return object;
  if (rest.length === 0) return value === undefined ? without(object, key) : { ...object, [key]: value };
  const child = object[key];
  return isObject(child) ? { ...object, [key]: putAt(child, rest, value) } : object;
}
