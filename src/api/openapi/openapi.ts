/** The machine-readable description (OpenAPI 3.1), made of the routes' Zod schemas. */
import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { z } from "zod";
import { ROLES, rightsOf } from "../../domain/people/role.ts";
import { NEUTRAL_PREFIX, problem } from "../../domain/problem.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { JSON_TYPE } from "../answers.ts";
import { type Api, type ApiParts, versionOf } from "../api.ts";
import { rightFor } from "../people/rights.ts";
import { SESSION_COOKIE } from "../people/session-cookie.ts";
import { type JsonObject, objectAt } from "../versions/json.ts";
import { findVersion, NEWEST_VERSION, servedDates } from "../versions/served-versions.ts";
import type { ApiVersion } from "../versions/version.ts";
import { createVersionBook, type VersionBook } from "../versions/version-book.ts";
import { finishDocument } from "./openapi-document.ts";
import { publishedDocument } from "./openapi-version.ts";
import { tidySchema } from "./schema-tidying.ts";

export const OPENAPI_PATH = "/openapi.json";

/** Registers what makes the description. Before the routes, which it collects. */
export async function registerOpenapi(api: Api, namePrefix: string): Promise<void> {
  const zodToJsonConfig = { override: tidySchema };
  const transform = createJsonSchemaTransform({ zodToJsonConfig });
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig });
  await api.register(swagger, {
    openapi: HEAD,
    transform: (route) => {
      const { schema, url } = transform(route);
      return { schema: { ...schema, ...whoMay(route.route.method, route.url, schema) }, url };
    },
    transformObject: (document) => finishDocument(transformObject(document), namePrefix),
  });
}

/** Adds which people may, where not all may and the description does not say it already. */
function whoMay(methods: string | readonly string[], url: string, schema: FastifySchema | undefined) {
  const description = schema?.description;
  if (description === undefined || schema?.security !== undefined || /\b[Oo]wners?\b/.test(description)) return {};
  const right = rightFor([methods].flat()[0] ?? "GET", url);
  const roles = ROLES.filter((role) => rightsOf(role).includes(right)).map((role) => `${role}s`);
  return roles.length === ROLES.length ? {} : { description: `${description} Of people: ${roles.join(", ")}.` };
}

/** Returns a version's description as the build prepared it; `null` if it did not. */
export type PreparedDescription = (version: ApiVersion) => Promise<Uint8Array | null>;

/**
 * Making the newest description takes half a second in one go, so the build does it, once for a house and once for a
 * sandbox. Returns `null` where headers have other names, and where the sources run: there it is made when it is
 * asked for.
 */
export function preparedDescriptions({ descriptions, config, engine }: ApiParts): PreparedDescription | null {
  if (descriptions === undefined || config.compat.namePrefix !== NEUTRAL_PREFIX) return null;
  const kind = engine.services.simulated === null ? "house" : "sandbox";
  return ({ date }) => descriptions.read(`${kind}-${date}.json`);
}

/** Every version's description. What is not prepared is made when it is first asked for, when all routes are known. */
export function createApiBook(api: Api, prepared: PreparedDescription | null, clock: Clock): VersionBook {
  let newest: JsonObject | null = null;
  // Without what JSON cannot say, and apart from what the plugin holds.
  const made = (): JsonObject => documentOf(JSON.stringify(api.swagger()));
  const book = (): JsonObject => {
    newest ??= made();
    return newest;
  };
  if (prepared === null) return createVersionBook(book);
  const read = async (): Promise<void> => {
    const bytes = await prepared(NEWEST_VERSION);
    newest ??= bytes === null ? made() : documentOf(Buffer.from(bytes).toString());
  };
  let reading: Promise<void> | null = null;
  return createVersionBook(book, {
    prepare() {
      reading ??= read().catch((error) => {
        reading = null;
        throw error;
      });
      return reading;
    },
    yieldLoop: () => new Promise((resolve) => void clock.timer(0, resolve)),
  });
}

function documentOf(text: string): JsonObject {
  return objectAt({ document: JSON.parse(text) }, "document");
}

