/** Lets clients begin link sessions (rules I4.1 and S10). The page that users see has separate routes. */
import type { FastifyRequest } from "fastify";
import { LinkAnswer, LinkBody, RelinkBody } from "../../../domain/linking/link.ts";
import type { Api, RouteParts } from "../../api.ts";
import { baseUrl } from "../../requests/base-url.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId, UserPath } from "../path-ids.ts";
import { LINK_PATH } from "./link-page-routes.ts";

const BODY_PROBLEMS = ["payload-too-large", "unsupported-media-type"] as const;
const SESSION = "A session of 24 hours, to be completed once.";

export function linkRoutes(api: Api, { engine, config, store, clientOf, callerOf }: RouteParts): void {
  const appNameOf = (request: FastifyRequest): string | null => store.get("client", clientOf(request))?.name ?? null;
  const isOwnPage = (request: FastifyRequest): boolean => callerOf(request).session !== null;
  const answerWith = (request: FastifyRequest, linkToken: string) => ({
    linkUrl: `${baseUrl(request, config.linking.url)}${LINK_PATH}/${linkToken}`,
    linkToken,
  });
  api.route({
    method: "POST",
    url: "/users/:userId/link",
    schema: {
      operationId: "linkUser",
      summary: "Begin a session in which a user links devices",
      description: "The user is made when there is none of this id.",
      tags: ["linking"],
      params: UserPath,
      body: LinkBody,
      response: { 200: jsonResponse(SESSION, LinkAnswer), ...problemResponses("forbidden", ...BODY_PROBLEMS) },
    },
    handler: async (request) => {
      const { userId } = request.params;
      return answerWith(
        request,
        await engine.services.linking.start(userId, request.body, appNameOf(request), isOwnPage(request)),
      );
    },
  });
  api.route({
    method: "POST",
    url: "/assets/:assetId/relink",
    schema: {
      operationId: "relinkAsset",
      summary: "Begin a session in which a user restores the access to a device",
      description: "For assets whose credentials became invalid. The ids of the assets stay.",
      tags: ["linking"],
      params: pathId("assetId"),
      body: RelinkBody,
      response: { 200: jsonResponse(SESSION, LinkAnswer), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request) => {
      const assetId = idIn(request.params);
      return answerWith(
        request,
        await engine.services.linking.relink(assetId, request.body, appNameOf(request), isOwnPage(request)),
      );
    },
  });
}
