/** Looks up what is said of a route, by method and path. */
interface Row<Value> {
  readonly method: string;
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly isOpen: boolean;
  readonly wildness: number;
  readonly value: Value;
}

interface Segment {
  readonly text: string;
  /** Of the parameter that it stands for; null: it stands for itself. */
  readonly name: string | null;
}

/** By the first segment of the path. A table has hundreds of rows, and an answer needs those of one segment. */
export type RouteTable<Value> = ReadonlyMap<string, () => readonly Row<Value>[]>;

/** Stands for any first segment. */
const ANY = "*";

/** Routes are written `METHOD /path/{parameter}`; `*` stands for any method, or last for any path below. */
export function createRouteTable<Value>(routes: Iterable<readonly [string, Value]>): RouteTable<Value> {
  const groups = new Map<string, (readonly [string, Value])[]>();
  for (const route of routes) {
    const first = firstSegment(route[0].slice(route[0].indexOf(" ") + 1));
    const key = first.startsWith("{") ? ANY : first;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [route]);
    else group.push(route);
  }
  return new Map([...groups].map(([first, group]) => [first, once(() => rowsOf(group))]));
}

function rowsOf<Value>(routes: readonly (readonly [string, Value])[]): readonly Row<Value>[] {
  const rows = routes.map(([route, value]) => {
    const [method = "", path = ""] = route.split(" ");
    const segments = path.split("/").map((text): Segment => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] ?? null }));
    const isOpen = path.endsWith("/*");
    return { method, path, segments, isOpen, wildness: wildness(segments), value };
  });
  // A literal segment is a better fit than a parameter, as in the router.
  return rows.toSorted((a, b) => a.wildness - b.wildness);
}

export interface RouteMatch<Value> {
  readonly value: Value;
  /** The path as the table writes it. */
  readonly path: string;
  /** As they stand in the path, percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The best fit; null when none fits. */
export function matchRoute<Value>(table: RouteTable<Value>, method: string, path: string): RouteMatch<Value> | null {
  const groups = [table.get(firstSegment(path)), table.get(ANY)].filter((group) => group !== undefined);
  if (groups.length === 0) return null;
  const segments = path.split("/");
  for (const row of groups.flatMap((group) => group())) {
    if (row.method !== "*" && row.method !== method) continue;
    const parameters = bind(row, segments);
    if (parameters !== null) return { value: row.value, path: row.path, parameters };
  }
  return null;
}

function bind(
  { segments: pattern, isOpen }: Row<unknown>,
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return null;
  const parameters: Record<string, string> = {};
  const end = isOpen ? pattern.length - 1 : pattern.length;
  for (let at = 0; at < end; at++) {
    const segment = segments[at] ?? "";
    const { name = null, text = "" } = pattern[at] ?? {};
    if (name !== null && segment !== "") parameters[name] = segment;
    else if (text !== segment) return null;
  }
  return parameters;
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end === -1 ? undefined : end);
}

function wildness(segments: readonly Segment[]): number {
  return segments.filter(({ text }) => text === "*" || text.startsWith("{")).length;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
