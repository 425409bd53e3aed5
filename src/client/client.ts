/** A typed client of a gateway's API. */
import { COMMAND_PATHS } from "./api.generated.ts";
import { type EventOptions, type LiveMessage, liveMessages } from "./events.ts";
import { type Call, Transport, type TransportOptions } from "./transport.ts";
import type { Answer, CallOptions, Entry, Input, Inputs, ListPath, Method, Path } from "./types.ts";

export type ClientOptions = TransportOptions;

/** Every method throws a `ClientError` if the gateway refuses, or does not answer. */
export interface Client {
  /** `get("/batteries/{batteryId}", { path: { batteryId } })`. */
  get<P extends Path<"get">>(path: P, ...input: Inputs<"get", P>): Promise<Answer<"get", P>>;
  /** Each command has its own `Idempotency-Key`, so that it is sent again after a break and runs once. */
  post<P extends Path<"post">>(path: P, ...input: Inputs<"post", P>): Promise<Answer<"post", P>>;
  put<P extends Path<"put">>(path: P, ...input: Inputs<"put", P>): Promise<Answer<"put", P>>;
  patch<P extends Path<"patch">>(path: P, ...input: Inputs<"patch", P>): Promise<Answer<"patch", P>>;
  delete<P extends Path<"delete">>(path: P, ...input: Inputs<"delete", P>): Promise<Answer<"delete", P>>;
  /** The entries of a list, newest first; the next page is fetched when it is needed. */
  list<P extends ListPath>(path: P, ...input: Inputs<"get", P>): AsyncGenerator<Entry<P>, void>;
  /** The house as it is and as it changes; goes on after breaks until the signal aborts. */
  events(options?: EventOptions): AsyncGenerator<LiveMessage, void>;
  /** Any request, untyped: a path as it is sent. Resolves with the body, `undefined` without one. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** The same for an answer that is read as it comes, such as a file. */
  open(method: string, path: string, options?: RequestOptions): Promise<Response>;
}

export interface RequestOptions extends CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface AnyInput extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const call =
    <M extends Method>(method: M) =>
    async <P extends Path<M>>(path: P, ...[input]: Inputs<M, P>): Promise<Answer<M, P>> =>
      (await bodyOf(await transport.send(callOf(method, path, input as AnyInput | undefined)))) as Answer<M, P>;
  const open: Client["open"] = (method, path, { body, headers, signal, version } = {}) =>
    transport.send({ method, path, body, signal, version, ...(headers && { headers }), isRepeatable: isSafe(method) });
  return {
    get: call("get"),
    post: call("post"),
    put: call("put"),
    patch: call("patch"),
    delete: call("delete"),
    list: (path, ...[input]) => entries(transport, path, input),
    events: (eventOptions) => liveMessages(transport, eventOptions),
    open,
    request: async <T>(...asked: Parameters<typeof open>) => (await bodyOf(await open(...asked))) as T,
  };
}

async function* entries<P extends ListPath>(
  transport: Transport,
  path: P,
  input: Input<"get", P> | undefined,
): AsyncGenerator<Entry<P>, void> {
  const asked: AnyInput = input ?? {};
  for (let after: string | null | undefined; after !== null; ) {
    const query = { ...asked.query, ...(after !== undefined && { after }) };
    const answer = await bodyOf(await transport.send(callOf("get", path, { ...asked, query })));
    const page = answer as {
      readonly data: readonly Entry<P>[];
      readonly pagination: { readonly after: string | null };
    };
    yield* page.data;
    // The cursor of an empty page leads to itself.
    after = page.data.length === 0 ? null : page.pagination.after;
  }
}

/** Returns the request; throws a `TypeError` for a path of which an id is missing, which types do not allow. */
function callOf(method: Method, template: string, { path = {}, query, body, ...rest }: AnyInput = {}): Call {
  const { idempotencyKey, signal, version } = rest;
  const isCommand = method === "post" && COMMAND_PATHS.some((each) => each === template);
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = String(path[name] ?? "");
    if (id === "") throw new TypeError(`${template} needs path.${name}`);
    return encodeURIComponent(id);
  });
  return {
    method: method.toUpperCase(),
    path: filled + queryText(query),
    body,
    signal,
    version,
    isRepeatable: isCommand || isSafe(method),
    ...(isCommand && { headers: { "idempotency-key": idempotencyKey ?? newKey() } }),
  };
}

function isSafe(method: string): boolean {
  return ["GET", "PUT", "DELETE"].includes(method.toUpperCase());
}

/** `crypto.randomUUID` is missing in pages that came over http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function queryText(query: AnyInput["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) parameters.append(name, String(each));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (text === "") return undefined;
  return answer.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text;
}
