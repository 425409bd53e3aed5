/** Passkeys: people add and remove theirs, and sign in with one. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { nameKey, Session } from "../../../domain/people/account.ts";
import {
  Passkey,
  PasskeyBegin,
  PasskeyCreate,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySignIn,
} from "../../../domain/people/passkey.ts";
import { problem } from "../../../domain/problem.ts";
import type { LiveSession, PasskeyPlace } from "../../../engine/contracts/people.ts";
import type { Api, RouteParts } from "../../api.ts";
import { passkeyPlaceOf } from "../../people/passkey-place.ts";
import { createSignInGuard, type SignInGuard } from "../../people/sign-in-guard.ts";
import { emptyResponse, jsonResponse, openProblemResponses, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { askerOf } from "./asker.ts";
import { placeOf, refuseForeignPage, welcome } from "./session-routes.ts";

const SIGN_IN_PATH = "/local/session/passkey";
const REQUEST_PATH = "/local/session/passkey/options";
export const PASSKEY_SIGN_IN_PATHS: readonly string[] = [SIGN_IN_PATH, REQUEST_PATH];
const URL = "/local/people/:personId/passkeys";
const TAGS = ["people"];
const WHERE = "Over https and at a host name only: an IP address has no passkeys.";

export function passkeyRoutes(api: Api, parts: RouteParts): void {
  const guard = createSignInGuard(parts);
  const placeIn = (request: FastifyRequest): PasskeyPlace => passkeyPlaceOf(request, parts.config.linking.url);
  requestRoute(api, parts, placeIn);
  signInRoute(api, parts, placeIn, guard);
  listRoute(api, parts);
  creationRoute(api, parts, placeIn, guard);
  createRoute(api, parts, placeIn);
  removeRoute(api, parts);
}

type PlaceIn = (request: FastifyRequest) => PasskeyPlace;

function requestRoute(api: Api, parts: RouteParts, placeIn: PlaceIn): void {
  api.route({
    method: "POST",
    url: REQUEST_PATH,
    schema: {
      operationId: "beginPasskeySignIn",
      summary: "Get a challenge to sign in with a passkey",
      description: `${WHERE} The challenge counts once, for five minutes, and at this origin.`,
      tags: TAGS,
      security: [{}],
      response: {
        200: jsonResponse("What the browser is asked with.", PasskeyRequestOptions),
        ...openProblemResponses("forbidden", "conflict"),
      },
    },
    handler: (request) => {
      refuseForeignPage(request, parts);
      return parts.engine.services.people.passkeyRequest(placeIn(request));
    },
  });
}

function signInRoute(api: Api, parts: RouteParts, placeIn: PlaceIn, guard: SignInGuard): void {
  api.route({
    method: "POST",
    url: SIGN_IN_PATH,
    schema: {
      operationId: "signInWithPasskey",
      summary: "Sign in with a passkey",
      description: `${WHERE} The session is in a cookie that scripts cannot read. After ten refused passkeys from one address within a minute, attempts have to wait.`,
      tags: TAGS,
      security: [{}],
      body: PasskeySignIn,
      response: {
        200: jsonResponse("The session.", Session),
        ...openProblemResponses("unauthorized", "forbidden", "conflict"),
      },
    },
    handler: async (request, reply) => {
      refuseForeignPage(request, parts);
      const place = placeIn(request);
      const attempt = guard.attempt(reply, request.ip, null);
      const { people } = parts.engine.services;
      const signedIn = await people.signInWithPasskey(request.body, place, placeOf(request), attempt);
      return welcome(request, reply, signedIn, parts);
    },
  });
}

function listRoute(api: Api, { engine, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "listPasskeys",
      summary: "List the passkeys of an account, oldest first",
      description: "Owners see those of all people; others their own.",
      tags: TAGS,
      params: pathId("personId"),
      response: {
        200: jsonResponse("The passkeys.", z.array(Passkey)),
        ...problemResponses("not-found", "forbidden"),
      },
    },
    handler: (request) => [...engine.services.people.passkeys(idIn(request.params), askerOf(callerOf(request)))],
  });
}

function creationRoute(api: Api, parts: RouteParts, placeIn: PlaceIn, guard: SignInGuard): void {
  api.route({
    method: "POST",
    url: `${URL}/options`,
    schema: {
      operationId: "beginPasskey",
      summary: "Get a challenge to make a passkey for one's own account",
      description: `${WHERE} It needs the account's password, as a new password does. The challenge counts once, for five minutes, for this session and at this origin.`,
      tags: TAGS,
      params: pathId("personId"),
      body: PasskeyBegin,
      response: {
        200: jsonResponse("What the browser is asked with.", PasskeyCreationOptions),
        ...problemResponses("not-found", "forbidden", "conflict"),
      },
    },
    handler: async (request, reply) => {
      const session = ownSession(request, parts);
      const attempt = guard.attempt(reply, request.ip, nameKey(session.account.name));
      const { people } = parts.engine.services;
      return await people.passkeyCreation(session, request.body.password, placeIn(request), attempt);
    },
  });
}

function createRoute(api: Api, parts: RouteParts, placeIn: PlaceIn): void {
  api.route({
    method: "POST",
    url: URL,
    schema: {
      operationId: "createPasskey",
      summary: "Store a passkey that the browser has made",
      description: `${WHERE} Attestation is not looked at; the device has to have checked a fingerprint, a face or a PIN.`,
      tags: TAGS,
      params: pathId("personId"),
      body: PasskeyCreate,
      response: {
        201: jsonResponse("The passkey.", Passkey),
        ...problemResponses("not-found", "forbidden", "conflict"),
      },
    },
    handler: async (request, reply) => {
      const session = ownSession(request, parts);
      const made = await parts.engine.services.people.createPasskey(session, request.body, placeIn(request));
      reply.code(201);
      return made;
    },
  });
}

function removeRoute(api: Api, { engine, callerOf }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: `${URL}/:passkeyId`,
    schema: {
      operationId: "deletePasskey",
      summary: "Remove a passkey; nobody signs in with it any more",
      description: "Owners remove those of all people; others their own. Sessions go on.",
      tags: TAGS,
      params: z.object({ ...pathId("personId").shape, ...pathId("passkeyId").shape }),
      response: { 204: emptyResponse("The passkey is gone."), ...problemResponses("not-found", "forbidden") },
    },
    handler: async (request, reply) => {
      const { personId = "", passkeyId = "" } = request.params;
      await engine.services.people.removePasskey(personId, passkeyId, askerOf(callerOf(request)));
      return await reply.code(204).send();
    },
  });
}

/** Only people with a session have devices that make passkeys. */
function ownSession(request: FastifyRequest, { callerOf }: RouteParts): LiveSession {
  const { session } = callerOf(request);
  if (session === null || session.account.id !== idIn(request.params as Record<string, string>)) {
    throw problem("forbidden", "People add passkeys to their own account, in their own browser.");
  }
  return session;
}
