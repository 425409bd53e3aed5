/** How people get a session in a browser: by a code, or by their password. The cookie is its only secret. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { Claim, ClaimState, nameKey, Session, SessionEntry, SignIn } from "../../../domain/people/account.ts";
import { problem } from "../../../domain/problem.ts";
import type { ListedSession, LiveSession, SignedIn, SignInPlace } from "../../../engine/contracts/people.ts";
import type { Api, RouteParts } from "../../api.ts";
import { refuseForgery } from "../../people/session-check.ts";
import { clearSessionCookie, sessionCookiesOf, setSessionCookie } from "../../people/session-cookie.ts";
import { createSignInGuard, type SignInGuard } from "../../people/sign-in-guard.ts";
import { pageOf } from "../../requests/own-page.ts";
import { emptyResponse, jsonResponse, openProblemResponses, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { askerOf } from "./asker.ts";

export const CLAIM_PATH = "/local/claim";
export const SESSION_PATH = "/local/session";
const TAGS = ["people"];
const COOKIE = "The session is in the cookie `hemgate-session`, which scripts cannot read.";

export function sessionRoutes(api: Api, parts: RouteParts): void {
  const guard = createSignInGuard(parts);
  claimRoutes(api, parts, guard);
  signInRoute(api, parts, guard);
  ownSessionRoutes(api, parts);
  listRoute(api, parts);
  endRoute(api, parts);
}

function claimRoutes(api: Api, parts: RouteParts, guard: SignInGuard): void {
  const { people } = parts.engine.services;
  api.route({
    method: "GET",
    url: CLAIM_PATH,
    schema: {
      operationId: "getClaim",
      summary: "Tell whether somebody owns the gateway",
      description:
        "For the page's first screen, without a token. A gateway that nobody owns takes the setup code of its log.",
      tags: TAGS,
      security: [{}],
      response: { 200: jsonResponse("Whether there is an owner.", ClaimState), ...openProblemResponses() },
    },
    handler: () => ({ isClaimed: people.isClaimed() }),
  });
  api.route({
    method: "POST",
    url: CLAIM_PATH,
    schema: {
      operationId: "claim",
      summary: "Exchange a code for an account and a session",
      description: `With the setup code, which the gateway's log and \`hemgate claim\` show, for the first owner's account; with an invitation for the invited one; with a code of \`hemgate people reset\` for a new password. A code counts once. ${COOKIE}`,
      tags: TAGS,
      security: [{}],
      body: Claim,
      response: {
        201: jsonResponse("The session.", Session),
        ...openProblemResponses("forbidden", "conflict", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      refuseForeignPage(request, parts);
      const attempt = guard.attempt(reply, request.ip, null);
      const signedIn = await people.claim(request.body, placeOf(request), attempt);
      return welcome(request, reply.code(201), signedIn, parts);
    },
  });
}

function signInRoute(api: Api, parts: RouteParts, guard: SignInGuard): void {
  const { people } = parts.engine.services;
  api.route({
    method: "POST",
    url: SESSION_PATH,
    schema: {
      operationId: "signIn",
      summary: "Sign in with name and password",
      description: `${COOKIE} After ten wrong passwords for one account from one address within a minute, and after a hundred for one account within an hour, attempts have to wait.`,
      tags: TAGS,
      security: [{}],
      body: SignIn,
      response: {
        200: jsonResponse("The session.", Session),
        ...openProblemResponses("unauthorized", "forbidden", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      refuseForeignPage(request, parts);
      const { name, password } = request.body;
      const known = people.named(name);
      // A name that nobody has may be a password in the wrong field.
      if (known !== null) parts.nameActor(request, { kind: "unknown", ...known });
      const attempt = guard.attempt(reply, request.ip, nameKey(name));
      const signedIn = await people.signIn(name, password, placeOf(request), attempt);
      if (signedIn === null) throw problem("unauthorized", "The name or the password is wrong.");
      return welcome(request, reply, signedIn, parts);
    },
  });
}

function ownSessionRoutes(api: Api, parts: RouteParts): void {
  const { people } = parts.engine.services;
  const required = (request: FastifyRequest): LiveSession => {
    const { session } = parts.callerOf(request);
    if (session === null) throw problem("unauthorized", "Nobody is signed in here; sign in with POST /local/session.");
    return session;
  };
  api.route({
    method: "GET",
    url: SESSION_PATH,
    schema: {
      operationId: "getSession",
      summary: "Get the session of this browser, and move its end",
      description:
        "The account, its rights, and the `csrfToken` that a page sends along with changes. Each call moves the end of the session to 30 days from now at most.",
      tags: TAGS,
      security: [{ session: [] }],
      response: { 200: jsonResponse("The session.", Session), ...problemResponses() },
    },
    handler: (request, reply) => {
      const session = required(request);
      const token = sessionCookiesOf(request.headers).find((cookie) => people.sessionOf(cookie)?.id === session.id);
      if (token !== undefined) setSessionCookie(request, reply, token, session.expiresAtMs - parts.clock.nowMs());
      return shown(session);
    },
  });
  api.route({
    method: "DELETE",
    url: SESSION_PATH,
    schema: {
      operationId: "signOut",
      summary: "Sign out: end the session of this browser at once",
      description: "The cookie is cleared as well. Other browsers of the same person stay signed in.",
      tags: TAGS,
      security: [{ session: [] }],
      response: { 204: emptyResponse("The session has ended."), ...problemResponses("forbidden") },
    },
    handler: async (request, reply) => {
      const session = required(request);
      const forgery = refuseForgery(request, session, parts.config.linking.url);
      if (forgery !== null) throw forgery;
      await people.endSession(session.id, { accountId: session.account.id, isManager: false });
      return await clearSessionCookie(request, reply).code(204).send();
    },
  });
}

function listRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/sessions",
    schema: {
      operationId: "listSessions",
      summary: "List the browsers that are signed in, newest first",
      description: "Owners see those of all people; others their own.",
      tags: TAGS,
      response: {
        200: jsonResponse("The open sessions.", z.array(SessionEntry)),
        ...problemResponses("forbidden"),
      },
    },
    handler: (request) => {
      const currentId = parts.callerOf(request).session?.id ?? null;
      const listed = parts.engine.services.people.sessions(askerOf(parts.callerOf(request)));
      return listed.map((session) => entryOf(session, currentId));
    },
  });
}

function endRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "DELETE",
    url: "/local/sessions/:sessionId",
    schema: {
      operationId: "deleteSession",
      summary: "Sign a browser out at once",
      description:
        "Owners end anybody's session; others their own. The browser has to sign in again at its next request.",
      tags: TAGS,
      params: pathId("sessionId"),
      response: { 204: emptyResponse("The session has ended."), ...problemResponses("not-found", "forbidden") },
    },
    handler: async (request, reply) => {
      await parts.engine.services.people.endSession(idIn(request.params), askerOf(parts.callerOf(request)));
      return await reply.code(204).send();
    },
  });
}

export function refuseForeignPage(request: FastifyRequest, { config }: RouteParts): void {
  if (pageOf(request, config.linking.url) !== "foreign") return;
  throw problem("forbidden", "This request comes from another site's page.");
}

export function placeOf({ ip, headers }: FastifyRequest): SignInPlace {
  return { address: ip, userAgent: headers["user-agent"] ?? null };
}

export function welcome(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, session }: SignedIn,
  { clock, nameActor }: RouteParts,
): z.input<typeof Session> {
  nameActor(request, { kind: "account", id: session.account.id, name: session.account.name });
  setSessionCookie(request, reply, token, session.expiresAtMs - clock.nowMs());
  return shown(session);
}

function shown({ account, rights, csrfToken, expiresAtMs }: LiveSession): z.input<typeof Session> {
  const { expiresAtMs: endMs, ...fields } = account;
  return {
    account: { ...fields, expiresAt: instantOrNull(endMs) },
    rights: [...rights],
    csrfToken,
    expiresAt: instant(expiresAtMs),
  };
}

function entryOf(listed: ListedSession, currentId: string | null): z.input<typeof SessionEntry> {
  const { id, accountId, accountName, createdAtMs, lastSeenAtMs, expiresAtMs, address, userAgent } = listed;
  const times = { createdAt: instant(createdAtMs), lastSeenAt: instant(lastSeenAtMs), expiresAt: instant(expiresAtMs) };
  return { id, accountId, accountName, isCurrent: id === currentId, ...times, address, userAgent };
}
