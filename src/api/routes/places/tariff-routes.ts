/** Submitted prices, and which hours of a location they are for (rules I4.8, I4.9 and S5.3). */
import { z } from "zod";
import { PageQuery, Pagination, takePage } from "../../../domain/page.ts";
import { Tariff, TariffEntry, TariffId, TariffLink } from "../../../domain/places/tariff.ts";
import { problem } from "../../../domain/problem.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const TAGS = ["tariffs"];
const TariffPath = z.object({ tariffId: TariffId });
/** An id that cannot be one is not found. */
const AnyTariffPath = z.object({ tariffId: z.string() });
const TariffPage = z
  .object({
    data: z.array(z.string().meta({ description: "The id of a tariff." })),
    pagination: Pagination,
  })
  .meta({ id: "TariffPage" });
const BODY_PROBLEMS = ["too-many-requests", "payload-too-large", "unsupported-media-type"] as const;

export function tariffRoutes(api: Api, parts: RouteParts): void {
  listRoute(api, parts);
  putRoute(api, parts);
  getRoute(api, parts);
  linkRoutes(api, parts);
}

function listRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/tariffs",
    schema: {
      operationId: "listTariffs",
      summary: "List the ids of all tariffs, newest first",
      description:
        "Ids as they were given with `PUT /tariffs/{tariffId}`. Tariffs belong to the house, not to one client.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of ids.", TariffPage), ...problemResponses() },
    },
    handler: (request) => {
      const { entries, pagination } = takePage(engine.services.tariffs.list(), (row) => row, request.query);
      return { data: entries.map(({ id }) => id), pagination };
    },
  });
}

function putRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "PUT",
    url: "/tariffs/:tariffId",
    schema: {
      operationId: "putTariff",
      summary: "Make a tariff, or replace its rates",
      description:
        "Locations that are linked to the tariff stay linked. Where an interval names a rate that is gone, the location's price is unknown to the tariff until the rate is there again.",
      tags: TAGS,
      params: TariffPath,
      body: Tariff,
      response: { 204: emptyResponse("The tariff is stored."), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      await engine.services.tariffs.put(request.params.tariffId, request.body);
      return reply.code(204).send();
    },
  });
}

function getRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/tariffs/:tariffId",
    schema: {
      operationId: "getTariff",
      summary: "Get the rates of a tariff",
      description:
        "The named rates, each as a decimal number in text: currency units per kWh, in the currency of the house. Negative costs are paid to the consumer.",
      tags: TAGS,
      params: AnyTariffPath,
      response: { 200: jsonResponse("The rates.", Tariff), ...problemResponses("not-found") },
    },
    handler: (request) => {
      const tariff = engine.services.tariffs.get(request.params.tariffId);
      if (tariff === null) throw problem("not-found", `There is no tariff "${request.params.tariffId}".`);
      return tariff;
    },
  });
}

function linkRoutes(api: Api, { engine }: RouteParts): void {
  const url = "/locations/:locationId/tariff";
  const params = pathId("locationId");
  api.route({
    method: "PUT",
    url,
    schema: {
      operationId: "setLocationTariff",
      summary: "Say which rate of a tariff holds when at a location",
      description:
        "Replaces what was said before. Times are on the location's wall clock. Hours that no interval covers have market prices, when there are any.",
      tags: TAGS,
      params,
      body: TariffLink,
      response: { 204: emptyResponse("The link is stored."), ...problemResponses("not-found", ...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      await engine.services.tariffs.link(idIn(request.params), request.body);
      return reply.code(204).send();
    },
  });
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getLocationTariff",
      summary: "Get the intervals of a location's tariff, in UTC",
      description:
        "The intervals as they are in UTC by the location's offset of this moment; after a clock change they read an hour off. What crosses midnight in UTC is split there. Empty when the location has no tariff.",
      tags: TAGS,
      params,
      response: { 200: jsonResponse("The intervals.", z.array(TariffEntry)), ...problemResponses("not-found") },
    },
    handler: (request, reply) =>
      reply.type(JSON_TYPE).send(JSON.stringify(engine.services.tariffs.entries(idIn(request.params)))),
  });
  api.route({
    method: "DELETE",
    url,
    schema: {
      operationId: "deleteLocationTariff",
      summary: "Take the tariff from a location",
      description:
        "Hours from now on have market prices, if there are any, or no price. The tariff and other locations that use it stay.",
      tags: TAGS,
      params,
      response: {
        204: emptyResponse("The location has no tariff."),
        ...problemResponses("not-found", "too-many-requests"),
      },
    },
    handler: async (request, reply) => {
      await engine.services.tariffs.unlink(idIn(request.params));
      return reply.code(204).send();
    },
  });
}
