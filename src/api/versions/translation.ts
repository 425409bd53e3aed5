/** A request in the words of an older version, step by step in those of the newest. */
import { isObject, renamed } from "./json.ts";
import { matchRoute, type RouteTable } from "./route-table.ts";
import type { RouteChange, VersionStep } from "./step.ts";

/** A step with its routes ready to be looked up. */
export interface Step {
  readonly says: VersionStep;
  readonly routes: RouteTable<RouteChange>;
  readonly lacks: RouteTable<true>;
}

/** One step of a request; oldest first. */
export interface Hop {
  readonly step: Step;
  /** What the step says of the route; null when it is the same there. */
  readonly change: RouteChange | null;
  /** The path on the newer side of the step. */
  readonly newerPath: string;
  readonly query: URLSearchParams;
}

export interface Translation {
  /** Path and query in the newest version. */
  readonly url: string;
  /** The older version has no such route. */
  readonly isMissing: boolean;
  readonly hops: readonly Hop[];
}

/** The user whom a path of the newest version needs and no header names; no user has it. */
const NO_USER = "-";

/** Translates a request through the steps, which are newest first. */
export function translate(
  steps: readonly Step[],
  request: { readonly method: string; readonly url: string; readonly userId: string | null },
): Translation {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const cut = request.url.indexOf("?");
  let path = cut === -1 ? request.url : request.url.slice(0, cut);
  let search = cut === -1 ? "" : request.url.slice(cut + 1);
  const hops: Hop[] = [];
  for (const step of steps.toReversed()) {
    const query = new URLSearchParams(search);
    const found = matchRoute(step.routes, method, path);
    if (found === null && matchRoute(step.lacks, method, path) !== null) {
      return { url: request.url, isMissing: true, hops: [] };
    }
    if (found !== null) {
      const { now, query: queryChange } = found.value;
      if (now !== undefined) path = pathOf(now, { userId: request.userId ?? NO_USER, ...found.parameters });
      if (queryChange !== undefined) search = newerSearch(query, queryChange);
    }
    hops.push({ step, change: found?.value ?? null, newerPath: path, query });
  }
  return { url: search === "" ? path : `${path}?${search}`, isMissing: false, hops };
}

function pathOf(route: string, parameters: Readonly<Record<string, string>>): string {
  const path = route.slice(route.indexOf(" ") + 1);
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => parameters[name] ?? NO_USER);
}

function newerSearch(
  query: URLSearchParams,
  { renamed: olderNames = {}, own = {}, set = {} }: NonNullable<RouteChange["query"]>,
) {
  const newer = new URLSearchParams();
  const newNames = new Set(Object.values(olderNames));
  for (const [name, value] of query) {
    // What the newer version calls a renamed parameter means nothing here.
    if (Object.hasOwn(own, name) || newNames.has(name) || Object.hasOwn(set, name)) continue;
    newer.append(renamed(olderNames, name), value);
  }
  for (const [name, value] of Object.entries(set)) newer.set(name, value);
  return newer.toString();
}

/** What the older version calls a parameter of the newest's query or the first key of its body. */
export function olderName(hops: readonly Hop[], place: "body" | "query", name: string): string {
  return hops.toReversed().reduce((newer, { change }) => {
    const names = place === "body" ? change?.body?.names : inverted(change?.query?.renamed);
    return renamed(names, newer);
  }, name);
}

function inverted(names: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([older, newer]) => [newer, older]));
}

/** The body in the newest version's words. Throws a problem in the older's. */
export function bodyUp(hops: readonly Hop[], body: unknown): unknown {
  return hops.reduce((older, { change }) => (change?.body === undefined ? older : change.body.up(older)), body);
}

/** True when any of the steps says something of the body. */
export function changesBody(hops: readonly Hop[]): boolean {
  return hops.some(({ change }) => isObject(change?.body));
}
