/** Which methods a path has, for the answers about paths and methods that do not exist. */
export interface RouteIndex {
  add(method: string | readonly string[], pattern: string): void;
  /** Methods by pattern, of the first pattern that fits the path; null when none does. */
  find(path: string): { readonly pattern: string; readonly methods: readonly string[] } | null;
}

export function createRouteIndex(): RouteIndex {
  const methodsOf = new Map<string, Set<string>>();
  return {
    add(method, pattern) {
      const methods = methodsOf.get(pattern) ?? new Set();
      methodsOf.set(pattern, methods);
      for (const one of typeof method === "string" ? [method] : method) methods.add(one);
    },
    find(path) {
      const segments = path.split("/");
      // A literal segment is a better fit than a parameter, as in the router.
      const fitting = [...methodsOf.keys()].filter((pattern) => fits(pattern.split("/"), segments));
      const [pattern] = fitting.sort((a, b) => wildness(a) - wildness(b));
      if (pattern === undefined) return null;
      return { pattern, methods: [...(methodsOf.get(pattern) ?? [])].sort() };
    },
  };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.at(-1) === "*") {
    return segments.length >= pattern.length && pattern.slice(0, -1).every((part, at) => fitsOne(part, segments[at]));
  }
  return pattern.length === segments.length && pattern.every((part, at) => fitsOne(part, segments[at]));
}

function fitsOne(part: string, segment: string | undefined): boolean {
  return part.startsWith(":") ? segment !== undefined && segment !== "" : part === segment;
}

function wildness(pattern: string): number {
  return pattern.split("/").filter((part) => part.startsWith(":") || part === "*").length;
}
