/** The page that renders the description. All of it is served from here: it works in a house without internet. */
import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { problem } from "../../domain/problem.ts";
import type { PageFiles } from "../../platform/ports/page-files-port.ts";
import type { Api } from "../api.ts";
import { sendPageFile } from "../routes/page-files.ts";

export const DOCS_PATH = "/docs";

/** Scripts and styles from this server only; the page may ask this server only. Icons in the styles are data URLs. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>hemgate API</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="${DOCS_PATH}/static/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${DOCS_PATH}/static/swagger-ui-bundle.js"></script>
<script src="${DOCS_PATH}/static/swagger-initializer.js"></script>
</body>
</html>
`;
const INITIALIZER = `window.ui = SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: "/openapi.json",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "list",
  persistAuthorization: false,
  validatorUrl: null,
});
`;
/** Of `scripts/build-page.mjs`. */
const FILES: ReadonlySet<string> = new Set(["swagger-ui.css", "swagger-ui-bundle.js"]);
const HIDDEN = { hide: true } as const;

/** Serves the page. Without the files that the build makes of swagger-ui it is not found. */
export function docsRoutes(api: Api, page: PageFiles | undefined): void {
  const guarded = (reply: FastifyReply): FastifyReply =>
    reply.headers({ "content-security-policy": DOCS_POLICY, "cache-control": "no-cache" });
  for (const url of [DOCS_PATH, `${DOCS_PATH}/`]) {
    api.get(url, { schema: HIDDEN }, (_request, reply) =>
      guarded(reply).header("content-type", "text/html; charset=utf-8").send(PAGE),
    );
  }
  api.get(`${DOCS_PATH}/static/swagger-initializer.js`, { schema: HIDDEN }, (_request, reply) =>
    guarded(reply).header("content-type", "text/javascript; charset=utf-8").send(INITIALIZER),
  );
  const params = z.object({ file: z.string() });
  api.get(`${DOCS_PATH}/static/:file`, { schema: { ...HIDDEN, params } }, async (request, reply) => {
    const { file } = request.params;
    guarded(reply);
    if (!FILES.has(file)) throw problem("not-found", "There is no such file of the page.");
    const isSent = page !== undefined && (await sendPageFile(request, reply, page, file, tagOf));
    if (!isSent) throw problem("not-found", "The page is not built; `npm run build` makes it.");
    return reply;
  });
}

/** The same for the same content, so that a browser that has it is sent nothing. */
function tagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}
