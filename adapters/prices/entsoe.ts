/**
 * Day-ahead prices of the ENTSO-E Transparency Platform, document A44. Sources: the platform's RESTful API guide (400
 * requests a minute, reason 999), answers that hass-entso-e recorded, and entsoe-py for the zones' codes.
 */
import { type MarketAnswer, type MarketDay, MarketError, type MarketPrice, type MarketSource } from "hemgate/sdk";
import { checkCurrency } from "./check-currency.ts";
import { seriesPrices } from "./entsoe-series.ts";
import { BIDDING_ZONES } from "./entsoe-zones.ts";
import { unknownZone } from "./unknown-zone.ts";
import { elementsAt, textAt, type XmlElement, xmlTree } from "./xml-tree.ts";

const CURRENCY = "EUR";
const NO_DATA = "999";
/** The coupled auction; 2 is that of a local exchange in the morning, which is another price. */
const COUPLED_AUCTION = "1";
const SEQUENCE = "classificationSequence_AttributeInstanceComponent.position";

/** `entsoe`: the token is a security token of the platform, the zone a bidding zone such as DE-LU, or its EIC. */
export const entsoe: MarketSource = {
  id: "entsoe",
  displayName: "ENTSO-E",
  attribution: "ENTSO-E Transparency Platform, CC BY 4.0",
  open({ zone, token, currency }) {
    const area = BIDDING_ZONES[zone] ?? (/^\d\d[YZTVW][A-Z0-9-]{13}$/.test(zone) ? zone : null);
    if (area === null) return unknownZone("bidding zone", Object.keys(BIDDING_ZONES));
    if (token === null) return { field: "token", problem: "ENTSO-E wants a security token" };
    if (currency !== CURRENCY) return { field: "currency", problem: "ENTSO-E has prices in EUR only" };
    return {
      timezone: "Europe/Brussels",
      publishedAt: "13:00",
      divisor: 1_000,
      basis: "spot",
      hasPast: true,
      request: (day) => ({ method: "GET", url: urlOf(day, area, token), headers: {}, body: null }),
      isUnpublished: (answer) => answer.status === 400 && isNoData(answer),
      read: (answer, day) => pricesOf(xmlTree(answer.body), day, currency),
    };
  },
};

function urlOf({ fromMs, toMs }: MarketDay, area: string, token: string): URL {
  const url = new URL("https://web-api.tp.entsoe.eu/api");
  const asked = {
    securityToken: token,
    documentType: "A44",
    in_Domain: area,
    out_Domain: area,
    periodStart: minuteOf(fromMs),
    periodEnd: minuteOf(toMs),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url;
}

/** `yyyyMMddHHmm` in UTC. */
function minuteOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(0, 12);
}

/** Absence used to be a 400, and is a 200 now. */
function isNoData({ body }: MarketAnswer): boolean {
  try {
    return reasonOf(xmlTree(body)) === NO_DATA;
  } catch (error) {
    if (error instanceof MarketError) return false;
    throw error;
  }
}

function reasonOf(document: XmlElement): string | null {
  return document.name === "Acknowledgement_MarketDocument" ? textAt(document, "Reason", "code") : null;
}

function pricesOf(document: XmlElement, day: MarketDay, currency: string): readonly MarketPrice[] {
  const reason = reasonOf(document);
  if (reason === NO_DATA) return [];
  if (reason !== null) throw new MarketError("unavailable", "acknowledged without prices");
  if (document.name !== "Publication_MarketDocument") throw new MarketError("malformed", "answered another document");
  const series = elementsAt(document, "TimeSeries").filter(
    (each) => (textAt(each, SEQUENCE) ?? COUPLED_AUCTION) === COUPLED_AUCTION,
  );
  for (const each of series) {
    checkCurrency(textAt(each, "currency_Unit.name") ?? "", currency);
    if (textAt(each, "price_Measure_Unit.name") !== "MWH") {
      throw new MarketError("malformed", "answered prices in another unit");
    }
  }
  return seriesPrices(series, day);
}
