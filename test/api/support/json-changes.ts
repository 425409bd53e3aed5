/** Differences of JSON documents as JSON patches (RFC 6902), which also keep the order of properties. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

type JsonObject = { [name: string]: Json };

/** An operation of RFC 6902. `before` is ours: the property that an added one stands before; without it, it comes last. */
export type Change =
  | { readonly op: "add"; readonly path: string; readonly before?: string; readonly value: Json }
  | { readonly op: "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

/** What turns one document into another. Lists of different lengths are replaced as a whole. */
export function changesOf(from: Json, to: Json, path = ""): readonly Change[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (isObject(from) && isObject(to)) return objectChanges(from, to, path);
  if (isList(from) && isList(to) && from.length === to.length) {
    return from.flatMap((item, index) => changesOf(item, to[index] as Json, `${path}/${index}`));
  }
  return [{ op: "replace", path, value: to }];
}

/** The document with the changes made. */
export function changed(document: Json, changes: readonly Change[]): Json {
  let root = structuredClone(document);
  for (const change of changes) {
    const steps = change.path.split("/").slice(1).map(unescaped);
    root = changedAt(root, steps, change);
  }
  return root;
}

function objectChanges(from: JsonObject, to: JsonObject, path: string): readonly Change[] {
  const names = Object.keys(to);
  const kept = keptInOrder(Object.keys(from), names);
  const removed = Object.keys(from).filter((name) => !kept.has(name));
  const added = [...names.entries()].filter(([, name]) => !kept.has(name)).reverse();
  return [
    ...removed.map((name): Change => ({ op: "remove", path: `${path}/${escaped(name)}` })),
    ...names
      .filter((name) => kept.has(name))
      .flatMap((name) => changesOf(from[name] as Json, to[name] as Json, `${path}/${escaped(name)}`)),
    ...added.map(([index, name]): Change => {
      const before = names[index + 1];
      const value = to[name] as Json;
      return { op: "add", path: `${path}/${escaped(name)}`, ...(before === undefined ? {} : { before }), value };
    }),
  ];
}

/** Properties of both that stand in the same order; one that moved is removed and added. */
function keptInOrder(from: readonly string[], to: readonly string[]): ReadonlySet<string> {
  const kept = new Set<string>();
  let next = 0;
  for (const name of to) {
    const index = from.indexOf(name, next);
    if (index === -1) continue;
    kept.add(name);
    next = index + 1;
  }
  return kept;
}

function changedAt(node: Json, [step, ...rest]: readonly string[], change: Change): Json {
  if (step === undefined) return change.op === "remove" ? null : change.value;
  if (isList(node)) {
    const index = Number(step);
    if (!(index in node)) throw new Error(`no ${change.path}`);
    return node.map((item, each) => (each === index ? changedAt(item, rest, change) : item));
  }
  if (!isObject(node)) throw new Error(`no ${change.path}`);
  const isNew = rest.length === 0 && change.op === "add";
  if (Object.hasOwn(node, step) === isNew) throw new Error(`${isNew ? "there is already" : "no"} ${change.path}`);
  if (rest.length > 0) return { ...node, [step]: changedAt(node[step] as Json, rest, change) };
  const others = Object.entries(node);
  if (change.op === "replace") return { ...node, [step]: change.value };
  if (change.op === "remove") return Object.fromEntries(others.filter(([name]) => name !== step));
  const place = change.before === undefined ? others.length : others.findIndex(([name]) => name === change.before);
  if (place === -1) throw new Error(`no ${change.before} beside ${change.path}`);
  return Object.fromEntries(others.toSpliced(place, 0, [step, change.value]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
