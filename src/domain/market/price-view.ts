/** What energy costs at the market, as `GET /local/prices` shows it. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { SourceProblemView } from "../source-problem.ts";

const Source = z.object({
  id: z.string().meta({ description: "How the configuration calls it." }),
  displayName: z.string(),
  zone: z.string().meta({ description: "What the source knows the place by." }),
  attribution: z.string().meta({ description: "Whose data it is, to be named wherever the prices are shown." }),
});

const Price = z.object({
  from: Instant,
  to: Instant,
  cost: z.string().meta({
    description: "What a consumer pays per kWh, fees and taxes in it, a decimal number; negative prices are paid out.",
  }),
});

/** Market prices as they are known. Hours that no price is for are unknown. */
export const PriceView = z
  .object({
    currency: z.string().meta({ description: "ISO 4217 code." }),
    source: Source.nullable().meta({ description: "Null: none is configured." }),
    lastFetchedAt: NullableInstant.meta({ description: "When prices last came; null: never." }),
    knownUntil: NullableInstant.meta({ description: "Where the known prices end; null: none are known from now on." }),
    nextFetchAt: NullableInstant.meta({
      description: "When the source is asked next; null: not before the configuration is changed.",
    }),
    problem: SourceProblemView.nullable().meta({
      description: "Why the last question got no prices; null: it did, or none are expected yet.",
    }),
    prices: z.array(Price).meta({ description: "From the beginning of today, ascending." }),
  })
  .meta({ id: "MarketPrices" });
export type PriceView = z.infer<typeof PriceView>;
