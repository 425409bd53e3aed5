/** The pages on which users link their devices. No bearer token here: the token in the path is the secret. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { OWN_END_PATH } from "../../../domain/linking/link.ts";
import { PROBLEMS, problem } from "../../../domain/problem.ts";
import type { LinkForm } from "../../../engine/contracts/linking.ts";
import { linkPage, type PageRequest } from "../../../ui/link/link-page.ts";
import { LINK_SCRIPT } from "../../../ui/link/link-script.ts";
import { LINK_STYLE } from "../../../ui/link/link-style.ts";
import type { Api, ApiParts } from "../../api.ts";
import { baseUrl } from "../../requests/base-url.ts";
import { problemOf } from "../../requests/error-handler.ts";
import { pageOf } from "../../requests/own-page.ts";

export const LINK_PATH = "/link";
const SESSION_PATH = `${LINK_PATH}/:token`;
const RETURN_PATH = `${LINK_PATH}/return`;
const STYLE_PATH = `${LINK_PATH}/link.css`;
const SCRIPT_PATH = `${LINK_PATH}/link.js`;
export const LINK_PAGE_PATHS: readonly string[] = [SESSION_PATH, RETURN_PATH, OWN_END_PATH, STYLE_PATH, SCRIPT_PATH];

const HTML_TYPE = "text/html; charset=utf-8";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** Far more than the longest form. */
const MAX_FORM_BYTES = 16 * 1024;
const MAX_FORM_FIELDS = 200;
const MAX_QUERY_CHARACTERS = 4_000;

/** Styles and scripts of this gateway only; the page sends its forms here only, and nobody may frame it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const SessionPath = z.object({ token: z.string() });
const SessionQuery = z.object({ at: z.string().optional(), q: z.string().optional() });
const HIDDEN = { hide: true } as const;

/** Registers the link page, in a separate scope: forms instead of JSON, pages instead of problems. */
export function linkPageRoutes(api: Api, parts: ApiParts): void {
  const { engine, config } = parts;
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(FORM_TYPE, { parseAs: "string", bodyLimit: MAX_FORM_BYTES }, (_request, text, done) => {
    done(null, text.toString());
  });
  api.setErrorHandler(createPageErrors(parts));
  const callbackUrl = (request: FastifyRequest): string => `${baseUrl(request, config.linking.url)}${RETURN_PATH}`;

  api.get(SESSION_PATH, { schema: { ...HIDDEN, params: SessionPath, querystring: SessionQuery } }, (request, reply) => {
    const link = engine.services.linking.view(request.params.token, request.query.at);
    if ("closed" in link) reply.code(link.closed === "unknown" ? 404 : 410);
    return sendPage(reply, linkPage(link, pageRequest(request, request.query.q)));
  });

  api.post(SESSION_PATH, { schema: { ...HIDDEN, params: SessionPath } }, async (request, reply) => {
    refuseForeignForm(request, config.linking.url);
    const { token } = request.params;
    const at = await engine.services.linking.answer(token, readForm(request.body), callbackUrl(request));
    return await reply.redirect(pagePath(token, at), 303);
  });

  api.get(RETURN_PATH, { schema: HIDDEN }, async (request, reply) => {
    const query = request.url.slice(request.url.indexOf("?") + 1, MAX_QUERY_CHARACTERS);
    const parameters = Object.fromEntries(new URLSearchParams(request.url.includes("?") ? query : ""));
    const found = await engine.services.linking.returned(parameters, callbackUrl(request));
    if (found !== null) return await reply.redirect(pagePath(found.token, found.at), 303);
    return sendPage(reply.code(404), linkPage({ closed: "unknown" }, pageRequest(request)));
  });

  api.get(OWN_END_PATH, { schema: HIDDEN }, (request, reply) =>
    sendPage(reply, linkPage({ closed: "left" }, pageRequest(request))),
  );

  api.get(STYLE_PATH, { schema: HIDDEN }, (_request, reply) => reply.type("text/css; charset=utf-8").send(LINK_STYLE));
  api.get(SCRIPT_PATH, { schema: HIDDEN }, (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(LINK_SCRIPT),
  );
}

function pagePath(token: string, at: string): string {
  return `${LINK_PATH}/${encodeURIComponent(token)}${at === "" ? "" : `?at=${encodeURIComponent(at)}`}`;
}

function pageRequest(request: FastifyRequest, query = ""): PageRequest {
  const { host = "", "accept-language": acceptLanguage = "" } = request.headers;
  return { acceptLanguage, host, assets: LINK_PATH, query: query.slice(0, 100) };
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type(HTML_TYPE).header("content-security-policy", PAGE_POLICY).send(page);
}

/** A browser that tells where a form comes from tells when it comes from somebody else's page. */
function refuseForeignForm(request: FastifyRequest, configured: string | undefined): void {
  if (pageOf(request, configured) === "foreign") throw problem("forbidden", "This form comes from another page.");
}

function readForm(body: unknown): LinkForm {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(typeof body === "string" ? body : "")) {
    count += 1;
    if (count > MAX_FORM_FIELDS) break;
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  // The button that was pressed comes after what the form says by itself.
  return { key: fields.get("key")?.at(-1) ?? "", action: fields.get("action")?.at(-1) ?? "", fields };
}

/** People read these, so a failure is a page too; the log has the cause. */
function createPageErrors({ log }: Pick<ApiParts, "log">) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { slug } = problemOf(error);
    const { status } = PROBLEMS[slug];
    if (status >= 500) log.error({ err: error, route: request.routeOptions.url ?? null }, "link page failed");
    return sendPage(reply.code(status), linkPage({ closed: "unknown" }, pageRequest(request)));
  };
}
