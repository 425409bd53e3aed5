import { z } from "zod";
import { HourMinute } from "../domain/hour-minute.ts";
import { CostText } from "../domain/money.ts";
import type { MarketSource } from "../sdk/market-source.ts";

const MAX_FEES = 100;
const MAX_SECRET = 4_000;

/** A decimal number; as text where its last digits matter. */
const Decimal = z.union([z.number().min(-1_000_000).max(1_000_000), CostText]);

const Fee = z
  .strictObject({
    name: z.string().min(1).max(255).meta({ description: "What is paid, such as grid or electricity tax." }),
    perKwh: Decimal.meta({ description: "Currency units per kWh, before value-added tax; negative for a rebate." }),
    from: HourMinute.default("00:00").meta({ description: "HH:MM on the house's clock, inclusive." }),
    to: HourMinute.default("24:00").meta({ description: "HH:MM, exclusive, after from; 24:00 closes the day." }),
    weekdays: z
      .array(z.int().min(0).max(6))
      .min(1)
      .optional()
      .meta({ description: "0 is Monday, 6 is Sunday; default all days." }),
  })
  .superRefine(({ from, to }, context) => {
    if (from < to) return;
    const message = `${to} is not after ${from}; use two fees for hours that cross midnight`;
    context.addIssue({ code: "custom", path: ["to"], message, input: to });
  });

const MarketConfig = z.strictObject({
  source: z.string().min(1).max(63).meta({ description: "Where the prices come from, such as energy-charts." }),
  zone: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .meta({ description: "What the source knows the place by, such as the bidding zone DE-LU." }),
  token: z.string().min(1).max(MAX_SECRET).nullable().default(null).meta({
    description: "The source's key, where it wants one; null: none.",
  }),
  factor: Decimal.default(1).meta({
    description: "What the market's price is multiplied by, before anything is added.",
  }),
  fees: z.array(Fee).max(MAX_FEES).default([]).meta({ description: "What is paid per kWh beside the energy." }),
  vat: Decimal.default(0).meta({ description: "Value-added tax on all of it, as a part of 1: 0.19 is 19 %." }),
});

const FeedIn = z.strictObject({
  perKwh: Decimal.default(0).meta({
    description: "What is paid per kWh; with marketFactor what is added to it, negative for a fee.",
  }),
  marketFactor: Decimal.default(0).meta({
    description: "What the market's price is multiplied by: 1 for a feed-in at the market's price, 0 for a fixed one.",
  }),
  stopsBelowZero: z.boolean().default(false).meta({
    description: "Whether inverters are limited to what the house takes while feeding in costs money.",
  }),
});

export const Pricing = z.strictObject({
  currency: z
    .string()
    .refine((code) => Intl.supportedValuesOf("currency").includes(code), {
      error: "no such currency; expected an ISO 4217 code such as EUR",
      params: { candidates: Intl.supportedValuesOf("currency") },
    })
    .default("EUR")
    .meta({ description: "ISO 4217 code of the currency that all prices are in, per kWh." }),
  market: MarketConfig.optional().meta({
    description: "Market prices where a location's tariff has none: (market × factor + fees) × (1 + vat).",
  }),
  feedIn: FeedIn.optional().meta({
    description:
      "What is paid for energy that is fed into the grid: market × marketFactor + perKwh. Default not known.",
  }),
});

/** Tells what the chosen source lacks or does not know. */
export function checkMarket(
  { currency, market }: z.infer<typeof Pricing>,
  sources: readonly MarketSource[],
  context: z.RefinementCtx,
): void {
  if (market === undefined) return;
  const tell = (path: string[], message: string, candidates: readonly string[], input: unknown): void =>
    context.addIssue({ code: "custom", path, message, input, params: { candidates } });
  const { source: id, zone, token, vat } = market;
  const ids = sources.map((each) => each.id);
  const source = sources.find((each) => each.id === id);
  if (source === undefined) {
    const message = `there is no such price source; there are ${ids.join(", ") || "none"}`;
    tell(["market", "source"], message, ids, id);
    return;
  }
  const opened = source.open({ zone, token, currency });
  if ("problem" in opened) {
    const { field, problem, candidates = [] } = opened;
    const path = field === "currency" ? [field] : ["market", field];
    // A key that is wrong is shown nowhere.
    const input = { currency, zone, token: token === null ? undefined : "" }[field];
    tell(path, problem, candidates, input);
  } else if (opened.basis === "retail" && Number(vat) !== 0) {
    tell(["market", "vat"], `the prices of ${source.displayName} have value-added tax in them; leave vat out`, [], vat);
  }
}
