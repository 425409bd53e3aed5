/** The history as a file for other programs. */
import { Readable } from "node:stream";
import { z } from "zod";
import { ExportQuery } from "../../../domain/export/export-query.ts";
import type { Api, RouteParts } from "../../api.ts";
import { problemResponses } from "../../responses.ts";

const EXAMPLE = [
  "time,device,kind,power_kw,energy_in_kwh,energy_out_kwh,soc_percent,known_percent",
  "2026-03-29T01:00:00+01:00,meter,meter,0.412,0.412,0,,100",
  "2026-03-29T03:00:00+02:00,meter,meter,,,,,0",
  "",
].join("\r\n");

export function exportRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/export",
    schema: {
      operationId: "exportHistory",
      summary: "Get readings or energy as a CSV or Parquet file",
      description:
        "One row for each bucket of time, device and kind of asset; with `RAW` one for each reading of a device, with a column for each of its points. Units are in the columns' names. Power and `energy_in_kwh` are into a battery, vehicle, charger or HVAC unit, import of a meter, production of an inverter; `energy_out_kwh` is the other direction. What is not known is empty, never 0; `known_percent` is how much of the bucket readings cover. Buckets are whole: the first one contains `from`. Times have the zone's offset; those of a Parquet file are UTC. Where devices are is not exported.",
      tags: ["statistics"],
      querystring: ExportQuery,
      response: {
        200: {
          description: "The file, sent as it is made.",
          content: {
            "text/csv": { schema: z.string(), examples: { hours: { value: EXAMPLE } } },
            "application/vnd.apache.parquet": { schema: z.string() },
          },
        },
        ...problemResponses("not-found"),
      },
    },
    handler: async (request, reply) => {
      const { mediaType, name, bytes } = await engine.services.exports.open(request.query);
      return await reply
        .type(mediaType)
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "no-store")
        .send(Readable.from(bytes));
    },
  });
}
