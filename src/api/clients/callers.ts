/** Who asks, and in which version: read once a request, before it is routed. */
import type { FastifyRequest } from "fastify";
import type { Right } from "../../domain/people/role.ts";
import { problem } from "../../domain/problem.ts";
import type { ClientScope } from "../../domain/users/scope.ts";
import type { LiveSession, People } from "../../engine/contracts/people.ts";
import type { ClientRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { sessionCookiesOf } from "../people/session-cookie.ts";
import { findVersion, NEWEST_VERSION } from "../versions/served-versions.ts";
import { type Translation, translate } from "../versions/translation.ts";
import type { ApiVersion } from "../versions/version.ts";
import type { Tokens } from "./tokens.ts";

type RawRequest = FastifyRequest["raw"];

export interface Caller {
  /** The client behind the token; null without a token that is valid. */
  readonly client: ClientRecord | null;
  /** The person behind the cookie; null without an open session, and for a request with a token. */
  readonly session: LiveSession | null;
  /** Whom the request counts for: the id of the client or of the account; null for nobody. */
  readonly id: string | null;
  /** False: a token or a session's cookie was sent, and nobody has it. */
  readonly isTokenGood: boolean;
  /** What the header names; null when it is absent or names a version that is served. */
  readonly unknownVersion: string | null;
  readonly version: ApiVersion;
  /** The user whom the header names; null without one. */
  readonly userId: string | null;
  /** Null in the newest version: nothing is translated. */
  readonly translation: Translation | null;
}

export interface Callers {
  /** The same caller each time for the same request. */
  of(request: RawRequest): Caller;
}

/** The right by which an account has what a client has by a scope. */
const RIGHTS: Readonly<Record<ClientScope, Right>> = { "energy:limits": "install", "people:manage": "people" };

export function hasScope({ client, session }: Pick<Caller, "client" | "session">, scope: ClientScope): boolean {
  if (client !== null) return client.scopes?.includes(scope) === true;
  return session?.rights.includes(RIGHTS[scope]) === true;
}

/** Throws `forbidden` for a client that was created without the scope, and for an account whose role is not enough. */
export function requireScope(caller: Pick<Caller, "client" | "session">, scope: ClientScope): void {
  if (hasScope(caller, scope)) return;
  const detail = `This needs a client with the scope ${scope}; create one with "hemgate client create --scope ${scope}".`;
  throw problem("forbidden", detail);
}

export function createCallers(parts: {
  readonly store: Pick<Store, "get">;
  readonly tokens: Tokens;
  readonly people: Pick<People, "sessionOf">;
  readonly namePrefix: string;
}): Callers {
  const known = new WeakMap<RawRequest, Caller>();
  const headers = {
    version: `${parts.namePrefix}-Version`.toLowerCase(),
    user: `${parts.namePrefix}-User-Id`.toLowerCase(),
  };
  return {
    of(request) {
      const before = known.get(request);
      if (before !== undefined) return before;
      const caller = readCaller(request, headers, parts);
      known.set(request, caller);
      return caller;
    },
  };
}

function readCaller(
  { method = "GET", url = "/", headers }: RawRequest,
  names: { readonly version: string; readonly user: string },
  {
    store,
    tokens,
    people,
  }: { readonly store: Pick<Store, "get">; readonly tokens: Tokens; readonly people: Pick<People, "sessionOf"> },
): Caller {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(headers.authorization ?? "") ?? [];
  const clientId = token === undefined ? null : tokens.clientOf(token);
  const client = clientId === null ? null : store.get("client", clientId);
  // Only a request that the browser made by itself has no Authorization.
  const cookies = headers.authorization === undefined ? sessionCookiesOf(headers) : [];
  const session = cookies.map((cookie) => people.sessionOf(cookie)).find((found) => found !== null) ?? null;
  const asked = headers[names.version];
  const named = typeof asked === "string" ? findVersion(asked) : null;
  const version = named ?? findVersion(client?.apiVersion ?? "") ?? NEWEST_VERSION;
  const user = headers[names.user];
  const userId = typeof user === "string" ? user : null;
  // What a path can do is asked of the path as it is read.
  const way = method === "OPTIONS" ? "GET" : method;
  const encodedId = userId === null || userId === "" ? null : encodeURIComponent(userId);
  return {
    client,
    session,
    id: client?.id ?? session?.account.id ?? null,
    isTokenGood: token === undefined ? cookies.length === 0 || session !== null : client !== null,
    unknownVersion: asked !== undefined && named === null ? String(asked) : null,
    version,
    userId,
    translation: version.steps.length === 0 ? null : translate(version.steps, { method: way, url, userId: encodedId }),
  };
}
