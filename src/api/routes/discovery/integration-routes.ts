/** What this gateway integrates: one row a vendor (rule S6.4). */
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../../../domain/assets/asset.ts";
import { Integration } from "../../../domain/vendors/vendor-health.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";

const Query = z.object({
  assetTypes: z
    .string()
    .refine((text) => namesIn(text).every(isKind), { error: `expected kinds out of ${ASSET_KINDS.join(",")}` })
    .optional()
    .meta({ description: "Kinds of device, separated by commas; default all.", example: "vehicle,charger" }),
});

export function integrationRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/integrations",
    schema: {
      operationId: "listIntegrations",
      summary: "List the vendors that this gateway reaches",
      description:
        "Each vendor with the types of device and the scopes that linking it can give. Devices of the configuration need no linking.",
      tags: ["health"],
      querystring: Query,
      response: { 200: jsonResponse("One row a vendor.", z.array(Integration)), ...problemResponses() },
    },
    handler: ({ query: { assetTypes } }) =>
      engine.services.vendors.integrations(
        assetTypes === undefined ? ASSET_KINDS : ASSET_KINDS.filter((kind) => namesIn(assetTypes).includes(kind)),
      ),
  });
}

function namesIn(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}

function isKind(name: string): name is AssetKind {
  return ASSET_KINDS.some((kind) => kind === name);
}
