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

export type RouteTable<Value> = readonly Row<Value>[];

/** Routes are written `METHOD /path/{parameter}`; `*` stands for any method, or last for any path below. */
export function createRouteTable<Value>(routes: Readonly<Record<string, Value>>): RouteTable<Value> {
  const rows = Object.entries(routes).map(([route, value]) => {
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
  const segments = path.split("/");
  for (const row of table) {
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

function wildness(segments: readonly Segment[]): number {
  return segments.filter(({ text }) => text === "*" || text.startsWith("{")).length;
}
