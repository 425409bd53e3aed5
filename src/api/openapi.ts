/** The machine-readable description (OpenAPI 3.1), made of the routes' Zod schemas. */
import swagger from "@fastify/swagger";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { JSON_TYPE } from "./answers.ts";
import type { Api } from "./api.ts";
import { finishDocument } from "./openapi-document.ts";
import { tidySchema } from "./schema-tidying.ts";
import { NEWEST_VERSION } from "./versions/served-versions.ts";

export const OPENAPI_PATH = "/openapi.json";

/** Registers what makes the description. Before the routes, which it collects. */
export async function registerOpenapi(api: Api, namePrefix: string): Promise<void> {
  const zodToJsonConfig = { override: tidySchema };
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig });
  await api.register(swagger, {
    openapi: HEAD,
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (document) => finishDocument(transformObject(document), namePrefix),
  });
}

/** Serves the description; it is made at the first request, when all routes are known. */
export function openapiRoute(api: Api): void {
  let text: string | null = null;
  api.get(OPENAPI_PATH, { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(api.swagger());
    return reply.type(JSON_TYPE).send(text);
  });
}

const HEAD: Partial<OpenAPIV3_1.Document> = {
  openapi: "3.1.0",
  info: {
    title: "hemgate",
    version: NEWEST_VERSION.date,
    description:
      "One interface to the energy devices of a house. Get a token from `/oauth2/token`, then read the devices and send them commands. Errors are problems (RFC 9457); each kind has a page under `/problems`.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  tags: [
    { name: "batteries", description: "Home batteries and their operation mode." },
    { name: "chargers", description: "Charging stations: start, stop, maximum current." },
    { name: "inverters", description: "Solar inverters." },
    { name: "meters", description: "Energy meters at the grid connection." },
    { name: "locations", description: "Places of users, their devices and what energy costs there." },
    { name: "health", description: "The gateway itself." },
    { name: "authentication", description: "Access tokens for clients." },
  ],
  security: [{ clientCredentials: [] }, { bearer: [] }],
  components: {
    securitySchemes: {
      clientCredentials: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/oauth2/token", scopes: {} } } },
      bearer: { type: "http", scheme: "bearer", description: "An access token from `/oauth2/token`." },
      clientBasic: { type: "http", scheme: "basic", description: "The client's id and secret." },
    },
  },
};
