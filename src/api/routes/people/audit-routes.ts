/** Who changed and commanded what. */
import type { z } from "zod";
import { instant } from "../../../domain/fields.ts";
import { PageQuery, takePage } from "../../../domain/page.ts";
import { AuditPage, type AuditRecord, MAX_AUDIT_ENTRIES } from "../../../domain/people/audit.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { requireManager } from "./asker.ts";

export function auditRoutes(api: Api, { engine, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/audit",
    schema: {
      operationId: "listAudit",
      summary: "List who changed and commanded what, newest first",
      description: `For owners, and for clients with the scope \`people:manage\`. The newest ${MAX_AUDIT_ENTRIES} entries are kept; bodies and secrets are not.`,
      tags: ["people"],
      querystring: PageQuery,
      response: { 200: jsonResponse("A page of entries.", AuditPage), ...problemResponses("forbidden") },
    },
    handler: (request): z.input<typeof AuditPage> => {
      requireManager(callerOf(request));
      const position = ({ atMs, id }: AuditRecord) => ({ createdAtMs: atMs, id });
      const { entries, pagination } = takePage(engine.services.audit.list(), position, request.query);
      return { data: entries.map(shown), pagination };
    },
  });
}

function shown({ id, atMs, lastAtMs, count, who, method, path, status, outcome }: AuditRecord) {
  return { id, at: instant(atMs), lastAt: instant(lastAtMs), count, who, method, path, status, outcome };
}
