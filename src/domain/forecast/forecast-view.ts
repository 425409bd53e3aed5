/** The solar forecast in the API: the response of `GET /local/forecast`. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { SourceProblemView } from "../source-problem.ts";

const Slot = z
  .object({
    from: Instant.meta({ description: "Start of the interval." }),
    to: Instant.meta({ description: "End of the interval, exclusive." }),
    power: z.number().min(0).meta({ description: "Mean power of the interval as the source forecasts it, kW." }),
    power10: z.number().min(0).nullable().meta({
      description: "Power that is exceeded with a probability of 90 %, kW; `null` if the source does not forecast it.",
    }),
    power90: z.number().min(0).nullable().meta({
      description: "Power that is exceeded with a probability of 10 %, kW; `null` if the source does not forecast it.",
    }),
    adjustedPower: z.number().min(0).nullable().meta({
      description: "`power` multiplied by `adjustment.factor`, kW; `null` while there is no factor.",
    }),
  })
  .meta({ id: "ForecastSlot" });

/** The solar forecast of the house. */
export const ForecastView = z
  .object({
    source: z
      .object({
        id: z.string().meta({ description: "Name of the source in the configuration." }),
        displayName: z.string().meta({ description: "Name of the source for users." }),
        attribution: z.string().meta({
          description: "Author and licence to show wherever the forecast is shown.",
        }),
      })
      .nullable()
      .meta({ description: "`null` if no forecast is configured." }),
    lastFetchedAt: NullableInstant.meta({
      description: "Time of the source's last answer; `null` if it never answered.",
    }),
    knownUntil: NullableInstant.meta({ description: "End of the last interval; `null` if there is none." }),
    nextFetchAt: NullableInstant.meta({
      description:
        "Time of the next request to the source, if its quota allows it; `null` if there is none until the configuration changes.",
    }),
    problem: SourceProblemView.nullable().meta({
      description:
        "Why the forecast cannot be renewed; the intervals known before stay. `null` if there is no problem.",
    }),
    adjustment: z
      .object({
        factor: z.number().nullable().meta({
          description: "Measured energy divided by forecast energy; `null` until enough hours were compared.",
        }),
        hours: z.int().min(0).meta({ description: "Number of hours with daylight that were compared." }),
        forecast: z.number().min(0).nullable().meta({
          description: "Forecast energy of these hours, kWh; `null` if there are none.",
        }),
        measured: z.number().min(0).nullable().meta({
          description: "Measured energy of these hours, kWh; `null` if there are none.",
        }),
      })
      .meta({ description: "Comparison of the last days' forecasts with the measured production." }),
    slots: z.array(Slot).meta({
      description:
        "Intervals from the start of today in the time zone of the house, ascending; unknown ones are left out.",
    }),
  })
  .meta({ id: "Forecast", description: "The power that the solar panels of the house are expected to produce." });
export type ForecastView = z.infer<typeof ForecastView>;
