/** What every kind of asset has: a list, a list per user, one by its id, and a hint to read it soon. */
import type { Asset } from "../../../domain/assets/asset.ts";
import { PageQuery, type Position, takePage } from "../../../domain/page.ts";
import { problem } from "../../../domain/problem.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId, UserPath } from "../path-ids.ts";
import type { Resource } from "../resources.ts";

interface Entry {
  readonly asset: Asset;
  readonly createdAtMs: number;
}

export function assetRoutes(api: Api, resource: Resource, parts: RouteParts): void {
  listRoute(api, resource, parts);
  userListRoute(api, resource, parts);
  getRoute(api, resource, parts);
  refreshRoute(api, resource, parts);
}

function listRoute(api: Api, resource: Resource, { engine, texts }: RouteParts): void {
  const { name, plural, many, page } = resource;
  api.route({
    method: "GET",
    url: `/${plural}`,
    schema: {
      operationId: `list${many}`,
      summary: `List all ${plural}, newest first`,
      description: `${resource.says} Of all users, as last read: asking reaches no device.`,
      tags: [plural],
      querystring: PageQuery,
      response: { 200: jsonResponse(`A page of ${plural}.`, page), ...problemResponses() },
    },
    handler: (request, reply) => {
      const { entries, pagination } = takePage<Entry>(engine.assets.list(name), positionOf, request.query);
      return reply.type(JSON_TYPE).send(texts.page(resource, entries.map(assetOf), pagination));
    },
  });
}

function userListRoute(api: Api, resource: Resource, { engine, texts }: RouteParts): void {
  const { name, plural, many, page } = resource;
  api.route({
    method: "GET",
    url: `/users/:userId/${plural}`,
    schema: {
      operationId: `listUser${many}`,
      summary: `List a user's ${plural}, newest first`,
      description: `As in the list of all ${plural}. A user who is not known is a 404, one without ${plural} an empty page.`,
      tags: [plural],
      params: UserPath,
      querystring: PageQuery,
      response: { 200: jsonResponse(`A page of the user's ${plural}.`, page), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const { userId } = request.params;
      engine.services.users.require(userId);
      const own = engine.assets.list(name).filter((entry) => entry.asset.userId === userId);
      const { entries, pagination } = takePage<Entry>(own, positionOf, request.query);
      return reply.type(JSON_TYPE).send(texts.page(resource, entries.map(assetOf), pagination));
    },
  });
}

function getRoute(api: Api, resource: Resource, { engine, texts }: RouteParts): void {
  const { name, plural, one, schema } = resource;
  api.route({
    method: "GET",
    url: `/${plural}/:${name}Id`,
    schema: {
      operationId: `get${one}`,
      summary: `Get one ${name}`,
      description: `${resource.says} As last read: \`lastUpdated\` of each part says when, and \`isReachable\` is \`false\` while the device does not answer.`,
      tags: [plural],
      params: pathId(`${name}Id`),
      response: { 200: jsonResponse(`The ${name}.`, schema), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const id = idIn(request.params);
      const asset = engine.assets.get(name, id);
      if (asset === null) throw problem("not-found", `There is no ${name} "${id}".`);
      return reply.type(JSON_TYPE).send(texts.record(resource, asset));
    },
  });
}

function refreshRoute(api: Api, resource: Resource, { hints }: RouteParts): void {
  const { name, plural, one } = resource;
  api.route({
    method: "POST",
    url: `/${plural}/:${name}Id/refresh-hint`,
    schema: {
      operationId: `refresh${one}`,
      summary: `Ask for an early read of a ${name}`,
      description:
        "The device is read out of its turn, at most once in 30 s; further hints within that time are merged into one. New values come as an event and in the next answer. Quotas of a vendor's cloud come first.",
      tags: [plural],
      params: pathId(`${name}Id`),
      response: {
        ...problemResponses("payload-too-large", "unsupported-media-type"),
        204: emptyResponse("The device is read soon."),
        404: emptyResponse(`There is no such ${name}; the body is empty.`),
      },
    },
    handler: (request, reply) => reply.code(hints.give(name, idIn(request.params)) ? 204 : 404).send(),
  });
}

function positionOf({ asset, createdAtMs }: Entry): Position {
  return { createdAtMs, id: asset.id };
}

function assetOf({ asset }: Entry): Asset {
  return asset;
}
