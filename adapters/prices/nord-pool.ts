/**
 * Day-ahead prices of the exchange's own data portal. Sources: answers recorded by pynordpool (gjohansson-ST) and its
 * code: UTC, 204 before a day is published, two months back. The portal's terms allow private use only.
 */
import { type MarketSource, z } from "hemgate/sdk";
import { checkCurrency } from "./check-currency.ts";
import { jsonAnswer } from "./json-answer.ts";
import { unknownZone } from "./unknown-zone.ts";

const AREAS = [
  ...["AT", "BE", "BG", "DK1", "DK2", "EE", "FI", "FR", "GER", "LT", "LV", "NL"],
  ...["NO1", "NO2", "NO3", "NO4", "NO5", "PL", "SE1", "SE2", "SE3", "SE4", "TEL"],
];
const CURRENCIES = ["DKK", "EUR", "NOK", "PLN", "RON", "SEK"];
const NO_CONTENT = 204;

const PRICES = z.object({
  currency: z.string().max(10).optional(),
  multiAreaEntries: z
    .array(
      z.object({
        deliveryStart: z.iso.datetime({ offset: true }),
        deliveryEnd: z.iso.datetime({ offset: true }),
        entryPerArea: z.record(z.string(), z.number().nullable()),
      }),
    )
    .max(1_000),
});

/** `nord-pool`: no key; the zone is a delivery area such as SE3 or GER. */
export const nordPool: MarketSource = {
  id: "nord-pool",
  displayName: "Nord Pool",
  attribution: "Nord Pool; for one's own use, not to be handed on",
  open({ zone, currency }) {
    if (!AREAS.includes(zone)) return unknownZone("delivery area", AREAS);
    if (!CURRENCIES.includes(currency)) {
      const problem = `Nord Pool has prices in ${CURRENCIES.join(", ")} only`;
      return { field: "currency", problem, candidates: CURRENCIES };
    }
    return {
      timezone: "Europe/Oslo",
      publishedAt: "12:50",
      divisor: 1_000,
      basis: "spot",
      hasPast: true,
      request({ date }) {
        const url = new URL("https://dataportal-api.nordpoolgroup.com/api/DayAheadPrices");
        const asked = { market: "DayAhead", date, deliveryArea: zone, currency };
        for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
        return { method: "GET", url, headers: { accept: "application/json" }, body: null };
      },
      read(answer) {
        if (answer.status === NO_CONTENT) return [];
        const { currency: reported = currency, multiAreaEntries } = jsonAnswer(answer, PRICES);
        checkCurrency(reported, currency);
        return multiAreaEntries.flatMap(({ deliveryStart, deliveryEnd, entryPerArea }) => {
          const price = entryPerArea[zone] ?? null;
          const span = { fromMs: Date.parse(deliveryStart), toMs: Date.parse(deliveryEnd) };
          return price === null ? [] : [{ ...span, price: String(price) }];
        });
      },
    };
  },
};
