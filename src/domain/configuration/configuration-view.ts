/** The configuration in use, and where it comes from: the response of `GET /local/configuration`. */
import { z } from "zod";

/** The sections that can be set over the API; of `http` its web origins only. */
export const HOUSE_SECTIONS = ["pricing", "forecast", "mqtt", "backup", "http"] as const;
export type HouseSection = (typeof HOUSE_SECTIONS)[number];

export const SectionOrigin = z.enum(["file", "fleet", "api", "default"]).meta({
  description:
    "`file`: the configuration file has the section (of `http`: its `corsOrigins`), and it is changed only there. `fleet`: the cloud service set it. `api`: set here. `default`: set nowhere.",
});
export type SectionOrigin = z.infer<typeof SectionOrigin>;

const Section = z
  .object({
    name: z.string().meta({ description: "Key in the configuration file, such as `pricing`." }),
    origin: SectionOrigin,
    isSettable: z.boolean().meta({ description: "`true` if PUT and DELETE can change the section." }),
    variables: z.array(z.string()).meta({
      description: "Environment variables that set values of this section; they win over everything else.",
    }),
    value: z.unknown().meta({ description: "The section in use, with defaults; secrets are `[redacted]`." }),
  })
  .meta({ id: "ConfigurationSection" });

export const ConfigurationView = z
  .object({
    sections: z.array(Section),
    apiVersions: z.array(z.string()).meta({ description: "The versions of the API that are served, newest first." }),
    sources: z
      .object({ prices: z.array(z.string()), forecasts: z.array(z.string()) })
      .meta({ description: "The ids that `pricing.market.source` and `forecast.source` can have." }),
  })
  .meta({ id: "Configuration", description: "The configuration in use, without secrets." });
export type ConfigurationView = z.infer<typeof ConfigurationView>;
