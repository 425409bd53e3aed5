/** The connection of the house to the grid: its fuses, its contract, its circuits. */
import { z } from "zod";
import { MEASURED_LANGUAGES, measuredIn } from "../../../domain/checks/measured-text.ts";
import { SITE_SETTINGS, SiteSettings } from "../../../domain/energy/site/site-settings.ts";
import { instantOrNull, NullableInstant } from "../../../domain/fields.ts";
import type { SiteChange, SiteConnections } from "../../../engine/contracts/energy/energy.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, openProblemResponses, problemResponses } from "../../responses.ts";

const TAGS = ["energy"];
const URL = "/local/site";

const Query = z.object({
  // Any other code is answered in English, so it is no enum for the check.
  language: z
    .string()
    .optional()
    .meta({ enum: [...MEASURED_LANGUAGES], description: "Language of the warnings; default and fallback: en-US." }),
});
const Connection = SiteSettings.meta({ id: "SiteConnection" });
const Change = SiteSettings.extend(
  Object.fromEntries(
    Object.entries(SiteSettings.shape).map(([name, schema]) => [name, schema.nullable().meta(schema.meta() ?? {})]),
  ),
).meta({ id: "SiteConnectionChange", description: "`null` removes a value; what is left out stays as it is." });

const Origin = z.enum(["file", "api", "default"]).meta({
  description: "`file`: set in the configuration file, and changed only there. `api`: set here. `default`: not set.",
});

export const Site = z
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
  const { siteConnections } = engine.services;
  readRoute(api, (language) => shownSite(siteConnections, language));
  const answers = { 200: jsonResponse("The settings in force.", Site), ...problemResponses("conflict") };
  api.route({
    method: "PATCH",
    url: URL,
    schema: {
      operationId: "updateSite",
      summary: "Change some settings of the connection to the grid; they apply at once",
      description:
        "`null` removes a value. A value that the configuration file sets is refused (409). The new limit holds from the next control cycle, seconds later.",
      tags: TAGS,
      body: Change,
      response: answers,
    },
    handler: async (request) => {
      await siteConnections.update(request.body as SiteChange);
      return shownSite(siteConnections);
    },
  });
  api.route({
    method: "PUT",
    url: URL,
    schema: {
      operationId: "replaceSite",
      summary: "Replace all settings of the connection to the grid that the configuration file does not set",
      description: "What the body leaves out is removed. Use `PATCH` to change some values only.",
      tags: TAGS,
      body: Connection,
      response: answers,
    },
    handler: async (request) => {
      const { origins } = siteConnections.state();
      const removed = SITE_SETTINGS.filter((name) => origins[name] !== "file").map((name) => [name, null] as const);
      await siteConnections.update({ ...Object.fromEntries(removed), ...request.body });
      return shownSite(siteConnections);
    },
  });
  healthRoute(api, { engine });
}

/** The settings in force; the warnings in a language. */
export function shownSite(siteConnections: Pick<SiteConnections, "state" | "notes">, language = "en-US"): Shown {
  const { settings, origins, warnings, changedAtMs } = siteConnections.state();
  return {
    connection: settings,
    origins,
    warnings: warnings.map(({ path, words }) => ({ path: [...path], message: measuredIn(words, language) })),
    notes: siteConnections.notes().map(({ id, text }) => ({ id, message: text })),
    changedAt: instantOrNull(changedAtMs),
  };
}

function readRoute(api: Api, read: (language: string | undefined) => Shown): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getSite",
      summary: "Get the connection to the grid, and where each setting comes from",
      description:
        "Fuses in A per phase, contracted power in kW. A value of the configuration file is changed only there; `origins` says which these are.",
      tags: TAGS,
      querystring: Query,
      response: { 200: jsonResponse("The settings in force.", Site), ...problemResponses() },
    },
    handler: ({ query }) => read(query.language),
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
      description:
        "For monitors, without a token: it names no device and no power. A house without a limit can blow its main fuse when vehicles charge.",
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
