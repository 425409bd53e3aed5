/** The limit of the grid connection of a location, as clients see and set it (rule S11.8). */
import { z } from "zod";
import { SiteSettings } from "./site-settings.ts";

const { importKw, fuseA } = SiteSettings.shape;
const MAX_IMPORT = importKw.unwrap().nullable().meta({ description: "Highest import, kW; `null`: none is set." });
const MAX_CURRENT = fuseA
  .unwrap()
  .nullable()
  .meta({ description: "Main fuse: highest current of each phase, A; `null`: none is set." });
const Origin = z.enum(["file", "api", "default"]).meta({
  description: "`file`: set in the configuration file, and changed only there.",
});

export const PowerLimit = z
  .object({
    locationId: z.uuid(),
    maxImportKw: MAX_IMPORT,
    maxPhaseCurrent: MAX_CURRENT,
    origins: z.object({ maxImportKw: Origin, maxPhaseCurrent: Origin }),
    phases: z.literal([1, 3]).meta({ description: "Phases of the connection." }),
    appliedImportKw: z.number().nullable().meta({
      description: "Lowest of `maxImportKw` and what the grid operator allows now, kW; `null`: neither is set.",
    }),
    importKw: z.number().nullable().meta({
      description: "Power at the connection now, kW, positive on import; `null` if it is not measured.",
    }),
    phaseCurrents: z.array(z.number().nullable()).meta({
      description: "Current of each phase now, A, positive on import; `null` if it is not measured.",
    }),
  })
  .meta({ id: "PowerLimit" });
export type PowerLimit = z.infer<typeof PowerLimit>;

export const PowerLimitUpdate = z
  .strictObject({ maxImportKw: MAX_IMPORT.optional(), maxPhaseCurrent: MAX_CURRENT.optional() })
  .meta({ id: "PowerLimitUpdate", description: "`null` removes a limit; what is left out stays." });
export type PowerLimitUpdate = z.infer<typeof PowerLimitUpdate>;
