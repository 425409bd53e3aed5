/** Houses as energy systems, and what they did (rules I4.7, S6.1 and S6.2). */
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { HemInterval, HemStatistics, HemSystem, HemYear } from "../../../domain/hem/hem-system.ts";
import { PageQuery, Pagination, type Position, takePage } from "../../../domain/page.ts";
import { ProblemError, problem } from "../../../domain/problem.ts";
import type { HemEntry } from "../../../engine/contracts/hem.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId, UserPath } from "../path-ids.ts";

const SYSTEM: RecordShape = { name: "hem-system", schema: HemSystem };
const HemSystemPage = z.object({ data: z.array(HemSystem), pagination: Pagination }).meta({ id: "HemSystemPage" });
const PATH = pathId("hemSystemId");
const YEAR_PATH = z.object({
  hemSystemId: z.string().meta({ format: "uuid" }),
  year: z.coerce.number().int().min(2000).max(2999),
});
const TAGS = ["hem-systems"];
/** A database that the disk refuses is opened again within seconds. */
const RETRY_AFTER_S = 30;

export function hemRoutes(api: Api, parts: RouteParts): void {
  listRoutes(api, parts);
  oneRoutes(api, parts);
  yearRoutes(api, parts);
}

function listRoutes(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/hem-systems",
    schema: {
      operationId: "listHemSystems",
      summary: "List all energy systems, newest first",
      description:
        "Each house as one system: its batteries, inverters and meters. The gateway puts them together by itself, by user and place.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of energy systems.", HemSystemPage), ...problemResponses() },
    },
    handler: (request, reply) => {
      const { entries, pagination } = takePage(engine.services.hemSystems.list(), positionOf, request.query);
      return reply.type(JSON_TYPE).send(texts.page(SYSTEM, entries.map(systemOf), pagination));
    },
  });
  api.route({
    method: "GET",
    url: "/users/:userId/hem-systems",
    schema: {
      operationId: "listUserHemSystems",
      summary: "List a user's energy systems, newest first",
      description: "The systems of one user. A user who is not known is a 404, one without a system an empty page.",
      tags: TAGS,
      params: UserPath,
      querystring: PageQuery,
      response: {
        200: jsonResponse("A page of the user's energy systems.", HemSystemPage),
        ...problemResponses("not-found"),
      },
    },
    handler: (request, reply) => {
      const { userId } = request.params;
      engine.services.users.require(userId);
      const { entries, pagination } = takePage(engine.services.hemSystems.list(userId), positionOf, request.query);
      return reply.type(JSON_TYPE).send(texts.page(SYSTEM, entries.map(systemOf), pagination));
    },
  });
}

function oneRoutes(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/hem-systems/:hemSystemId",
    schema: {
      operationId: "getHemSystem",
      summary: "Get one energy system",
      description:
        "What it generated, used, stored and exchanged with the grid since local midnight, in kWh, each counted positive; `null` where a device does not report it.",
      tags: TAGS,
      params: PATH,
      response: { 200: jsonResponse("The energy system.", HemSystem), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const id = idIn(request.params);
      const system = engine.services.hemSystems.get(id);
      if (system === null) throw noSystem(id);
      return reply.type(JSON_TYPE).send(texts.record(SYSTEM, system));
    },
  });
  api.route({
    method: "GET",
    url: "/hem-systems/:hemSystemId/statistics",
    schema: {
      operationId: "getHemStatistics",
      summary: "Get what an energy system did in a day or a month",
      description:
        "A day is given in the finest buckets that are kept: 5 minutes for 400 days, 15 minutes for three years, then hours. Buckets of less than an hour hold mean power, longer ones energy. Consumption is generation, import and discharge less export and charge.",
      tags: TAGS,
      params: PATH,
      querystring: z.object({ interval: HemInterval }),
      response: {
        200: jsonResponse("The series that the system's devices can tell.", HemStatistics),
        ...problemResponses("not-found", "hem-system-statistics-not-available", "vendor-temporarily-unavailable"),
      },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const { interval } = request.query;
      return await known(id, reply, () => engine.services.hemSystems.statistics(id, interval));
    },
  });
}

function yearRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/hem-systems/:hemSystemId/years/:year",
    schema: {
      operationId: "getHemYear",
      summary: "Get the energy of a system by the months of a year",
      description:
        "Consumption is generation, import and discharge less export and charge. Months to come have no values.",
      tags: TAGS,
      params: YEAR_PATH,
      response: {
        200: jsonResponse("The twelve months.", HemYear),
        ...problemResponses("not-found", "hem-system-statistics-not-available", "vendor-temporarily-unavailable"),
      },
    },
    handler: async (request, reply) => {
      const { hemSystemId: id, year } = request.params;
      return await known(id, reply, () => engine.services.hemSystems.year(id, year));
    },
  });
}

async function known<Found>(id: string, reply: FastifyReply, ask: () => Promise<Found | null>): Promise<Found> {
  try {
    const found = await ask();
    if (found === null) throw noSystem(id);
    return found;
  } catch (error) {
    const isBusy = error instanceof ProblemError && error.slug === "vendor-temporarily-unavailable";
    if (isBusy) reply.header("retry-after", String(RETRY_AFTER_S));
    throw error;
  }
}

function noSystem(id: string): ProblemError {
  return problem("not-found", `There is no energy system "${id}".`);
}

function positionOf({ system, createdAtMs }: HemEntry): Position {
  return { createdAtMs, id: system.id };
}

function systemOf({ system }: HemEntry): HemSystem {
  return system;
}
