/** What the panels will give, as `GET /local/forecast` shows it. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { SourceProblemView } from "../source-problem.ts";

const KW = "kW.";

const Slot = z
  .object({
    from: Instant,
    to: Instant,
    power: z
      .number()
      .min(0)
      .meta({ description: `The mean of the slot as the source has it, ${KW}` }),
    power10: z
      .number()
      .min(0)
      .nullable()
      .meta({
        description: `What is exceeded in nine of ten cases, ${KW} Null when the source does not tell.`,
      }),
    power90: z
      .number()
      .min(0)
      .nullable()
      .meta({
        description: `What is exceeded in one of ten cases, ${KW} Null when the source does not tell.`,
      }),
    adjustedPower: z
      .number()
      .min(0)
      .nullable()
      .meta({
        description: `\`power\` times the factor of the adjustment, ${KW} Null as long as there is none.`,
      }),
  })
  .meta({ id: "ForecastSlot" });

export const ForecastView = z
  .object({
    source: z
      .object({
        id: z.string().meta({ description: "As the configuration names it." }),
        displayName: z.string(),
        attribution: z.string().meta({ description: "Who is to be named where the forecast is shown, and its terms." }),
      })
      .nullable()
      .meta({ description: "Null: no forecast is configured." }),
    lastFetchedAt: NullableInstant.meta({ description: "When the source last answered; null: it never did." }),
    knownUntil: NullableInstant.meta({ description: "The end of the last slot that is known." }),
    nextFetchAt: NullableInstant.meta({
      description: "When the source is asked next, as far as the quota lets; null: not before something changes.",
    }),
    problem: SourceProblemView.nullable().meta({
      description: "What keeps the forecast from being renewed; what was known stays. Null: nothing.",
    }),
    adjustment: z.object({
      factor: z.number().nullable().meta({
        description: "What was produced lately, divided by what was forecast; null until enough is known.",
      }),
      hours: z.int().min(0).meta({ description: "Hours with light that were compared." }),
      forecast: z.number().min(0).nullable().meta({ description: "In these hours, kWh; null when there are none." }),
      measured: z.number().min(0).nullable().meta({ description: "In these hours, kWh; null when there are none." }),
    }),
    slots: z.array(Slot).meta({
      description: "From the beginning of today in the house's zone, ascending; what is not known is left out.",
    }),
  })
  .meta({ id: "Forecast", description: "What the panels of the house will give." });
export type ForecastView = z.infer<typeof ForecastView>;
