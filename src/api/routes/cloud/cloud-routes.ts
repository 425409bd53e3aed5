/** The link to the cloud service, for the owner of the house: how it does, and the end of it. */
import { CloudLinkView } from "../../../domain/cloud/cloud-link-view.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";

const PATH = "/local/cloud";
const TAGS = ["health"];

export function cloudRoutes(api: Api, { cloud }: RouteParts): void {
  api.route({
    method: "GET",
    url: PATH,
    schema: {
      operationId: "getCloudLink",
      summary: "Tell how the link to the cloud service does, and what waits for it",
      description:
        "Enrolled or not, connected or not, how many records wait and since when. Nothing of the house is sent by asking.",
      tags: TAGS,
      response: { 200: jsonResponse("The link.", CloudLinkView), ...problemResponses() },
    },
    handler: async () => await cloud.view(),
  });
  api.route({
    method: "DELETE",
    url: PATH,
    schema: {
      operationId: "cutCloudLink",
      summary: "Cut the link to the cloud service, for good",
      description:
        "The gateway's key is destroyed at once, whether or not the service can be reached; the service is informed as soon as it can be reached. What waits for it is forgotten. Another link takes a new token.",
      tags: TAGS,
      response: { 204: emptyResponse("The link is cut."), ...problemResponses("not-found", "conflict") },
    },
    handler: async (_request, reply) => {
      await cloud.cut();
      return await reply.code(204).send();
    },
  });
}
