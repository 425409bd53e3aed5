/** Lists users and what they linked, and disconnects it (rule I4.1). Linking itself has separate routes. */
import { z } from "zod";
import { instant } from "../../../domain/fields.ts";
import { PageQuery, Pagination, takePage } from "../../../domain/page.ts";
import { problem } from "../../../domain/problem.ts";
import { assetKindOf, User, UserEntry } from "../../../domain/users/user.ts";
import { isVendor } from "../../../domain/vendors/vendor.ts";
import type { User as KnownUser } from "../../../engine/contracts/users.ts";
import { JSON_TYPE } from "../../answers.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { RecordShape } from "../../json-texts.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { UserPath } from "../path-ids.ts";

const ENTRY: RecordShape = { name: "user", schema: UserEntry };
const RECORD: RecordShape = { name: "user", schema: User };
const UserPage = z.object({ data: z.array(UserEntry), pagination: Pagination }).meta({ id: "UserPage" });
const VendorPath = UserPath.extend({ vendor: z.string().meta({ description: "Vendor code, as in /health." }) });
const VendorTypePath = VendorPath.extend({
  vendorType: z.string().meta({ description: "vehicle, charger, hvac, inverter, battery or meter." }),
});
const TAGS = ["users"];

export function userRoutes(api: Api, parts: RouteParts): void {
  listRoute(api, parts);
  getRoute(api, parts);
  removeRoutes(api, parts);
  unlinkRoutes(api, parts);
}

function listRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/users",
    schema: {
      operationId: "listUsers",
      summary: "List all users, newest first",
      description:
        "People whose devices the gateway has. These are not accounts for the gateway's page: those are under `/local/people`.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of users.", UserPage), ...problemResponses() },
    },
    handler: (request, reply) => {
      const { entries, pagination } = takePage(engine.services.users.list(), (user) => user, request.query);
      return reply.type(JSON_TYPE).send(texts.page(ENTRY, entries.map(entryOf), pagination));
    },
  });
}

function getRoute(api: Api, { engine, texts }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/users/:userId",
    schema: {
      operationId: "getUser",
      summary: "Get one user with the vendors it linked",
      description:
        "`isValid` is `false` for a vendor whose sign-in has expired or was withdrawn; the user has to link it again.",
      tags: TAGS,
      params: UserPath,
      response: { 200: jsonResponse("The user.", User), ...problemResponses("not-found") },
    },
    handler: (request, reply) => {
      const { users } = engine.services;
      const user = users.require(request.params.userId);
      const record: User = { ...entryOf(user), linkedVendors: [...users.linkedVendors(user.id)] };
      return reply.type(JSON_TYPE).send(texts.record(RECORD, record));
    },
  });
}

function removeRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: "/users/:userId",
    schema: {
      operationId: "deleteUser",
      summary: "Delete a user and all of its data",
      description:
        "Devices that the user linked are stopped at their safe values and forgotten. Devices of the configuration are stopped, and hidden until they are linked again.",
      tags: TAGS,
      params: UserPath,
      response: { 204: emptyResponse("The user is gone."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      await engine.services.userRemovals.remove(request.params.userId);
      return await reply.code(204).send();
    },
  });
  api.route({
    method: "DELETE",
    url: "/users/:userId/authorization",
    schema: {
      operationId: "deleteUserAuthorization",
      summary: "Forget what a user signed in with",
      description:
        "The user's devices are stopped at their safe values and read no more; what is known of them stays. No event tells of the user until it links again.",
      tags: TAGS,
      params: UserPath,
      response: { 204: emptyResponse("Nothing of the user is reached any more."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      await engine.services.userRemovals.deauthorize(request.params.userId);
      return await reply.code(204).send();
    },
  });
}

function unlinkRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: "/users/:userId/vendors/:vendor",
    schema: {
      operationId: "unlinkVendor",
      summary: "Delete a user's devices of a vendor, and what is stored of the vendor",
      description:
        "The devices get their safe values first and are not read any more. Sign-ins and tokens of the vendor are deleted here; the user's account at the vendor is not touched.",
      tags: TAGS,
      params: VendorPath,
      response: { 204: emptyResponse("The devices are gone."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      const { userId, vendor } = request.params;
      engine.services.users.require(userId);
      await engine.services.userRemovals.unlink(userId, requireVendor(vendor), null);
      return await reply.code(204).send();
    },
  });
  api.route({
    method: "DELETE",
    url: "/users/:userId/vendors/:vendor/:vendorType",
    schema: {
      operationId: "unlinkVendorType",
      summary: "Delete a user's devices of one type of a vendor",
      description: "Like unlinking the vendor, for one type only: its other devices and the sign-in stay.",
      tags: TAGS,
      params: VendorTypePath,
      response: { 204: emptyResponse("The devices are gone."), ...problemResponses("not-found") },
    },
    handler: async (request, reply) => {
      const { userId, vendor, vendorType } = request.params;
      engine.services.users.require(userId);
      const kind = assetKindOf(vendorType);
      if (kind === null) throw problem("not-found", `There is no type of device "${vendorType}".`);
      await engine.services.userRemovals.unlink(userId, requireVendor(vendor), kind);
      return await reply.code(204).send();
    },
  });
}

/** A vendor that is known, whether or not anything of it is linked. */
function requireVendor(vendor: string): string {
  if (!isVendor(vendor)) throw problem("not-found", `There is no vendor "${vendor}".`);
  return vendor;
}

function entryOf({ id, createdAtMs }: KnownUser): UserEntry {
  return { id, createdAt: instant(createdAtMs), scopes: ["all"] };
}
