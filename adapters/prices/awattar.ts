/**
 * The hourly exchange prices that the supplier aWATTar publishes. Sources: its own API page (epoch ms, Eur/MWh, tomorrow's
 * prices after 14:00), and vendor clients that read it; about 60 requests an hour are fair use.
 */
import { MarketError, type MarketSource, z } from "hemgate/sdk";
import { jsonAnswer } from "./json-answer.ts";
import { unknownZone } from "./unknown-zone.ts";

const HOSTS: Readonly<Record<string, string>> = { AT: "api.awattar.at", DE: "api.awattar.de" };
const CURRENCY = "EUR";

const PRICES = z.object({
  data: z
    .array(
      z.object({
        start_timestamp: z.int(),
        end_timestamp: z.int(),
        marketprice: z.number(),
        unit: z.string().max(20),
      }),
    )
    .max(1_000),
});

/** `awattar`: no key; the zone is DE or AT. */
export const awattar: MarketSource = {
  id: "awattar",
  displayName: "aWATTar",
  attribution: "aWATTar; EPEX Spot day-ahead auction",
  open({ zone, currency }) {
    const host = HOSTS[zone];
    if (host === undefined) return unknownZone("zone", Object.keys(HOSTS));
    if (currency !== CURRENCY) return { field: "currency", problem: "aWATTar has prices in EUR only" };
    return {
      timezone: "Europe/Vienna",
      publishedAt: "14:00",
      divisor: 1_000,
      basis: "spot",
      hasPast: true,
      request({ fromMs, toMs }) {
        const url = new URL(`https://${host}/v1/marketdata`);
        url.searchParams.set("start", String(fromMs));
        url.searchParams.set("end", String(toMs));
        return { method: "GET", url, headers: { accept: "application/json" }, body: null };
      },
      read: (answer) =>
        jsonAnswer(answer, PRICES).data.map(({ start_timestamp, end_timestamp, marketprice, unit }) => {
          if (unit.toLowerCase() !== "eur/mwh") throw new MarketError("malformed", "answered prices in another unit");
          return { fromMs: start_timestamp, toMs: end_timestamp, price: String(marketprice) };
        }),
    };
  },
};
