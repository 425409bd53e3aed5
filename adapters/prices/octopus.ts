/**
 * Unit rates of a British tariff. Sources: the API's documentation (rates need no key; pence per kWh with and without
 * tax; newest first; `valid_to` null while a rate has no end; Agile's next day from about 16:00), and its clients: variable
 * tariffs list a rate for each way to pay.
 */
import { type MarketSource, z } from "hemgate/sdk";
import { jsonAnswer } from "./json-answer.ts";

/** Single-register electricity, with the product and the region of the network operator. */
const TARIFF = /^E-1R-([A-Z0-9-]{1,60})-[A-P]$/;
const CURRENCY = "GBP";

const RATES = z.object({
  results: z
    .array(
      z.object({
        value_inc_vat: z.number(),
        valid_from: z.iso.datetime({ offset: true }),
        valid_to: z.iso.datetime({ offset: true }).nullable(),
        payment_method: z.string().max(100).nullish(),
      }),
    )
    .max(1_500),
});

/** `octopus`: no key; the zone is a tariff code such as E-1R-AGILE-24-10-01-C. */
export const octopus: MarketSource = {
  id: "octopus",
  displayName: "Octopus Energy",
  attribution: "Octopus Energy",
  open({ zone, currency }) {
    const [, product] = TARIFF.exec(zone) ?? [];
    if (product === undefined) {
      return { field: "zone", problem: "no tariff code of one register, such as E-1R-AGILE-24-10-01-C" };
    }
    if (currency !== CURRENCY) return { field: "currency", problem: "Octopus Energy has prices in GBP only" };
    return {
      // Agile's days end at 23:00 in Britain: they are those of the coupled market.
      timezone: "Europe/Brussels",
      publishedAt: "17:00",
      divisor: 100,
      basis: "retail",
      hasPast: true,
      request({ fromMs, toMs }) {
        const tariff = `electricity-tariffs/${zone}/standard-unit-rates/`;
        const url = new URL(`https://api.octopus.energy/v1/products/${product}/${tariff}`);
        url.searchParams.set("period_from", new Date(fromMs).toISOString());
        url.searchParams.set("period_to", new Date(toMs).toISOString());
        url.searchParams.set("page_size", "1500");
        return { method: "GET", url, headers: { accept: "application/json" }, body: null };
      },
      read: (answer, day) =>
        jsonAnswer(answer, RATES)
          .results.filter(({ payment_method }) => payment_method !== "NON_DIRECT_DEBIT")
          .map(({ value_inc_vat, valid_from, valid_to }) => ({
            // A rate that holds for months may begin at any second.
            fromMs: Math.max(Date.parse(valid_from), day.fromMs),
            toMs: Math.min(valid_to === null ? day.toMs : Date.parse(valid_to), day.toMs),
            price: String(value_inc_vat),
          }))
          .filter(({ fromMs, toMs }) => fromMs < toMs),
    };
  },
};
