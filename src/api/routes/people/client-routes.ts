/** Lists the programs with credentials of their own, and revokes them. Only the gateway's machine makes new ones. */
import { z } from "zod";
import { ClientEntry } from "../../../domain/people/account.ts";
import type { Api, RouteParts } from "../../api.ts";
import { listClients, revokeClient } from "../../clients/client-register.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { requireManager } from "./asker.ts";

const TAGS = ["people"];
const WHO = "For owners, and for clients with the scope `people:manage`.";

export function clientRoutes(api: Api, parts: RouteParts): void {
  const { callerOf } = parts;
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
