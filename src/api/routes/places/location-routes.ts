/** Places of users: made, changed, deleted; and chargers and HVAC units put there (rules I4.8 and S5.1). */
import { z } from "zod";
import { PageQuery, Pagination, type Position, takePage } from "../../../domain/page.ts";
import { Location, LocationChanges, NewLocation, PlaceRequest } from "../../../domain/places/location.ts";
import { problem } from "../../../domain/problem.ts";
import type { LocationEntry } from "../../../engine/contracts/places.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId, UserPath } from "../path-ids.ts";
import { CHARGERS, HVACS } from "../resources.ts";

const LOCATION: RecordShape = { name: "location", schema: Location };
const LocationPage = z.object({ data: z.array(Location), pagination: Pagination }).meta({ id: "LocationPage" });
const PATH = pathId("locationId");
const TAGS = ["locations"];
const BODY_PROBLEMS = ["not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"] as const;

export function locationRoutes(api: Api, parts: RouteParts): void {
  listRoutes(api, parts);
  createRoute(api, parts);
  oneRoutes(api, parts);
  for (const kind of ["charger", "hvac"] as const) placeRoute(api, kind, parts);
}

/** The location under an id. Throws `not-found`. */
function requireLocation({ engine }: Pick<RouteParts, "engine">, id: string): Location {
  const location = engine.services.locations.get(id);
  if (location === null) throw noLocation(id);
  return location;
}

function noLocation(id: string) {
  return problem("not-found", `There is no location "${id}".`);
}

function listRoutes(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/locations",
    schema: {
      operationId: "listLocations",
      summary: "List all locations, newest first",
      description:
        "Places of all users, with their time zone and coordinates. Weather, prices and rules by the clock go by them.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of locations.", LocationPage), ...problemResponses() },
    },
    handler: (request, reply) => {
      const { entries, pagination } = takePage(engine.services.locations.list(), positionOf, request.query);
      return reply.type(JSON_TYPE).send(texts.page(LOCATION, entries.map(locationOf), pagination));
    },
  });
  api.route({
    method: "GET",
    url: "/users/:userId/locations",
    schema: {
      operationId: "listUserLocations",
      summary: "List a user's locations, newest first",
      description: "The places of one user. A user who is not known is a 404, one without places an empty page.",
      tags: TAGS,
      params: UserPath,
      querystring: PageQuery,
      response: {
        200: jsonResponse("A page of the user's locations.", LocationPage),
        ...problemResponses("not-found"),
      },
    },
    handler: (request, reply) => {
      const own = engine.services.locations.listOfUser(request.params.userId);
      const { entries, pagination } = takePage(own, positionOf, request.query);
      return reply.type(JSON_TYPE).send(texts.page(LOCATION, entries.map(locationOf), pagination));
    },
  });
}

function createRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "POST",
    url: "/users/:userId/locations",
    schema: {
      operationId: "createLocation",
      summary: "Make a location of a user",
      description:
        "The time zone decides how schedules and tariffs there read the clock. Coordinates are degrees, north and east positive; weather forecasts are asked for by them.",
      tags: TAGS,
      params: UserPath,
      body: NewLocation,
      response: { 201: jsonResponse("The location.", Location), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const location = await engine.services.locations.create(request.params.userId, request.body);
      return reply.code(201).type(JSON_TYPE).send(texts.record(LOCATION, location));
    },
  });
}

function oneRoutes(api: Api, parts: RouteParts): void {
  const { engine, texts } = parts;
  const url = "/locations/:locationId";
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getLocation",
      summary: "Get one location",
      description:
        "Coordinates are degrees, north and east positive. Which devices are there is said by each device's `location`.",
      tags: TAGS,
      params: PATH,
      response: { 200: jsonResponse("The location.", Location), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const location = requireLocation(parts, idIn(request.params));
      return reply.type(JSON_TYPE).send(texts.record(LOCATION, location));
    },
  });
  api.route({
    method: "PUT",
    url,
    schema: {
      operationId: "updateLocation",
      summary: "Change a location; what the body leaves out stays",
      description:
        "Another time zone moves the rules of schedules and tariffs there along the clock at once. Devices stay at the location.",
      tags: TAGS,
      params: PATH,
      body: LocationChanges,
      response: { 200: jsonResponse("The location as it is now.", Location), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const location = await engine.services.locations.update(id, request.body);
      if (location === null) throw noLocation(id);
      return reply.type(JSON_TYPE).send(texts.record(LOCATION, location));
    },
  });
  api.route({
    method: "DELETE",
    url,
    schema: {
      operationId: "deleteLocation",
      summary: "Delete a location: its devices are at none, its schedules are switched off",
      description: "The answer is the location as it was. Tariffs stay; they can be linked to another location.",
      tags: TAGS,
      params: PATH,
      response: {
        200: jsonResponse("The location that was deleted.", Location),
        ...problemResponses("not-found", "too-many-requests"),
      },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      const location = await engine.services.locations.remove(id);
      if (location === null) throw noLocation(id);
      return reply.type(JSON_TYPE).send(texts.record(LOCATION, location));
    },
  });
}

/** Devices that do not tell where they are are put at a location by hand. */
function placeRoute(api: Api, kind: "charger" | "hvac", { engine, texts }: RouteParts): void {
  const resource = kind === "charger" ? CHARGERS : HVACS;
  const { plural, one } = resource;
  api.route({
    method: "PUT",
    url: `/${plural}/:${kind}Id`,
    schema: {
      operationId: `update${one}`,
      summary: `Put ${kind === "charger" ? "a charger" : "an HVAC unit"} at a location`,
      description:
        "For devices that do not report where they are. Prices, schedules and smart charging go by the location; `null` takes the device from it.",
      tags: [plural],
      params: pathId(`${kind}Id`),
      body: PlaceRequest,
      response: {
        200: jsonResponse(`The ${kind}, at the location.`, resource.schema),
        ...problemResponses(...BODY_PROBLEMS),
      },
    },
    handler: async (request, reply) => {
      const id = idIn(request.params);
      await engine.services.locations.assign(kind, id, request.body.locationId);
      const asset = engine.assets.get(kind, id);
      if (asset === null) throw problem("not-found", `There is no ${kind} "${id}".`);
      return reply.type(JSON_TYPE).send(texts.record(resource, asset));
    },
  });
}

function positionOf({ location, createdAtMs }: LocationEntry): Position {
  return { createdAtMs, id: location.id };
}

function locationOf({ location }: LocationEntry): Location {
  return location;
}
