import { finding, importsOf, isSyntaxNode, nameOf, nodesOf, type Source, type SyntaxNode } from "./syntax.ts";

/** The only places that touch real time, chance and I/O; the page lives in a browser, the client in other programs. */
const OUTSIDE_WORLD = ["src/platform/node/", "src/broker/embedded/", "src/ui/app/", "src/client/"];
/** Who starts a process may also read its arguments, environment and streams. */
const STARTERS = ["src/main.ts", "src/cli/"];
const STARTERS_MODULES = ["node:os"];

/** Modules that compute and touch nothing, with the names that may be taken from them; null: all of them. */
const PURE_MODULES: Readonly<Record<string, readonly string[] | null>> = {
  "node:assert": null,
  "node:assert/strict": null,
  "node:buffer": null,
  "node:crypto": [
    "createCipheriv",
    "createDecipheriv",
    "createECDH",
    "createHash",
    "createHmac",
    "createPrivateKey",
    "createPublicKey",
    "hash",
    "KeyObject",
    "pbkdf2Sync",
    // The nonce of a signature is chance, which shows nowhere else.
    "sign",
    "timingSafeEqual",
    "verify",
    "X509Certificate",
  ],
  "node:path": null,
  "node:path/posix": null,
  "node:stream": ["Readable"],
  "node:util": null,
  "node:zlib": null,
};

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ["now"],
  Math: ["random"],
  AbortSignal: ["timeout"],
  performance: ["now", "timeOrigin"],
  Temporal: ["Now"],
};
/** Banned as a variable and as a member of anything. */
const NAMES = [
  "setTimeout",
  "setInterval",
  "setImmediate",
  "randomUUID",
  "randomBytes",
  "getRandomValues",
  "generateKeys",
];
/** Banned as a variable; a member of that name may be something else. */
const VARIABLES = ["fetch", "process", "WebSocket", "EventSource", "require"];

/** Every use of real time, chance or I/O outside the places that are made of it, and every top-level variable. */
export function bannedNames(source: Source): readonly string[] {
  if (OUTSIDE_WORLD.some((place) => source.path.startsWith(place))) return [];
  const isStarter = STARTERS.some((place) => source.path.startsWith(place));
  const isTesting = source.path.startsWith("src/testing/");
  const isAllowed = (name: string) => (isStarter && name === "process") || (isTesting && name === "setImmediate");
  const own = ownVariables(source);
  const found = moduleProblems(source, isStarter ? STARTERS_MODULES : []);
  for (const { node, parent, key } of nodesOf(source)) {
    const name = bannedName(node, parent, key);
    if (name !== null && !isAllowed(name) && !own.has(name))
      found.push(finding(source, node.start, `${name} is banned here`));
  }
  return found;
}

/** Global names that the file gives a meaning of its own: a simulated `process` is none of the machine's. */
function ownVariables(source: Source): ReadonlySet<string> {
  const own = nodesOf(source).flatMap(({ node, parent, key }) => {
    const isDeclared = parent?.type === "VariableDeclarator" ? key === "id" : key === "params";
    return isDeclared ? nameOf(node) : [];
  });
  return new Set(own.filter((name) => VARIABLES.includes(name)));
}

function moduleProblems(source: Source, further: readonly string[]): string[] {
  return importsOf(source).flatMap(({ specifier, names, offset }) => {
    if (!specifier.startsWith("node:") || further.includes(specifier)) return [];
    const allowed = PURE_MODULES[specifier];
    if (allowed === null) return [];
    if (allowed === undefined) return [finding(source, offset, `${specifier} is banned here`)];
    if (names.length === 0) return [finding(source, offset, `${specifier} as a whole is banned here`)];
    return names
      .filter((name) => !allowed.includes(name))
      .map((name) => finding(source, offset, `${name} of ${specifier} is banned here`));
  });
}

function bannedName(node: SyntaxNode, parent: SyntaxNode | null, key: string): string | null {
  switch (node.type) {
    case "MemberExpression":
      return bannedMember(node);
    case "NewExpression":
    case "CallExpression":
      return isDateOfNow(node) ? "Date without an instant" : null;
    case "Identifier":
      return bannedVariable(node, parent, key);
    case "VariableDeclaration":
      return parent?.type === "Program" && node["kind"] !== "const" ? `a top-level ${String(node["kind"])}` : null;
    case "ExportDefaultDeclaration":
      return "a default export";
    default:
      return null;
  }
}

function bannedMember(node: SyntaxNode): string | null {
  const [object] = nameOf(node["object"]);
  const [property] = nameOf(node["property"]);
  if (property === undefined) return null;
  if (NAMES.includes(property)) return property;
  if (object === "globalThis" && VARIABLES.includes(property)) return property;
  return object !== undefined && MEMBERS[object]?.includes(property) === true ? `${object}.${property}` : null;
}

function isDateOfNow(node: SyntaxNode): boolean {
  const given = Array.isArray(node["arguments"]) ? node["arguments"].length : 0;
  const isDate = nameOf(node["callee"])[0] === "Date";
  return isDate && (given === 0 || node.type === "CallExpression");
}

/** A variable that is read. Members are looked at with their object; keys and types are only words. */
function bannedVariable(node: SyntaxNode, parent: SyntaxNode | null, key: string): string | null {
  const [name] = nameOf(node);
  if (name === undefined || ![...NAMES, ...VARIABLES].includes(name)) return null;
  const isMemberName = parent?.type === "MemberExpression" && key === "property" && parent["computed"] !== true;
  const isShorthand = isSyntaxNode(parent) && parent["shorthand"] === true;
  const isKey = (key === "key" && !isShorthand) || /^TS/.test(parent?.type ?? "");
  return isMemberName || isKey ? null : name;
}
