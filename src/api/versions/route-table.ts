/** Looks up what is said of a route, by method and path. */
interface Row<Value> {
  readonly method: string;
  readonly segments: readonly string[];
  readonly value: Value;
}

export type RouteTable<Value> = readonly Row<Value>[];

/** Routes are written `METHOD /path/{parameter}`; `*` stands for any method, or last for any path below. */
export function createRouteTable<Value>(routes: Readonly<Record<string, Value>>): RouteTable<Value> {
  const rows = Object.entries(routes).map(([route, value]) => {
    const [method = "", path = ""] = route.split(" ");
    return { method, segments: path.split("/"), value };
  });
  // A literal segment is a better fit than a parameter, as in the router.
  return rows.toSorted((a, b) => wildness(a.segments) - wildness(b.segments));
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
  const segments = path.split("/");
  for (const row of table) {
    if (row.method !== "*" && row.method !== method) continue;
    const parameters = bind(row.segments, segments);
    if (parameters !== null) return { value: row.value, path: row.segments.join("/"), parameters };
  }
  return null;
}

function bind(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | null {
  const isOpen = pattern.at(-1) === "*";
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return null;
  const parameters: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? "";
    if (isOpen && at === pattern.length - 1) break;
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name !== undefined && segment !== "") parameters[name] = segment;
    else if (part !== segment) return null;
  }
  return parameters;
}

function wildness(segments: readonly string[]): number {
  return segments.filter((part) => part === "*" || part.startsWith("{")).length;
}
