/** Lists, invites, changes and removes people. */
import { z } from "zod";
import { instantOrNull } from "../../../domain/fields.ts";
import { NewPerson, nameKey, Person, PersonCreate, PersonUpdate } from "../../../domain/people/account.ts";
import type { Api, RouteParts } from "../../api.ts";
import { createSignInGuard } from "../../people/sign-in-guard.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { askerOf, requireManager } from "./asker.ts";

const TAGS = ["people"];
const URL = "/local/people";
const WHO = "For owners, and for clients with the scope `people:manage`.";

export function peopleRoutes(api: Api, parts: RouteParts): void {
  listRoute(api, parts);
  createRoute(api, parts);
  updateRoute(api, parts);
  removeRoute(api, parts);
}

function listRoute(api: Api, { engine, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "listPeople",
      summary: "List the people with an account, oldest account first",
      description: "Owners see all; others themselves.",
      tags: TAGS,
      response: { 200: jsonResponse("The people.", z.array(Person)), ...problemResponses("forbidden") },
    },
    handler: (request) => [...engine.services.people.list(askerOf(callerOf(request)))],
  });
}

function createRoute(api: Api, { engine, callerOf }: RouteParts): void {
  api.route({
    method: "POST",
    url: URL,
    schema: {
      operationId: "createPerson",
      summary: "Make an account, with a password or with an invitation",
      description: `${WHO} The invitation is a code for POST /local/claim; it counts once, for seven days.`,
      tags: TAGS,
      body: PersonCreate,
      response: { 201: jsonResponse("The account.", NewPerson), ...problemResponses("forbidden", "conflict") },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      const { person, code } = await engine.services.people.create(request.body);
      reply.code(201);
      return { ...person, code: code?.code ?? null, codeExpiresAt: instantOrNull(code?.expiresAtMs ?? null) };
    },
  });
}

function updateRoute(api: Api, parts: RouteParts): void {
  const { people } = parts.engine.services;
  const guard = createSignInGuard(parts);
  api.route({
    method: "PATCH",
    url: `${URL}/:personId`,
    schema: {
      operationId: "updatePerson",
      summary: "Change an account",
      description:
        "People change their own name, language and password; a new password ends their other sessions. Owners change the roles, names and languages of all, and renew the accounts of installers.",
      tags: TAGS,
      params: pathId("personId"),
      body: PersonUpdate,
      response: {
        200: jsonResponse("The account.", Person),
        ...problemResponses("not-found", "forbidden", "conflict"),
      },
    },
    handler: async (request, reply) => {
      const caller = parts.callerOf(request);
      const asker = askerOf(caller);
      const name = caller.session === null ? null : nameKey(caller.session.account.name);
      const attempt = guard.attempt(reply, request.ip, name);
      return await people.update(idIn(request.params), request.body, asker, attempt, caller.session?.id ?? null);
    },
  });
}

function removeRoute(api: Api, { engine, webhooks, callerOf }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: `${URL}/:personId`,
    schema: {
      operationId: "deletePerson",
      summary: "Remove an account; its sessions end at once",
      description: `${WHO} The last owner stays.`,
      tags: TAGS,
      params: pathId("personId"),
      response: {
        204: emptyResponse("The account is gone."),
        ...problemResponses("not-found", "forbidden", "conflict"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      const id = idIn(request.params);
      await engine.services.people.remove(id);
      for (const { webhook } of webhooks.list(id)) await webhooks.remove(id, webhook.id);
      return await reply.code(204).send();
    },
  });
}
