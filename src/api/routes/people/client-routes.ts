/** The programs with credentials: lists, creates, pins and revokes them. */
import { z } from "zod";
import { ClientCreate, ClientEntry, ClientUpdate, NewClient } from "../../../domain/people/account.ts";
import { problem } from "../../../domain/problem.ts";
import type { Api, RouteParts } from "../../api.ts";
import { listClients, revokeClient } from "../../clients/client-register.ts";
import { createClient, pinClient } from "../../clients/clients.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { requireManager } from "./asker.ts";

const TAGS = ["people"];
const WHO = "For owners, and for clients with the scope `people:manage`.";

export function clientRoutes(api: Api, parts: RouteParts): void {
  const { callerOf } = parts;
  createRoute(api, parts);
  pinRoute(api, parts);
  api.route({
    method: "GET",
    url: "/local/clients",
    schema: {
      operationId: "listClients",
      summary: "List the programs that may use the API, newest first",
      description: WHO,
      tags: TAGS,
      response: { 200: jsonResponse("The clients.", z.array(ClientEntry)), ...problemResponses("forbidden") },
    },
    handler: (request) => {
      requireManager(callerOf(request));
      return [...listClients(parts)];
    },
  });
  api.route({
    method: "DELETE",
    url: "/local/clients/:clientId",
    schema: {
      operationId: "deleteClient",
      summary: "Revoke a client: its tokens end at once",
      description: `${WHO} Its webhooks are removed, and the limits of the grid operator that it set no longer apply.`,
      tags: TAGS,
      params: pathId("clientId"),
      response: {
        204: emptyResponse("The client is gone."),
        ...problemResponses("not-found", "forbidden", "conflict"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      await revokeClient({ ...parts, energyLimits: parts.engine.services.energyLimits }, idIn(request.params));
      return await reply.code(204).send();
    },
  });
}

function createRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "POST",
    url: "/local/clients",
    schema: {
      operationId: "createClient",
      summary: "Create a client; the answer has its secret, which is shown this once",
      description: WHO,
      tags: TAGS,
      body: ClientCreate,
      response: { 201: jsonResponse("The credentials.", NewClient), ...problemResponses("forbidden") },
    },
    handler: async (request, reply) => {
      requireManager(parts.callerOf(request));
      const { name, version, scopes } = request.body;
      return reply.code(201).send(await createClient(parts, name, version, scopes));
    },
  });
}

function pinRoute(api: Api, parts: RouteParts): void {
  api.route({
    method: "PATCH",
    url: "/local/clients/:clientId",
    schema: {
      operationId: "updateClient",
      summary: "Pin a client to a version of the API",
      description: `${WHO} The version counts from the next request that names none, and for webhooks that name none.`,
      tags: TAGS,
      params: pathId("clientId"),
      body: ClientUpdate,
      response: { 200: jsonResponse("The client.", ClientEntry), ...problemResponses("not-found", "forbidden") },
    },
    handler: async (request) => {
      requireManager(parts.callerOf(request));
      const { id } = await pinClient(parts, idIn(request.params), request.body.version);
      const client = listClients(parts).find((each) => each.id === id);
      if (client === undefined) throw problem("not-found", `There is no client "${id}".`);
      return client;
    },
  });
}
