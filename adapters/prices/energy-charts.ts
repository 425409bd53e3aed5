/**
 * Day-ahead prices by Fraunhofer ISE. Sources: the OpenAPI document of api.energy-charts.info (2025: timestamps, 404
 * where there is no content, EUR per MWh for every zone), and what its users report.
 */
import { type Market, MarketError, type MarketPrice, type MarketSource, z } from "hemgate/sdk";
import { jsonAnswer } from "./json-answer.ts";
import { slotMsOf } from "./slot-length.ts";
import { unknownZone } from "./unknown-zone.ts";

const ZONES = [
  ...["AT", "BE", "BG", "CH", "CZ", "DE-LU", "DK1", "DK2", "EE", "ES", "FI", "FR", "GR", "HR", "HU"],
  ...["IT-Calabria", "IT-Centre-North", "IT-Centre-South", "IT-North", "IT-Sardinia", "IT-Sicily", "IT-South"],
  ...["LT", "LV", "ME", "NL", "NO1", "NO2", "NO3", "NO4", "NO5", "PL", "PT", "RO", "RS"],
  ...["SE1", "SE2", "SE3", "SE4", "SI", "SK"],
];
const CURRENCY = "EUR";
const MAX_PRICES = 5_000;
const MS = 1_000;

const PRICES = z.object({
  unix_seconds: z.array(z.int()).max(MAX_PRICES),
  price: z.array(z.number().nullable()).max(MAX_PRICES),
  unit: z.string().max(100),
});

/** `energy-charts`: no key; the zone is a bidding zone such as DE-LU. */
export const energyCharts: MarketSource = {
  id: "energy-charts",
  displayName: "Energy-Charts",
  attribution: "Energy-Charts.info, Fraunhofer ISE; Bundesnetzagentur | SMARD.de, CC BY 4.0 for most zones",
  open({ zone, currency }) {
    if (!ZONES.includes(zone)) return unknownZone("bidding zone", ZONES);
    if (currency !== CURRENCY) {
      return { field: "currency", problem: "Energy-Charts has prices in EUR only", candidates: [CURRENCY] };
    }
    return marketOf(zone);
  },
};

function marketOf(zone: string): Market {
  return {
    // The coupled European market has one auction for days of central European time.
    timezone: "Europe/Brussels",
    publishedAt: "13:00",
    divisor: 1_000,
    basis: "spot",
    hasPast: true,
    request({ fromMs, toMs }) {
      const url = new URL("https://api.energy-charts.info/price");
      url.searchParams.set("bzn", zone);
      // As instants: dates would be read in the local time of each zone. The end is inclusive.
      url.searchParams.set("start", String(fromMs / MS));
      url.searchParams.set("end", String(toMs / MS - 1));
      return { method: "GET", url, headers: { accept: "application/json" }, body: null };
    },
    isUnpublished: ({ status }) => status === 404,
    read(answer) {
      const { unix_seconds: seconds, price: prices, unit } = jsonAnswer(answer, PRICES);
      return pricesOf(seconds, prices, unit);
    },
  };
}

function pricesOf(
  seconds: readonly number[],
  prices: readonly (number | null)[],
  unit: string,
): readonly MarketPrice[] {
  if (unit.replaceAll(" ", "") !== "EUR/MWh") throw new MarketError("malformed", "answered prices in another unit");
  if (seconds.length !== prices.length) throw new MarketError("malformed", "answered more times than prices");
  const slotMs = slotMsOf(seconds.map((second) => second * MS));
  return seconds.flatMap((second, index) => {
    const price = prices[index] ?? null;
    const fromMs = second * MS;
    return price === null || slotMs === null ? [] : [{ fromMs, toMs: fromMs + slotMs, price: String(price) }];
  });
}
