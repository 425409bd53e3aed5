/** The connection of the house to the grid: its fuses, its contract, its circuits. */
import { z } from "zod";
import { SITE_SETTINGS, SiteSettings } from "../../../domain/energy/site/site-settings.ts";
import { instantOrNull, NullableInstant } from "../../../domain/fields.ts";
import type { SiteChange, SiteState } from "../../../engine/contracts/energy.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, openProblemResponses, problemResponses } from "../../responses.ts";

const TAGS = ["energy"];
const URL = "/local/site";

const Connection = SiteSettings.meta({ id: "SiteConnection" });
const Change = SiteSettings.extend(
  Object.fromEntries(
    Object.entries(SiteSettings.shape).map(([name, schema]) => [name, schema.nullable().meta(schema.meta() ?? {})]),
  ),
).meta({ id: "SiteConnectionChange", description: "`null` removes a value; what is left out stays as it is." });

const Origin = z.enum(["file", "api", "default"]).meta({
  description: "`file`: set in the configuration file, and changed only there. `api`: set here. `default`: not set.",
});

const Site = z
  .object({
    connection: Connection,
    origins: z.record(z.enum(SITE_SETTINGS), Origin).meta({ description: "Where each value comes from." }),
    warnings: z
      .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
      .meta({ description: "What is allowed but hardly intended." }),
    notes: z.array(z.object({ id: z.string(), message: z.string() })).meta({
      description: "What is missing, as under `/local/checks` and `/health/energy`.",
    }),
    changedAt: NullableInstant.meta({ description: "Last change over the API; `null` if there was none." }),
  })
  .meta({ id: "Site" });

type Shown = z.input<typeof Site>;

export function siteRoutes(api: Api, { engine }: RouteParts): void {
  const shown = (state: SiteState): Shown => ({
    connection: state.settings,
    origins: state.origins,
    warnings: state.warnings.map(({ path, problem: message }) => ({ path: [...path], message })),
    notes: engine.services.siteConnections.notes().map(({ id, text }) => ({ id, message: text })),
    changedAt: instantOrNull(state.changedAtMs),
  });
  readRoute(api, () => shown(engine.services.siteConnections.state()));
  const answers = { 200: jsonResponse("The settings in force.", Site), ...problemResponses("conflict") };
  api.route({
    method: "PATCH",
    url: URL,
    schema: {
      operationId: "updateSite",
      summary: "Change some settings of the connection to the grid; they apply at once",
      tags: TAGS,
      body: Change,
      response: answers,
    },
    handler: async (request) => shown(await engine.services.siteConnections.update(request.body as SiteChange)),
  });
  api.route({
    method: "PUT",
    url: URL,
    schema: {
      operationId: "replaceSite",
      summary: "Replace all settings of the connection to the grid that the configuration file does not set",
      tags: TAGS,
      body: Connection,
      response: answers,
    },
    handler: async (request) => {
      const { siteConnections } = engine.services;
      const { origins } = siteConnections.state();
      const removed = SITE_SETTINGS.filter((name) => origins[name] !== "file").map((name) => [name, null] as const);
      return shown(await siteConnections.update({ ...Object.fromEntries(removed), ...request.body }));
    },
  });
  healthRoute(api, { engine });
}

function readRoute(api: Api, read: () => Shown): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getSite",
      summary: "Get the connection to the grid, and where each setting comes from",
      tags: TAGS,
      response: { 200: jsonResponse("The settings in force.", Site), ...problemResponses() },
    },
    handler: read,
  });
}

export const ENERGY_HEALTH_PATH = "/health/energy";

/** Open, as the readiness is: it says nothing but whether the connection is protected. */
function healthRoute(api: Api, { engine }: Pick<RouteParts, "engine">): void {
  const Health = z
    .object({
      isLimited: z.boolean().meta({ description: "`false` if nothing limits what the house imports." }),
      notes: z.array(z.string()).meta({ description: "What is missing, in English." }),
    })
    .meta({ id: "EnergyHealth" });
  api.route({
    method: "GET",
    url: ENERGY_HEALTH_PATH,
    schema: {
      operationId: "getEnergyHealth",
      summary: "Tell whether the connection to the grid has a limit",
      tags: ["health"],
      security: [],
      response: { 200: jsonResponse("What is missing, if anything is.", Health), ...openProblemResponses() },
    },
    handler: (): z.input<typeof Health> => {
      const notes = engine.services.siteConnections.notes().map(({ text }) => text);
      return { isLimited: notes.length === 0, notes };
    },
  });
}
