/** The remedies that people can apply to their devices (rules I4.12 and S6.5). */
import { z } from "zod";
import { ASSET_KINDS } from "../../../domain/assets/asset.ts";
import { findIntervention, Intervention, interventions } from "../../../domain/interventions/intervention.ts";
import { INTERVENTION_LANGUAGES } from "../../../domain/language.ts";
import type { Api } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const Query = z.object({
  // Any other code is answered in English, so it is no enum for the check.
  language: z
    .string()
    .optional()
    .meta({ enum: [...INTERVENTION_LANGUAGES], description: "Language of the texts; default and fallback: en-US." }),
  vendorType: z.enum(ASSET_KINDS).optional(),
  vendor: z.string().optional().meta({ description: "Vendor code, as in /health." }),
});
const TAGS = ["interventions"];

export function interventionRoutes(api: Api): void {
  api.route({
    method: "GET",
    url: "/interventions",
    schema: {
      operationId: "listInterventions",
      summary: "List what people can do so that a capability becomes available",
      description:
        "Texts for the person at the device: what to switch on or to sign into, and what becomes possible by it. Assets refer to them by `interventionIds` of their capabilities.",
      tags: TAGS,
      querystring: Query,
      response: { 200: jsonResponse("All that fit.", z.array(Intervention)), ...problemResponses() },
    },
    handler: ({ query: { language, ...filter } }) => interventions(language, filter),
  });
  api.route({
    method: "GET",
    url: "/interventions/:interventionId",
    schema: {
      operationId: "getIntervention",
      summary: "Get one intervention",
      description: "In the language that was asked for, or in English. A 404 has no body.",
      tags: TAGS,
      params: pathId("interventionId"),
      querystring: Query,
      response: {
        200: jsonResponse("The intervention.", Intervention),
        ...problemResponses(),
        404: emptyResponse("There is no such intervention; the body is empty."),
      },
    },
    handler: (request, reply) => {
      const found = findIntervention(idIn(request.params), request.query.language);
      return found === null ? reply.code(404).send() : reply.send(found);
    },
  });
}
