/** The configuration in use: where each section comes from, and those that can be set here. */
import { z } from "zod";
import { BackupSettings } from "../../../config/backup-config.ts";
import { Http } from "../../../config/config.ts";
import { ForecastConfig } from "../../../config/forecast-config.ts";
import { MqttConfig } from "../../../config/mqtt-config.ts";
import { Pricing } from "../../../config/pricing-config.ts";
import {
  ConfigurationView,
  HOUSE_SECTIONS,
  type HouseSection,
} from "../../../domain/configuration/configuration-view.ts";
import { withoutSecrets, withoutTexts } from "../../../domain/diagnostics/without-secrets.ts";
import { privateTexts } from "../../../domain/notifications/settings.ts";
import type { Api, RouteParts } from "../../api.ts";
import type { Caller } from "../../clients/callers.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { SERVED_VERSIONS } from "../../versions/served-versions.ts";
import { requireInstaller, requireManager } from "../people/asker.ts";

const URL = "/local/configuration";
const TAGS = ["installation"];
const WHO = "For owners and installers, and for clients with the scope `people:manage`.";
const RESTARTS =
  "The gateway restarts with it in the same process: the API is away for some seconds, and devices are at their safe defaults meanwhile.";

const Accepted = z
  .object({ isRestarting: z.literal(true) })
  .meta({ id: "ConfigurationAccepted", description: "Stored; the gateway restarts with it now." });

interface SettableSection {
  /** Who may set it, where owners and installers may not both. */
  readonly who?: string;
  /** Throws `forbidden` for others; default: those who are not installers. */
  readonly demand?: (caller: Caller) => void;
  readonly schema: z.ZodType<object>;
  readonly noun: string;
  readonly what: string;
}

const BODIES: Readonly<Record<HouseSection, SettableSection>> = {
  pricing: {
    schema: Pricing.meta({ id: "PricingSettings" }),
    noun: "Pricing",
    what: "what energy costs and brings",
  },
  forecast: {
    schema: ForecastConfig.meta({ id: "ForecastSettings" }),
    noun: "Forecast",
    what: "the panels, and who forecasts them",
  },
  mqtt: {
    // Files of the machine are named in the configuration file only.
    schema: MqttConfig.omit({ tls: true }).meta({ id: "MqttSettings" }),
    noun: "Mqtt",
    what: "MQTT and Home Assistant",
  },
  backup: {
    // Who sets the passphrase and the place of backups gets every secret of the house.
    who: "For owners, and for clients with the scope `people:manage`.",
    demand: requireManager,
    schema: BackupSettings.meta({ id: "BackupSettings" }),
    noun: "Backup",
    what: "when backups are made, where they are and their passphrase",
  },
  http: {
    // Address and port are named in the configuration file only: a wrong one would lock everybody out.
    schema: Http.pick({ corsOrigins: true }).meta({ id: "WebOriginSettings" }),
    noun: "WebOrigin",
    what: "the origins whose web pages may use the API",
  },
};

export function configurationRoutes(api: Api, parts: RouteParts): void {
  readRoute(api, parts);
  for (const section of HOUSE_SECTIONS) sectionRoutes(api, parts, section);
}

function readRoute(api: Api, { settings, config, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "getConfiguration",
      summary: "Get the configuration in use, and where each section comes from",
      description: WHO,
      tags: TAGS,
      response: { 200: jsonResponse("The configuration without secrets.", ConfigurationView), ...problemResponses() },
    },
    handler: (request): ConfigurationView => {
      requireInstaller(callerOf(request));
      const sections = Object.entries(config).map(([name, value]) => {
        const { origin, isSettable, variables } = settings.stateOf(name);
        return { name, origin, isSettable, variables: [...variables], value: shown(name, value, config) };
      });
      const apiVersions = SERVED_VERSIONS.map(({ date }) => date);
      return {
        sections,
        apiVersions,
        sources: { prices: [...settings.sources.prices], forecasts: [...settings.sources.forecasts] },
      };
    },
  });
}

function shown(name: string, value: unknown, { notifications }: RouteParts["config"]): unknown {
  const safe = withoutSecrets(value, false);
  // Who knows a topic or the URL of a channel reads what is sent to people, or writes there.
  return name === "notifications" ? JSON.parse(withoutTexts(JSON.stringify(safe), privateTexts(notifications))) : safe;
}

function sectionRoutes(api: Api, { settings, callerOf }: RouteParts, section: HouseSection): void {
  const { schema, noun, what, who = WHO, demand = requireInstaller } = BODIES[section];
  api.route({
    method: "PUT",
    url: `${URL}/${section}`,
    schema: {
      operationId: `set${noun}Settings`,
      summary: `Set ${what}; the gateway restarts with it`,
      description: `${who} As the section \`${section}\` of the configuration file, which counts more where it has one. A secret that is \`[redacted]\` stays as it is. ${RESTARTS}`,
      tags: TAGS,
      body: schema,
      response: { 202: jsonResponse("It is stored.", Accepted), ...problemResponses("conflict") },
    },
    handler: async (request, reply) => {
      demand(callerOf(request));
      await settings.set(section, request.body as Readonly<Record<string, unknown>>);
      return await reply.code(202).send({ isRestarting: true });
    },
  });
  api.route({
    method: "DELETE",
    url: `${URL}/${section}`,
    schema: {
      operationId: `remove${noun}Settings`,
      summary: `Remove the settings of ${what}; the gateway restarts without them`,
      description: `${who} ${RESTARTS}`,
      tags: TAGS,
      response: { 202: jsonResponse("They are gone.", Accepted), ...problemResponses("not-found", "conflict") },
    },
    handler: async (request, reply) => {
      demand(callerOf(request));
      await settings.remove(section);
      return await reply.code(202).send({ isRestarting: true });
    },
  });
}
