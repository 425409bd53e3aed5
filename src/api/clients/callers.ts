/** Who asks, and in which version: read once a request, before it is routed. */
import type { FastifyRequest } from "fastify";
import type { ClientRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { findVersion, NEWEST_VERSION } from "../versions/served-versions.ts";
import { type Translation, translate } from "../versions/translation.ts";
import type { ApiVersion } from "../versions/version.ts";
import type { Tokens } from "./tokens.ts";

type RawRequest = FastifyRequest["raw"];

export interface Caller {
  /** The client behind the token; null without a token that is valid. */
  readonly client: ClientRecord | null;
  /** False: a token was sent, and no client has it. */
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

export function createCallers(parts: {
  readonly store: Pick<Store, "get">;
  readonly tokens: Tokens;
  readonly namePrefix: string;
}): Callers {
  const known = new WeakMap<RawRequest, Caller>();
  const headers = {
    version: `${parts.namePrefix}-Version`.toLowerCase(),
    user: `${parts.namePrefix}-User-Id`.toLowerCase(),
  };
  return {
    of(request) {
      const caller = known.get(request) ?? readCaller(request, headers, parts);
      known.set(request, caller);
      return caller;
    },
  };
}

function readCaller(
  { method = "GET", url = "/", headers }: RawRequest,
  names: { readonly version: string; readonly user: string },
  { store, tokens }: { readonly store: Pick<Store, "get">; readonly tokens: Tokens },
): Caller {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(headers.authorization ?? "") ?? [];
  const clientId = token === undefined ? null : tokens.clientOf(token);
  const client = clientId === null ? null : store.get("client", clientId);
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
    isTokenGood: token === undefined || client !== null,
    unknownVersion: asked !== undefined && named === null ? String(asked) : null,
    version,
    userId,
    translation: version.steps.length === 0 ? null : translate(version.steps, { method: way, url, userId: encodedId }),
  };
}
