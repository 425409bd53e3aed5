/** What one inverter produced (rules I4.11, S8.3 and S8.4). */
import { instant } from "../../../domain/fields.ts";
import {
  InverterStatistics,
  PendingInverterStatistics,
  VendorStatistics,
} from "../../../domain/statistics/statistics.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { idIn, pathId } from "../path-ids.ts";
import { InverterStatisticsQuery, VendorStatisticsQuery } from "./statistics-query.ts";

const TAGS = ["statistics"];
const PATH = pathId("inverterId");

export function inverterStatisticsRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/inverters/:inverterId/statistics",
    schema: {
      operationId: "getInverterStatistics",
      summary: "Get what an inverter produced in a day by quarter hour, or in a month by day",
      description:
        "Days and months are the inverter's own. While some of the data may still change the answer is 202 and says when to ask again; the event `user:inverter:statistics-updated` follows when it changed. There are no data from before the inverter was linked.",
      tags: TAGS,
      params: PATH,
      querystring: InverterStatisticsQuery,
      response: {
        200: jsonResponse("The data are final.", InverterStatistics),
        202: jsonResponse("Some of the data may still change.", PendingInverterStatistics),
        ...problemResponses("not-found"),
      },
    },
    handler: async (request, reply) => {
      const { year, month, day = null } = request.query;
      const answer = await engine.services.statistics.inverter(idIn(request.params), { year, month, day });
      const { statistics, retryAtMs } = answer;
      if (retryAtMs === null) return statistics;
      return reply.code(202).send({ ...statistics, retryAfter: instant(retryAtMs) });
    },
  });
  api.route({
    method: "GET",
    url: "/inverters/:inverterId/vendor-statistics",
    schema: {
      operationId: "getInverterVendorStatistics",
      summary: "Get the production of an inverter in whole hours or days",
      description:
        "Energy in kWh, in buckets of the inverter's time zone. Buckets about which nothing is known are left out, not 0. Superseded by `/inverters/{inverterId}/statistics`.",
      tags: TAGS,
      deprecated: true,
      params: PATH,
      querystring: VendorStatisticsQuery,
      response: {
        200: jsonResponse("The buckets about which something is known.", VendorStatistics),
        ...problemResponses("not-found"),
      },
    },
    handler: (request) => {
      const { startDate, endDate, resolution } = request.query;
      const query = { resolution, fromMs: startDate, toMs: endDate };
      return engine.services.statistics.vendor(idIn(request.params), query);
    },
  });
}
