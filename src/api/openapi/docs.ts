/** The page that renders the description. All of it is served from here: it works in a house without internet. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { OpenAPIV3 } from "openapi-types";
import { lazy } from "../../platform/lazy.ts";
import type { Api } from "../api.ts";

export const DOCS_PATH = "/docs";

/** What the page consists of; its files are below `static`. */
const PATHS = ["", "/", "/json", "/yaml", "/static/*"].map((path) => DOCS_PATH + path);
/** The request headers that an answer depends on, and the answer's headers. */
const ASKED_HEADERS = ["accept", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "range"];
const OWN_HEADERS = [
  "accept-ranges",
  "cache-control",
  "content-range",
  "content-type",
  "etag",
  "last-modified",
  "location",
];

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

// The logo is not shown in this layout; given one, the plugin reads no file for it.
const NO_LOGO = { type: "image/svg+xml", content: "<svg xmlns='http://www.w3.org/2000/svg'/>" };

const loadPlugins = lazy("the page of the API's description", async () => {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import("@fastify/swagger"),
    import("@fastify/swagger-ui"),
  ]);
  return { swagger, swaggerUi };
});

/**
 * Serves the page. What renders it is loaded when somebody asks for it, into a server that listens nowhere: routes cannot
 * be added to one that listens.
 */
export function docsRoutes(api: Api): void {
  let opening: Promise<FastifyInstance> | null = null;
  const page = async (): Promise<FastifyInstance> => {
    opening ??= openPage(api).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return await opening;
  };
  api.addHook("onClose", async () => {
    await (await opening)?.close();
  });
  for (const url of PATHS) {
    api.get(url, { schema: { hide: true } }, async (request, reply) => await answer(await page(), request, reply));
  }
}

async function answer(page: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const asked = ASKED_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const { statusCode, headers, rawPayload } = await page.inject({
    method: "GET",
    url: request.url,
    headers: Object.fromEntries(asked),
  });
  reply.header("content-security-policy", DOCS_POLICY);
  if (statusCode === 404) {
    reply.callNotFound();
    return reply;
  }
  if (statusCode >= 400) throw Object.assign(new Error("the page refuses the request"), { statusCode });
  for (const name of OWN_HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name]);
  return await reply.code(statusCode).send(rawPayload.length === 0 ? undefined : rawPayload);
}

async function openPage(api: Api): Promise<FastifyInstance> {
  const { swagger, swaggerUi } = await loadPlugins();
  // Real timers have no place in a simulated world, and no plugin here waits for anything.
  const document = api.swagger() as OpenAPIV3.Document;
  const page = fastify({ logger: false, pluginTimeout: 0 });
  await page.register(swagger, { mode: "static", specification: { document } });
  await page.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: DOCS_POLICY,
    logo: NO_LOGO,
    theme: { title: "hemgate API" },
    uiConfig: { layout: "BaseLayout", deepLinking: true, docExpansion: "list", persistAuthorization: false },
  });
  await page.ready();
  return page;
}
