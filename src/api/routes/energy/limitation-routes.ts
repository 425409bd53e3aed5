/** The record of limitations, which grid operators and customers ask for. */
import { Readable } from "node:stream";
import { z } from "zod";
import { LimitationView, limitationCsv, limitationView } from "../../../domain/energy/energy-views.ts";
import { PageQuery, Pagination, takePage } from "../../../domain/page.ts";
import type { Api, RouteParts } from "../../api.ts";
import { problemResponses } from "../../responses.ts";

const CSV_TYPE = "text/csv; charset=utf-8";
const FILE_NAME = "limitations.csv";

const LimitationPage = z
  .object({ data: z.array(LimitationView), pagination: Pagination })
  .meta({ id: "LimitationPage" });

const Query = PageQuery.safeExtend({
  format: z.enum(["json", "csv"]).default("json").meta({
    description: "`csv`: all limitations as a file, without pages.",
  }),
});

export function limitationRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/energy/limitations",
    schema: {
      operationId: "listLimitations",
      summary: "List the limitations of the last two years, newest first",
      description: "Each with its source, its value, and what was measured meanwhile. They survive a restart.",
      tags: ["energy"],
      querystring: Query,
      response: {
        200: {
          description: "A page of limitations, or all as CSV.",
          content: { "application/json": { schema: LimitationPage }, "text/csv": { schema: z.string() } },
        },
        ...problemResponses(),
      },
    },
    handler: (request, reply) => {
      const limitations = engine.services.energyLimits.limitations();
      if (request.query.format === "csv") {
        reply.type(CSV_TYPE).header("content-disposition", `attachment; filename="${FILE_NAME}"`);
        return reply.send(Readable.from(limitationCsv(limitations)));
      }
      const position = (each: (typeof limitations)[number]) => ({ createdAtMs: each.beganAtMs, id: each.id });
      const { entries, pagination } = takePage(limitations, position, request.query);
      return { data: entries.map(limitationView), pagination };
    },
  });
}
