/** Events of the grid: announced, listed and taken back (rule S11.7). */
import { z } from "zod";
import { FlexEvent, NewFlexEvent } from "../../../domain/energy/flex/flex-event.ts";
import { PageQuery, Pagination, takePage } from "../../../domain/page.ts";
import { problem } from "../../../domain/problem.ts";
import type { Api, RouteParts } from "../../api.ts";
import { requireScope } from "../../clients/callers.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const TAGS = ["flex"];
const PATH = pathId("flexEventId");
const FlexEventPage = z.object({ data: z.array(FlexEvent), pagination: Pagination }).meta({ id: "FlexEventPage" });
const BODY_PROBLEMS = ["payload-too-large", "unsupported-media-type"] as const;

export function flexEventRoutes(api: Api, parts: RouteParts): void {
  readRoutes(api, parts);
  changeRoutes(api, parts);
}

function readRoutes(api: Api, { engine }: RouteParts): void {
  const { flexEvents } = engine.services;
  api.route({
    method: "GET",
    url: "/flex/events",
    schema: {
      operationId: "listFlexEvents",
      summary: "List the events of the grid, newest first",
      description: "Announced, active and past events. A past one stays for the record of what was limited.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of events.", FlexEventPage), ...problemResponses() },
    },
    handler: ({ query }) => {
      const positionOf = ({ event, createdAtMs }: ReturnType<typeof flexEvents.list>[number]) => {
        return { createdAtMs, id: event.id };
      };
      const { entries, pagination } = takePage(flexEvents.list(), positionOf, query);
      return { data: entries.map(({ event }) => event), pagination };
    },
  });
  api.route({
    method: "GET",
    url: "/flex/events/:flexEventId",
    schema: {
      operationId: "getFlexEvent",
      summary: "Get one event of the grid",
      description: "Its time, its limit in kW, its state, and the devices that take part in it.",
      tags: TAGS,
      params: PATH,
      response: { 200: jsonResponse("The event.", FlexEvent), ...problemResponses("not-found") },
    },
    handler: ({ params }) => flexEvents.get(idIn(params)) ?? noEvent(idIn(params)),
  });
}

function changeRoutes(api: Api, { engine, callerOf }: RouteParts): void {
  const { flexEvents } = engine.services;
  api.route({
    method: "POST",
    url: "/flex/events",
    schema: {
      operationId: "createFlexEvent",
      summary: "Announce an event of the grid; it begins and ends by itself",
      description:
        "For a client with the scope `energy:limits`. While the event lasts, its limit is one of `/local/energy/limits`, and is recorded as a limitation. Devices take part without being asked. Each change is an event `user:flex-event:updated`.",
      tags: TAGS,
      body: NewFlexEvent,
      response: {
        200: jsonResponse("The event.", FlexEvent),
        ...problemResponses("forbidden", "not-found", "conflict", ...BODY_PROBLEMS),
      },
    },
    handler: async (request) => {
      requireScope(callerOf(request), "energy:limits");
      return await flexEvents.create(request.body);
    },
  });
  api.route({
    method: "DELETE",
    url: "/flex/events/:flexEventId",
    schema: {
      operationId: "cancelFlexEvent",
      summary: "Take an event of the grid back; an active one ends at once",
      description: "For a client with the scope `energy:limits`.",
      tags: TAGS,
      params: PATH,
      response: {
        200: jsonResponse("The event, cancelled.", FlexEvent),
        ...problemResponses("forbidden", "not-found", "conflict"),
      },
    },
    handler: async (request) => {
      requireScope(callerOf(request), "energy:limits");
      return (await flexEvents.cancel(idIn(request.params))) ?? noEvent(idIn(request.params));
    },
  });
}

function noEvent(id: string): never {
  throw problem("not-found", `There is no event "${id}".`);
}
