/** The types of `hemgate/client`, made of the description of the newest version. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isCommand } from "../src/api/commands.ts";

const DESCRIPTION = new URL("../test/golden/openapi-2024-10-01.json", import.meta.url);
export const CLIENT_TYPES_FILE = new URL("../src/client/api.generated.ts", import.meta.url);
const GENERATOR = new URL("../test/openapi/node_modules/openapi-typescript/dist/index.mjs", import.meta.url);
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly in?: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: unknown }>>;
}
type PathItem = Readonly<Partial<Record<(typeof METHODS)[number], Operation>>>;
interface Description {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: object;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Hash of the description that the types have to be made of; the first line of the types names it. */
export function descriptionHash(): string {
  return createHash("sha256").update(readFileSync(DESCRIPTION)).digest("hex").slice(0, 16);
}

/** Returns the module. Throws if the packages of test/openapi are not installed. */
export async function clientTypes(): Promise<string> {
  // Examples would fill pages of comments.
  const description = JSON.parse(readFileSync(DESCRIPTION, "utf8"), (key, value: unknown) =>
    (key === "examples" && Array.isArray(value)) || key === "example" ? undefined : value,
  ) as Description;
  const generator = (await import(GENERATOR.href).catch((cause: unknown) => {
    throw new Error("first run: npm ci --ignore-scripts --prefix test/openapi", { cause });
  })) as {
    default(document: object, options: object): Promise<unknown>;
    astToString(ast: unknown): string;
  };
  const options = { alphabetize: true, defaultNonNullable: false };
  const text = generator.astToString(await generator.default(answersOnly(description), options));
  // A map by method and path replaces it; it repeats each operation for all methods that a path does not have.
  const types = text.replace(/^export interface paths \{.*?^\}\n/msu, "").replace(/^export type webhooks = .*\n/mu, "");
  return [
    `// Generated from the description ${descriptionHash()} by scripts/update-client-types.mjs.`,
    routes(description),
    commands(description),
    types.replaceAll(/^( {4})+/gmu, (indent) => " ".repeat(indent.length / 4)).trim(),
    "",
  ].join("\n");
}

/** The description without failures, which are all of one shape, and without what is the client's own work. */
function answersOnly({ paths, webhooks: _webhooks, ...rest }: Description): object {
  const slim = (operation: Operation): object => ({
    ...operation,
    parameters: (operation.parameters ?? []).filter(
      ({ $ref = "", in: place }) => place !== "header" && !$ref.endsWith("/version"),
    ),
    responses: Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([status, { headers: _, ...response }]) => [status, response]),
    ),
  });
  const items = Object.entries(paths).map(([path, item]) => {
    const { parameters, ...own } = item as PathItem & { readonly parameters?: unknown };
    const kept = Object.entries(own).map(([method, operation]) => [method, slim(operation)]);
    return [path, { ...Object.fromEntries(kept), ...withoutVersion(parameters) }];
  });
  return withoutUnused({ ...rest, paths: Object.fromEntries(items) } as Description);
}

function withoutVersion(parameters: unknown): object {
  if (!Array.isArray(parameters)) return {};
  return { parameters: parameters.filter((one: { $ref?: string }) => one.$ref?.endsWith("/version") !== true) };
}

function withoutUnused(description: Description): Description {
  const { schemas } = description.components;
  const used = new Set<string>();
  const collect = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/gu)) {
      if (used.has(name)) continue;
      used.add(name);
      collect(schemas[name]);
    }
  };
  collect(description.paths);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...description, components: { schemas: Object.fromEntries(kept) } };
}

function routes({ paths }: Description): string {
  const byMethod = METHODS.map((method) => {
    const rows = Object.entries(paths).flatMap(([path, item]) => {
      const id = item[method]?.operationId;
      return id === undefined ? [] : [`  "${path}": operations["${id}"];`];
    });
    return ` ${method}: {\n${rows.toSorted().join("\n")}\n };`;
  });
  return `export interface Routes {\n${byMethod.join("\n")}\n}`;
}

/** What may carry an Idempotency-Key. */
function commands({ paths }: Description): string {
  const found = Object.entries(paths)
    .filter(([path, { post }]) => post !== undefined && isCommand("POST", path.replaceAll(/\{(\w+)\}/gu, ":$1")))
    .map(([path]) => ` "${path}",`);
  return `export const COMMAND_PATHS = [\n${found.toSorted().join("\n")}\n] as const;`;
}
