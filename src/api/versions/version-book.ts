/** Has every version's description and maps answers to it; made of the newest description on first use. */
import { createDownCompiler, type Down } from "./down-mapping.ts";
import { isObject, type JsonObject, objectAt } from "./json.ts";
import { HTTP_METHODS, olderDocument, resolverOf } from "./older-document.ts";
import { createRouteTable, matchRoute, type RouteTable } from "./route-table.ts";
import type { Hop, Step, Translation } from "./translation.ts";
import type { ApiVersion } from "./version.ts";

const PROBLEM_REF = { $ref: "#/components/schemas/Problem" };

/** An answer's body, in the newest version or an older one. */
export interface VersionedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface VersionBook {
  /** Makes what answers in the version need, in several rounds of the event loop; `null` if it is there. */
  load(version: ApiVersion): Promise<void> | null;
  /** The description as the routes make it, in the version's terms. */
  document(version: ApiVersion): JsonObject;
  /** An answer of the newest version as the version of the request tells it. `type` is its media type. */
  answerIn(version: ApiVersion, request: AnsweredRequest, answer: VersionedAnswer): VersionedAnswer;
}

interface AnsweredRequest {
  readonly method: string;
  readonly translation: Translation;
  readonly isProblem: boolean;
  /** A device could not be read for the answer, which holds what was known before. */
  readonly isKnown: boolean;
}

/** What maps over one step. */
interface Chapter {
  readonly older: JsonObject;
  /** The newer version's operations. */
  readonly operations: RouteTable<() => unknown>;
  readonly downOf: (schema: unknown) => Down;
}

/** How a book is made without holding the event loop. */
export interface BookLoading {
  /** Makes that `newest` returns at once. */
  prepare(): Promise<void>;
  /** Resolves in a later round of the event loop. */
  yieldLoop(): Promise<void>;
}

/** Without `loading`, what is needed is made when it is first asked for. */
export function createVersionBook(newest: () => JsonObject, loading: BookLoading | null = null): VersionBook {
  const chapters = new Map<Step, Chapter>();
  const chapterOf = (step: Step, newer: JsonObject): Chapter => {
    const known = chapters.get(step);
    if (known !== undefined) return known;
    const made = {
      older: olderDocument(newer, step),
      operations: operationsOf(newer),
      downOf: memorized(createDownCompiler(resolverOf(newer), step.says)),
    };
    chapters.set(step, made);
    return made;
  };
  const chaptersOf = ({ steps }: Pick<ApiVersion, "steps">): readonly Chapter[] => {
    let newer = newest();
    return steps.map((step) => {
      const chapter = chapterOf(step, newer);
      newer = chapter.older;
      return chapter;
    });
  };

  const loads = new Map<ApiVersion, Promise<void>>();
  const load = async ({ steps }: ApiVersion, { prepare, yieldLoop }: BookLoading): Promise<void> => {
    await prepare();
    for (const at of steps.keys()) {
      await yieldLoop();
      chaptersOf({ steps: steps.slice(0, at + 1) });
    }
    await yieldLoop();
  };

  return {
    load(version) {
      if (loading === null || version.steps.every((step) => chapters.has(step))) return null;
      const made = loads.get(version) ?? load(version, loading).finally(() => loads.delete(version));
      loads.set(version, made);
      return made;
    },
    document: (version) => chaptersOf(version).at(-1)?.older ?? newest(),
    answerIn(version, request, answer) {
      const hops = request.translation.hops.toReversed();
      const method = request.method === "HEAD" ? "GET" : request.method;
      let { status, body } = answer;
      for (const [at, { operations, downOf }] of chaptersOf(version).entries()) {
        const hop = hops[at];
        const found = hop === undefined ? null : matchRoute(operations, method, hop.newerPath);
        const schema = request.isProblem ? PROBLEM_REF : jsonSchemaOf(found?.value(), status);
        body = downOf(schema)?.(body) ?? body;
        if (hop !== undefined && isSuccess(status))
          ({ status, body } = changed(hop, { status, body }, request.isKnown));
      }
      return { status, body };
    },
  };
}

/** Operations are read when they are asked for. */
function operationsOf(document: JsonObject): RouteTable<() => unknown> {
  const entries = Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method): [string, () => unknown][] =>
      isObject(item) && Object.hasOwn(item, method) ? [[`${method.toUpperCase()} ${path}`, () => item[method]]] : [],
    ),
  );
  return createRouteTable(entries);
}

/** Schemas of one document are the same objects each time. */
function memorized(compile: (schema: unknown) => Down): (schema: unknown) => Down {
  const known = new WeakMap<object, { readonly down: Down }>();
  return (schema) => {
    if (!isObject(schema)) return null;
    const entry = known.get(schema) ?? { down: compile(schema) };
    known.set(schema, entry);
    return entry.down;
  };
}

function jsonSchemaOf(operation: unknown, status: number): unknown {
  const response = objectAt(operation, "responses")[String(status)];
  return objectAt(objectAt(response, "content"), "application/json")["schema"];
}

function changed({ change }: Hop, { status, body }: VersionedAnswer, isKnown: boolean): VersionedAnswer {
  const { known, statuses, down } = change?.answer ?? {};
  const older = down === undefined ? body : down(body);
  if (isKnown && known !== undefined) return { status: known.status, body: older };
  return { status: statuses?.[status] ?? status, body: older };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
