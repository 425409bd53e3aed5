/** Devices in the house's network that the gateway does not run yet, and those that it found again elsewhere. */
import { z } from "zod";
import {
  AdoptBody,
  Adopted,
  FoundSetup,
  NetworkSearch,
  NetworkSearchBody,
} from "../../../domain/discovery/discovery.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn } from "../path-ids.ts";

const TAGS = ["discovery"];
const URL = "/local/discovery";
const BODY_PROBLEMS = ["conflict", "too-many-requests", "payload-too-large", "unsupported-media-type"] as const;
const FOUND = z.object({ foundId: z.string().meta({ description: "The `id` of the found device." }) });
const LanguageQuery = z.object({
  language: z.string().optional().meta({
    description: "Language of labels, hints and proofs, such as `de-DE`; default and fallback: en-US.",
    example: "de-DE",
  }),
});

export function discoveryRoutes(api: Api, { engine }: RouteParts): void {
  const discovery = (): RouteParts["engine"]["services"]["discovery"] => engine.services.discovery;
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getNetworkSearch",
      summary: "Get what is in the house's network, and how the last search went",
      description:
        "What answered or announced itself, and what the gateway runs already. Nothing is searched by asking this; `POST` begins a search.",
      tags: TAGS,
      querystring: LanguageQuery,
      response: { 200: jsonResponse("What was found, and how the search goes.", NetworkSearch), ...problemResponses() },
    },
    handler: ({ query }) => discovery().state(query.language),
  });
  api.route({
    method: "POST",
    url: URL,
    schema: {
      operationId: "beginNetworkSearch",
      summary: "Search the house's network for devices",
      description:
        "One search at a time. It takes seconds when it only listens, and up to two minutes when it asks hosts. Nothing is ever written to a device, and hosts that the gateway talks to are left alone.",
      tags: TAGS,
      body: NetworkSearchBody,
      response: { 200: jsonResponse("The search has begun.", NetworkSearch), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: (request) => discovery().begin(request.body),
  });
  api.route({
    method: "GET",
    url: `${URL}/:foundId/setup`,
    schema: {
      operationId: "getFoundDeviceSetup",
      summary: "Get what the owner of a found device decides when it is added",
      description:
        "The same that the link page asks: settings of the device's profile, and controls that stay off until somebody answers for them. Some devices are asked for it; the code of the issue says why one cannot be asked.",
      tags: TAGS,
      params: FOUND,
      querystring: LanguageQuery,
      response: {
        200: jsonResponse("What may be said, and what has to be.", FoundSetup),
        ...problemResponses("not-found", "timeout"),
      },
    },
    handler: async (request) => await discovery().setup(idIn(request.params), request.query.language),
  });
  api.route({
    method: "POST",
    url: `${URL}/:foundId/adopt`,
    schema: {
      operationId: "adoptFoundDevice",
      summary: "Add a device that was found, as if its user had linked it",
      tags: TAGS,
      description:
        "`GET /local/discovery/{foundId}/setup` says what may be decided. What is not confirmed stays off; what is missing or wrong is a `bad-request` whose `issues` name each place.",
      params: FOUND,
      querystring: LanguageQuery,
      body: AdoptBody,
      response: {
        200: jsonResponse("The device is here now; its assets follow when it has answered.", Adopted),
        ...problemResponses("not-found", "timeout", ...BODY_PROBLEMS),
      },
    },
    handler: async (request) => await discovery().adopt(idIn(request.params), request.body, request.query.language),
  });
}
