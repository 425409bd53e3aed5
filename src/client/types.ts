/** What each request takes and answers, from the gateway's description. */
import type { COMMAND_PATHS, components, Routes } from "./api.generated.ts";

/** The records of the API by name, such as `Schemas["Battery"]`. */
export type Schemas = components["schemas"];

export type Method = keyof Routes;
/** The paths that have the method, as the description writes them: `/batteries/{batteryId}`. */
export type Path<M extends Method> = keyof Routes[M] & string;
/** A path whose requests may carry an `Idempotency-Key`. */
export type CommandPath = (typeof COMMAND_PATHS)[number];

type Parameter<O, Place extends string> = O extends { parameters: { [P in Place]?: infer Value } }
  ? Exclude<Value, undefined>
  : never;
type Optional<T> = Record<never, never> extends T ? true : false;
type Field<Name extends string, T> = [T] extends [never]
  ? { readonly [N in Name]?: never }
  : Optional<T> extends true
    ? { readonly [N in Name]?: T | undefined }
    : { readonly [N in Name]: T };
type BodyOf<O> = O extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : O extends { requestBody?: { content: infer Content } }
    ? Content[keyof Content] | undefined
    : never;
type BodyField<O> = [BodyOf<O>] extends [never]
  ? { readonly body?: never }
  : undefined extends BodyOf<O>
    ? { readonly body?: BodyOf<O> }
    : { readonly body: BodyOf<O> };

export interface CallOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Version of the API for this request, such as `2024-10-01`; absent: the client's. */
  readonly version?: string;
}

/** What a request takes beside its path: ids in the path, the query, the body. */
export type Input<M extends Method, P extends Path<M>> = Field<"path", Parameter<Routes[M][P], "path">> &
  Field<"query", Parameter<Routes[M][P], "query">> &
  BodyField<Routes[M][P]> &
  CallOptions &
  (P extends CommandPath ? { readonly idempotencyKey?: string } : Record<never, never>);

/** The input may be left out where nothing of it is required. */
export type Inputs<M extends Method, P extends Path<M>> =
  Record<never, never> extends Input<M, P> ? [input?: Input<M, P>] : [input: Input<M, P>];

type Content<R> = R extends { content: infer C } ? (C extends { "application/json": infer J } ? J : never) : undefined;
type Responses<O> = O extends { responses: infer R } ? R[keyof R] : never;

/** What a request answers; `undefined` without a body. */
export type Answer<M extends Method, P extends Path<M>> = Content<Responses<Routes[M][P]>>;

/** The lists that come in pages. */
export type ListPath = {
  [P in Path<"get">]: Answer<"get", P> extends { readonly data: readonly unknown[]; readonly pagination: unknown }
    ? P
    : never;
}[Path<"get">];

/** One entry of such a list. */
export type Entry<P extends ListPath> = Answer<"get", P> extends { readonly data: readonly (infer E)[] } ? E : never;
