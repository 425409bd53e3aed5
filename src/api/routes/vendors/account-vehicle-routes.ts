/** Made-up vehicles in the older form: each hangs on a made-up account (rule S11.3). */
import { z } from "zod";
import { PageQuery, Pagination, takePage } from "../../../domain/page.ts";
import { problem } from "../../../domain/problem.ts";
import { faultAt } from "../../../domain/sandbox/simulated.ts";
import { AccountVehicle, AccountVehicleChanges, NewAccountVehicle } from "../../../domain/sandbox/simulated-request.ts";
import type { Simulated, SimulatedEntry } from "../../../engine/contracts/simulated.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";

const TAGS = ["sandbox"];
const PATH = pathId("simulatedVehicleId");
const BODY_PROBLEMS = ["not-found", "too-many-requests", "payload-too-large", "unsupported-media-type"] as const;
const Page = z.object({ data: z.array(AccountVehicle), pagination: Pagination }).meta({ id: "AccountVehiclePage" });

export function accountVehicleRoutes(api: Api, simulated: Simulated, parts: RouteParts): void {
  collectionRoutes(api, simulated, parts);
  readRoutes(api, simulated, parts);
  changeRoute(api, simulated, parts);
}

function collectionRoutes(api: Api, simulated: Simulated, { clock }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/simulated/vehicles",
    schema: {
      operationId: "listAccountVehicles",
      summary: "List the made-up vehicles of accounts, newest first",
      description: "A page of the vehicles that were made up, each with what it is in now.",
      tags: TAGS,
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of vehicles.", Page), ...problemResponses() },
    },
    handler: (request) => {
      const rows = simulated.list("vehicle").map((entry) => ({
        entry,
        id: entry.device.id,
        createdAtMs: entry.device.createdAtMs,
      }));
      const { entries, pagination } = takePage(rows, (row) => row, request.query);
      return { data: entries.map(({ entry }) => recordOf(entry, clock.nowMs())), pagination };
    },
  });
  api.route({
    method: "POST",
    url: "/simulated/vehicles",
    schema: {
      operationId: "createAccountVehicle",
      summary: "Make up a vehicle of an account",
      description: "People link it by signing in to its vendor with the account's name and password.",
      tags: TAGS,
      body: NewAccountVehicle,
      response: { 200: jsonResponse("The vehicle.", AccountVehicle), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request) => {
      const none = { category: null, groupName: null, location: null, faults: [], state: {} };
      const { userId, ...fields } = request.body;
      const entry = await simulated.create("vehicle", { ...none, ...fields, ...(userId && { userId }) });
      return recordOf(entry, clock.nowMs());
    },
  });
}

function readRoutes(api: Api, simulated: Simulated, { clock }: RouteParts): void {
  const url = "/simulated/vehicles/:simulatedVehicleId";
  api.route({
    method: "GET",
    url,
    schema: {
      operationId: "getAccountVehicle",
      summary: "Get a made-up vehicle",
      description: "What it is in now, whether or not somebody has linked it.",
      tags: TAGS,
      params: PATH,
      response: { 200: jsonResponse("The vehicle.", AccountVehicle), ...problemResponses("not-found") },
    },
    handler: (request) => {
      const entry = simulated.get("vehicle", idIn(request.params));
      if (entry === null) throw problem("not-found", `There is no simulated vehicle "${idIn(request.params)}".`);
      return recordOf(entry, clock.nowMs());
    },
  });
  api.route({
    method: "DELETE",
    url,
    schema: {
      operationId: "deleteAccountVehicle",
      summary: "Take a made-up vehicle away",
      description: "It is gone from its account, and from the users who had linked it.",
      tags: TAGS,
      params: PATH,
      response: {
        200: jsonResponse("The vehicle as it was; it is gone.", AccountVehicle),
        ...problemResponses("not-found"),
      },
    },
    handler: async (request) => {
      const id = idIn(request.params);
      const entry = simulated.get("vehicle", id);
      await simulated.remove("vehicle", id);
      if (entry === null) throw problem("not-found", `There is no simulated vehicle "${id}".`);
      return recordOf(entry, clock.nowMs());
    },
  });
}

function changeRoute(api: Api, simulated: Simulated, { clock }: RouteParts): void {
  api.route({
    method: "PATCH",
    url: "/simulated/vehicles/:simulatedVehicleId",
    schema: {
      operationId: "changeAccountVehicle",
      summary: "Change what a made-up vehicle is in, its name, or its account",
      description: "Fields that are left out stay. The API shows a change with the next reading, within seconds.",
      tags: TAGS,
      params: PATH,
      body: AccountVehicleChanges,
      response: { 200: jsonResponse("The vehicle.", AccountVehicle), ...problemResponses(...BODY_PROBLEMS) },
    },
    handler: async (request) => {
      const { chargeState = {}, ...changes } = request.body;
      const { isCharging, ...state } = chargeState;
      const switched = isCharging === undefined ? state : { ...state, isChargingEnabled: isCharging };
      const entry = await simulated.change("vehicle", idIn(request.params), { ...changes, state: switched });
      return recordOf(entry, clock.nowMs());
    },
  });
}

function recordOf({ device, userId }: SimulatedEntry, nowMs: number): AccountVehicle {
  if (device.kind !== "vehicle") throw new Error(`${device.id} is no vehicle`);
  const { id, vendor, account, name, model, year, location, state } = device;
  const { batteryLevel, batteryCapacity, chargeLimit, isPluggedIn, isChargingEnabled, maxCurrent } = state;
  const isCharging = isPluggedIn && isChargingEnabled && batteryLevel < chargeLimit;
  return {
    id,
    vendor,
    username: account?.username ?? null,
    name,
    model,
    year,
    userId,
    isReachable: faultAt(device, "unreachable", nowMs) === null,
    chargeState: { batteryLevel, batteryCapacity, chargeLimit, isPluggedIn, isCharging, maxCurrent },
    location,
  };
}
