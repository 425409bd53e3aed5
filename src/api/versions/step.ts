/** What one dated version says against the next newer one. A module of this folder is such a list of differences. */
import type { z } from "zod";
import type { AssetKind } from "../../domain/assets/asset.ts";
import { type Issue, type ProblemSlug, problem } from "../../domain/problem.ts";
import { refusalOf } from "../requests/issues.ts";
import type { RecordChanges } from "./down-mapping.ts";
import { schemaOf } from "./field-change.ts";
import { isObject, type JsonObject, renamed } from "./json.ts";
import { editField, fieldAt, inlined, type Resolve, renameField, withoutValues } from "./schema-path.ts";

/** One version against the next newer one. Routes are written `METHOD /path/{parameter}`. */
export interface VersionStep {
  readonly date: string;
  /** What records lack, had or named otherwise; by the newer version's schema. */
  readonly records: RecordChanges;
  /** Routes that only this version has, or that differ here; by the route as it is here. */
  readonly routes: Readonly<Record<string, RouteChange>>;
  /** Routes of the newer version that do not exist here. A last segment `*` stands for everything below. */
  readonly lacks: readonly string[];
  /** Schemas of the newer version that do not exist here: unions lose them, and lists their records. */
  readonly lacksTypes?: readonly string[];
  /** Paths here that belong to the user whom a header names. Absent: as in the newer version. */
  readonly userPaths?: readonly string[];
  /** What the problem slug of the newer version may be here. */
  readonly slugs?: Readonly<Record<string, readonly string[]>>;
}

/** How a route of the older version is asked and answered. */
export interface RouteChange {
  /** The same route in the newer version; a `{userId}` that the older one lacks is the header's user. */
  readonly now?: string;
  readonly query?: QueryChange;
  readonly body?: BodyChange;
  readonly answer?: AnswerChange;
}

export interface QueryChange {
  /** Parameters by their older name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** The kind of device that is read before the answer, where the client sent one of `own`. */
  readonly reads?: AssetKind;
  /** Parameters that only the older version has. */
  readonly own?: Readonly<Record<string, z.ZodType>>;
  /** What the newer version is asked with beside what the client sent. */
  readonly set?: Readonly<Record<string, string>>;
}

export interface BodyChange {
  /** The body as the newer version takes it. Throws a `bad-request` in the older version's words. */
  up(body: unknown): unknown;
  schema(newer: JsonObject, resolve: Resolve): JsonObject;
  /** Keys by their newer name, for what the newer version finds wrong. */
  readonly names: Readonly<Record<string, string>>;
}

/** Of answers with a status of success. */
export interface AnswerChange {
  /** Statuses by the newer version's. */
  readonly statuses?: Readonly<Record<number, number>>;
  /** The status of an answer that holds what was known before, where a device could not be read for it. */
  readonly known?: { readonly status: number; readonly description: string };
  /** Problems that only the older version answers with. */
  readonly problems?: readonly ProblemSlug[];
  readonly down?: (body: unknown) => unknown;
  readonly schema?: (newer: JsonObject, resolve: Resolve) => JsonObject;
}

/** A page, as the plain list of its entries. */
export const PLAIN_LIST: AnswerChange = {
  down: (page) => (isObject(page) ? page["data"] : page),
  schema: (page, resolve) => {
    const list = fieldAt(page, ["data"], resolve)?.schema;
    return isObject(list) ? list : page;
  },
};

/** A page, as the plain list of its entries' ids. */
export const ID_LIST: AnswerChange = {
  down: (page) => {
    const entries = isObject(page) ? page["data"] : null;
    return Array.isArray(entries) ? entries.map((entry: unknown) => (isObject(entry) ? entry["id"] : entry)) : page;
  },
  schema: () => ({ type: "array", items: { type: "string" } }),
};

/** A body that the older version describes by itself. */
export function ownBody<Schema extends z.ZodType>(
  schema: Schema,
  up: (body: z.output<Schema>) => JsonObject,
  names: Readonly<Record<string, string>> = {},
): BodyChange {
  return {
    up: (body) => {
      const read = schema.safeParse(body);
      if (read.success) return up(read.data);
      throw refusalOf(read.error, "body", body ?? null);
    },
    schema: () => schemaOf(schema, "input"),
    names,
  };
}

/** The newer version's body with some keys named otherwise, by their older name. */
export function renamedKeys(olderNames: Readonly<Record<string, string>>): BodyChange {
  const names = Object.fromEntries(Object.entries(olderNames).map(([older, newer]) => [newer, older]));
  return {
    up: (body) => {
      if (!isObject(body)) return body;
      const issues = Object.keys(names)
        .filter((newer) => Object.hasOwn(body, newer))
        .map(
          (newer): Issue => ({
            code: "unrecognized_keys",
            path: [newer],
            message: `Unknown key "${newer}"`,
            in: "body",
          }),
        );
      if (issues.length > 0) throw problem("bad-request", "The body has unknown keys; see `issues`.", { issues });
      return Object.fromEntries(Object.entries(body).map(([key, value]) => [renamed(olderNames, key), value]));
    },
    schema: (newer, resolve) =>
      Object.entries(olderNames).reduce(
        (schema, [older, name]) => renameField(schema, name, older, resolve),
        inlined(newer, resolve),
      ),
    names,
  };
}

/** A body whose key has a value that the older version does not know. */
export function refusedValue(key: string, value: string): BodyChange {
  return {
    up: (body) => {
      if (!isObject(body) || body[key] !== value) return body;
      const message = `"${value}" is not for this version`;
      const issue: Issue = { code: "invalid_enum", path: [key], message, in: "body", received: value };
      throw problem("bad-request", `body.${key}: ${message}.`, { issues: [issue] });
    },
    schema: (newer, resolve) =>
      editField(newer, [key], resolve, (field) => field && { ...field, schema: withoutValues(field.schema, [value]) }),
    names: {},
  };
}
