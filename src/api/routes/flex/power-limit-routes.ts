/** The limit of the grid connection of a location (rule S11.8). */
import { PowerLimit, PowerLimitUpdate } from "../../../domain/energy/site/power-limit.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const URL = "/locations/:locationId/power-limit";
const COMMON = { tags: ["locations"], params: pathId("locationId") } as const;
const ANSWER = jsonResponse("The limit, and what flows now.", PowerLimit);

export function powerLimitRoutes(api: Api, { engine }: RouteParts): void {
  const { powerLimits } = engine.services;
  api.route({
    method: "GET",
    url: URL,
    schema: {
      ...COMMON,
      operationId: "getPowerLimit",
      summary: "Get the limit of a location's grid connection, and what flows there now",
      description:
        "Highest import in kW and highest current in A per phase; `null` where there is no such limit. What flows is positive for import.",
      response: { 200: ANSWER, ...problemResponses("not-found", "conflict") },
    },
    handler: ({ params }) => powerLimits.get(idIn(params)),
  });
  api.route({
    method: "PUT",
    url: URL,
    schema: {
      ...COMMON,
      operationId: "setPowerLimit",
      summary: "Set the limit of a location's grid connection; it applies at once",
      description:
        "The limit is the one of `/local/site`: its main fuse and its contracted import. A command that would exceed it is not refused: the device gets what the limit leaves.",
      body: PowerLimitUpdate,
      response: {
        200: ANSWER,
        ...problemResponses("not-found", "conflict", "payload-too-large", "unsupported-media-type"),
      },
    },
    handler: async ({ params, body }) => await powerLimits.set(idIn(params), body),
  });
  api.route({
    method: "DELETE",
    url: URL,
    schema: {
      ...COMMON,
      operationId: "deletePowerLimit",
      summary: "Remove the limit of a location's grid connection",
      description:
        "Limits that the grid operator or the configuration file set still apply; 409 if the file sets all of them.",
      response: {
        204: emptyResponse("What was set over the API is removed."),
        ...problemResponses("not-found", "conflict"),
      },
    },
    handler: async ({ params }, reply) => {
      await powerLimits.remove(idIn(params));
      return await reply.code(204).send();
    },
  });
}