/** Serves the description of the version that the query or the header names. */
export function openapiRoute(
  api: Api,
  book: VersionBook,
  prepared: PreparedDescription | null,
  namePrefix: string,
): void {
  const documents = new Map<ApiVersion, Buffer>();
  const querystring = z.object({ version: z.string().optional() });
  api.get(OPENAPI_PATH, { schema: { hide: true, querystring } }, async (request, reply) => {
    const { version: asked } = request.query;
    const version = asked === undefined ? versionOf(request) : findVersion(asked);
    if (version === null) {
      throw problem("unsupported-version", `There is no version "${asked}"; served: ${servedDates()}.`);
    }
    const make = async (): Promise<Buffer> => {
      const found = await prepared?.(version);
      if (found) return Buffer.from(found);
      return Buffer.from(JSON.stringify(publishedDocument(book.document(version), version, namePrefix)));
    };
    const bytes = documents.get(version) ?? (await make());
    documents.set(version, bytes);
    return reply.type(JSON_TYPE).send(bytes);
  });
}

const HEAD: Partial<OpenAPIV3_1.Document> = {
  openapi: "3.1.0",
  info: {
    title: "hemgate",
    version: NEWEST_VERSION.date,
    description:
      "One interface to the energy devices of a house. Get a token from `/oauth2/token`, then read the devices and send them commands. Errors are problems (RFC 9457); each kind has a page under `/problems`. All clients of a gateway see and change the same users, devices, locations, tariffs, schedules and statistics: a gateway is one house. A client has its own tokens, its version, its webhooks and its rate limit.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  tags: [
    { name: "batteries", description: "Home batteries and their operation mode." },
    { name: "chargers", description: "Charging stations: start, stop, maximum current." },
    { name: "vehicles", description: "Electric vehicles: charging, smart charging, place." },
    { name: "hvacs", description: "Heat pumps, heaters and air conditioning: mode, setpoints, holds." },
    { name: "inverters", description: "Solar inverters." },
    { name: "meters", description: "Energy meters at the grid connection." },
    { name: "locations", description: "Places of users and the devices at them." },
    { name: "tariffs", description: "Submitted prices, and when they hold at a location." },
    { name: "statistics", description: "What devices consumed, produced and cost." },
    { name: "hem-systems", description: "The batteries, inverters and meters of a house as one." },
    { name: "energy", description: "What flows in the house, what limits each device and why, and the modes." },
    { name: "flex", description: "Events of the grid: times of less or more power." },
    { name: "users", description: "Users and the vendors that they linked." },
    {
      name: "webhooks",
      description:
        "Events posted to a URL, signed and in order. How to verify and answer them: `docs/webhooks.md` in the gateway's package.",
    },
    { name: "notifications", description: "Messages to people, and whether they arrive." },
    { name: "modbus-proxy", description: "Other programs that reach devices over Modbus TCP through the gateway." },
    { name: "live", description: "Following the state of the house." },
    { name: "schedules", description: "When chargers and vehicles charge, and what HVAC units aim for." },
    { name: "discovery", description: "Devices in the house's network that the gateway does not run yet." },
    { name: "setup", description: "Setting a house up: its devices, its checks and tests, its hand-over." },
    {
      name: "installation",
      description: "What physics contradicts about the installation, and what its panels will give.",
    },
    { name: "linking", description: "Sessions in which users link their devices." },
    { name: "interventions", description: "What people can do so that a capability becomes available." },
    { name: "sandbox", description: "Made-up devices for trying things out; only in a sandbox." },
    { name: "health", description: "The gateway itself, and the vendors it reaches." },
    { name: "authentication", description: "Access tokens for clients." },
    { name: "people", description: "Accounts and sessions of people, the clients, and who did what." },
  ],
  security: [{ clientCredentials: [] }, { bearer: [] }, { session: [] }],
  components: {
    securitySchemes: {
      clientCredentials: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/oauth2/token", scopes: {} } } },
      bearer: { type: "http", scheme: "bearer", description: "An access token from `/oauth2/token`." },
      session: {
        type: "apiKey",
        in: "cookie",
        name: SESSION_COOKIE,
        description:
          "The session of a person, from POST /local/session. Requests that change something come from the gateway's own pages and have the header `X-CSRF-Token` with the `csrfToken` of GET /local/session.",
      },
      clientBasic: { type: "http", scheme: "basic", description: "The client's id and secret." },
    },
  },
};
