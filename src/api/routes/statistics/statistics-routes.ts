/** What a user's assets consumed, produced and cost (rules I4.11 and S8). */
import { z } from "zod";
import {
  ChargingSession,
  ChargingStatistics,
  ProductionStatistics,
  VendorStatistics,
} from "../../../domain/statistics/statistics.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { UserPath } from "../path-ids.ts";
import {
  askedOf,
  bucketsOf,
  ChargingQuery,
  ProductionQuery,
  SessionsQuery,
  UserVendorStatisticsQuery,
} from "./statistics-query.ts";

const TAGS = ["statistics"];
const PROBLEMS = problemResponses("not-found");
const ABOUT_MONEY =
  "Prices are those of the location that the asset is at now: its tariff, else market prices. `price.mean` is weighted by energy. Energy whose price is not known counts in `kwhSum` and not in the money: `isCostKnown` is false then, and `kwhPriced` says how much of the energy the money is for. Where no price is known at all, `kwhPriced`, `price` and the sum are 0.";

export function statisticsRoutes(api: Api, parts: RouteParts): void {
  chargingRoute(api, parts);
  sessionsRoute(api, parts);
  productionRoute(api, parts);
  vendorRoute(api, parts);
}

function chargingRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/users/:userId/statistics/charging",
    schema: {
      operationId: "getChargingStatistics",
      summary: "Get what a user's chargers, vehicles or HVAC units consumed, by bucket of time",
      description: `Buckets without consumption are left out; weeks start on Monday. ${ABOUT_MONEY}`,
      tags: TAGS,
      params: UserPath,
      querystring: ChargingQuery,
      response: { 200: jsonResponse("The buckets, oldest first.", z.array(ChargingStatistics)), ...PROBLEMS },
    },
    handler: (request) => {
      const { params, query } = request;
      return engine.services.statistics.charging({
        ...askedOf(params.userId, query),
        ...bucketsOf(query),
        kind: query.type,
      });
    },
  });
}

function sessionsRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/users/:userId/statistics/charging/sessions",
    schema: {
      operationId: "getChargingSessions",
      summary: "Get the sessions of a user's chargers, vehicles or HVAC units",
      description: `A session is at least two readings in a row that show consumption; pauses of less than a minute do not end it, and it appears at most 15 minutes after its end. Sessions that reach beyond the asked time are given whole. ${ABOUT_MONEY}`,
      tags: TAGS,
      params: UserPath,
      querystring: SessionsQuery,
      response: { 200: jsonResponse("The sessions, oldest first.", z.array(ChargingSession)), ...PROBLEMS },
    },
    handler: (request) => {
      const { params, query } = request;
      return engine.services.statistics.sessions({ ...askedOf(params.userId, query), kind: query.type });
    },
  });
}

function productionRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/users/:userId/statistics/production",
    schema: {
      operationId: "getProductionStatistics",
      summary: "Get what a user's inverters produced, by bucket of time",
      description: `Buckets without production are left out; weeks start on Monday. ${ABOUT_MONEY}`,
      tags: TAGS,
      deprecated: true,
      params: UserPath,
      querystring: ProductionQuery,
      response: { 200: jsonResponse("The buckets, oldest first.", z.array(ProductionStatistics)), ...PROBLEMS },
    },
    handler: (request) => {
      const { params, query } = request;
      return engine.services.statistics.production({
        ...askedOf(params.userId, query),
        ...bucketsOf(query),
        kind: "inverter",
      });
    },
  });
}

function vendorRoute(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/users/:userId/vendor-statistics",
    schema: {
      operationId: "getUserVendorStatistics",
      summary: "Get the production of a user's inverter in whole hours or days",
      description:
        "Days follow the inverter's zone. Buckets are whole, so the first begins and the last ends outside of the asked time. At most one month can be asked for.",
      tags: TAGS,
      deprecated: true,
      params: UserPath,
      querystring: UserVendorStatisticsQuery,
      response: { 200: jsonResponse("The buckets about which something is known.", VendorStatistics), ...PROBLEMS },
    },
    handler: (request) => {
      const { startDate, endDate, resolution, inverterId } = request.query;
      const query = { resolution, fromMs: startDate, toMs: endDate };
      return engine.services.statistics.vendor(inverterId, query, request.params.userId);
    },
  });
}
