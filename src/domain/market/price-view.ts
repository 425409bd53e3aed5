/** The market prices in the API: the response of `GET /local/prices`. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { SourceProblemView } from "../source-problem.ts";

const Source = z.object({
  id: z.string().meta({ description: "Name of the source in the configuration." }),
  displayName: z.string().meta({ description: "Name of the source for users." }),
  zone: z.string().meta({ description: "Bidding zone or price area, as the source names it." }),
  attribution: z.string().meta({ description: "Author and licence to show wherever the prices are shown." }),
});

const Price = z.object({
  from: Instant.meta({ description: "Start of the interval." }),
  to: Instant.meta({ description: "End of the interval, exclusive." }),
  cost: z.string().meta({
    description:
      "Consumer price in `currency` per kWh with fees and taxes, a decimal number; negative if the consumer is paid.",
  }),
});

/** The known market prices. An interval without an entry has no known price. */
export const PriceView = z
  .object({
    currency: z.string().meta({ description: "ISO 4217 code, such as `EUR`." }),
    source: Source.nullable().meta({ description: "`null` if no source is configured." }),
    lastFetchedAt: NullableInstant.meta({ description: "Time of the last new prices; `null` if there were none." }),
    knownUntil: NullableInstant.meta({
      description: "End of the known prices; `null` if none is known from now on.",
    }),
    nextFetchAt: NullableInstant.meta({
      description: "Time of the next request to the source; `null` if there is none until the configuration changes.",
    }),
    problem: SourceProblemView.nullable().meta({
      description: "Why the last request brought no prices; `null` if it did, or if none are published yet.",
    }),
    prices: z.array(Price).meta({ description: "Prices from the start of today, ascending." }),
    published: z
      .array(
        Price.extend({
          cost: z.string().meta({
            description: "The market's own price in `currency` per kWh, without fees and taxes, a decimal number.",
          }),
        }),
      )
      .meta({ description: "What the source published, from the start of today, ascending." }),
  })
  .meta({ id: "MarketPrices", description: "Consumer prices calculated from market prices." });
export type PriceView = z.infer<typeof PriceView>;
