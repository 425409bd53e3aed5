/** The home page: what a browser gets at the address of the gateway. It asks for everything else by the API. */
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { problem } from "../../domain/problem.ts";
import type { Https } from "../../engine/contracts/https/https.ts";
import type { PageFiles } from "../../platform/ports/page-files-port.ts";
import type { Api } from "../api.ts";
import { sendPageFile } from "./page-files.ts";

const PAGE_PATH = "/";
const FILE_PATH = "/page/:file";
export const HOME_PAGE_PATHS: readonly string[] = [PAGE_PATH, FILE_PATH];

/** Scripts and styles of this gateway only; the page asks this gateway only, and nobody may frame it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Names of scripts and styles carry a hash of what is in the file. */
const FOR_EVER = "public, max-age=31536000, immutable";
const IS_HASHED = /\.(js|css)$/;
const HIDDEN = { hide: true } as const;

export function pageRoutes(api: Api, page: PageFiles, https?: Pick<Https, "pageFor">): void {
  api.get(PAGE_PATH, { schema: HIDDEN }, async (request, reply) => {
    if (request.headers.accept?.includes("text/html") !== true) throw problem("not-found", "There is nothing at /.");
    const encrypted = request.protocol === "http" ? https?.pageFor(request.headers.host ?? "") : null;
    // For this time only: a browser that kept it could not come back to http.
    if (encrypted != null) return reply.code(307).headers({ location: encrypted, "cache-control": "no-store" }).send();
    const isSent = await sendPageFile(request, pageHeaders(reply, "index.html"), page, "index.html");
    if (!isSent) throw problem("not-found", "The page is not built; `npm run build` makes it.");
    return reply;
  });
  api.get(FILE_PATH, { schema: { ...HIDDEN, params: z.object({ file: z.string() }) } }, async (request, reply) => {
    const { file } = request.params;
    const isSent = file !== "index.html" && (await sendPageFile(request, pageHeaders(reply, file), page, file));
    if (!isSent) throw problem("not-found", "There is no such file of the page.");
    return reply;
  });
}

function pageHeaders(reply: FastifyReply, name: string): FastifyReply {
  return reply.headers({
    "content-security-policy": PAGE_POLICY,
    "cache-control": IS_HASHED.test(name) ? FOR_EVER : "no-cache",
  });
}
