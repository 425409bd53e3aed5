/** Made-up devices, for trying things out; these routes are there in a sandbox only (rule S11.3). */
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../../../domain/assets/asset.ts";
import { instant } from "../../../domain/fields.ts";
import { PageQuery, Pagination, takePage } from "../../../domain/page.ts";
import { problem } from "../../../domain/problem.ts";
import { holdsAt } from "../../../domain/sandbox/simulated.ts";
import { SIMULATED_SHAPES } from "../../../domain/sandbox/simulated-request.ts";
import type { Simulated, SimulatedEntry } from "../../../engine/contracts/simulated.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { accountVehicleRoutes } from "../vendors/account-vehicle-routes.ts";

const TAGS = ["sandbox"];
const BODY_PROBLEMS = ["not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"] as const;

export function simulatedRoutes(api: Api, parts: RouteParts): void {
  const { simulated } = parts.engine.services;
  if (simulated === null) return;
  for (const kind of ASSET_KINDS) {
    collectionRoutes(api, kind, simulated, parts);
    oneRoutes(api, kind, simulated, parts);
  }
  accountVehicleRoutes(api, simulated, parts);
}

function collectionRoutes(api: Api, kind: AssetKind, simulated: Simulated, { clock }: RouteParts): void {
  const { create, record } = SIMULATED_SHAPES[kind];
  const name = nameOf(kind);
  const page = z.object({ data: z.array(record), pagination: Pagination }).meta({ id: `Simulated${name}Page` });
  const url = `/local/simulated/${kind}`;
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: `listSimulated${name}`,
      summary: `List the made-up devices of the kind ${kind}, newest first`,
      description:
        "A page of what was made up here, with what each is in and the faults that were set. Real devices are not among them.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of made-up devices.", page), ...problemResponses() },
    },
    handler: (request) => {
      const rows = simulated.list(kind).map((entry) => ({ ...entry, id: entry.device.id, ...positionOf(entry) }));
      const { entries, pagination } = takePage(rows, (row) => row, request.query);
      return { data: entries.map((entry) => recordOf(entry, clock.nowMs())), pagination };
    },
  });
  api.route({
    method: "POST",
    url,
    schema: {
      operationId: `createSimulated${name}`,
      summary: `Make up a device of the kind ${kind}`,
      description:
        "With `userId` it is linked to that user at once. With `username` and `password` people can link it by signing in to its vendor on the link page.",
      tags: TAGS,
      body: create,
      response: { 200: jsonResponse("The device.", record), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request) => recordOf(await simulated.create(kind, request.body), clock.nowMs()),
  });
}

function oneRoutes(api: Api, kind: AssetKind, simulated: Simulated, { clock }: RouteParts): void {
  const { change, record } = SIMULATED_SHAPES[kind];
  const name = nameOf(kind);
  const url = `/local/simulated/${kind}/:simulatedId`;
  const params = pathId("simulatedId");
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: `getSimulated${name}`,
      summary: `Get a made-up device of the kind ${kind}`,
      description:
        "What it is in now and the faults that were set, as it was made up; the resources of the API have what was last read of it.",
      tags: TAGS,
      params,
      response: { 200: jsonResponse("The device.", record), ...problemResponses("not-found") },
    },
    handler: (request) => {
      const entry = simulated.get(kind, idIn(request.params));
      if (entry === null) throw problem("not-found", `There is no simulated ${kind} "${idIn(request.params)}".`);
      return recordOf(entry, clock.nowMs());
    },
  });
  api.route({
    method: "PATCH",
    url,
    schema: {
      operationId: `changeSimulated${name}`,
      summary: `Change what a made-up device of the kind ${kind} is in, or let something go wrong with it`,
      description:
        "The API shows a change with the next reading, within seconds. `faults` stand in place of all that it has; an empty list clears them, and `seconds` ends one by itself.",
      tags: TAGS,
      params,
      body: change,
      response: { 200: jsonResponse("The device.", record), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request) =>
      recordOf(await simulated.change(kind, idIn(request.params), request.body), clock.nowMs()),
  });
  api.route({
    method: "DELETE",
    url,
    schema: {
      operationId: `deleteSimulated${name}`,
      summary: `Take a made-up device of the kind ${kind} away, as if it was sold`,
      description:
        "Its asset goes from the API as that of a device that was sold. It cannot be taken back; make up another one.",
      tags: TAGS,
      params,
      response: { 204: emptyResponse("The device is gone."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      await simulated.remove(kind, idIn(request.params));
      return await reply.code(204).send();
    },
  });
}

function positionOf({ device }: SimulatedEntry): { readonly createdAtMs: number } {
  return { createdAtMs: device.createdAtMs };
}

function recordOf({ device, userId, assetId }: SimulatedEntry, nowMs: number): object {
  const { id, kind, vendor, name, model, year, category, groupName, location, state, account } = device;
  const faults = device.faults.filter((fault) => holdsAt(fault, nowMs));
  const isReachable = !faults.some((fault) => fault.kind === "unreachable");
  const createdAt = instant(device.createdAtMs);
  const username = account?.username ?? null;
  const plate = { vendor, name, model, year, category, groupName, location };
  return { id, kind, ...plate, username, userId, assetId, isReachable, faults, state, createdAt };
}

function nameOf(kind: AssetKind): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
