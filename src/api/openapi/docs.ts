/** The page that renders the description. All of it is served from here: it works in a house without internet. */
import swaggerUi from "@fastify/swagger-ui";
import type { Api } from "../api.ts";

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

// The logo is not shown in this layout; given one, the plugin reads no file for it when the gateway starts.
const NO_LOGO = { type: "image/svg+xml", content: "<svg xmlns='http://www.w3.org/2000/svg'/>" };

export async function registerDocs(api: Api): Promise<void> {
  await api.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: DOCS_POLICY,
    logo: NO_LOGO,
    theme: { title: "hemgate API" },
    uiConfig: { layout: "BaseLayout", deepLinking: true, docExpansion: "list", persistAuthorization: false },
  });
}
