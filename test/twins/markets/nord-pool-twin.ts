import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { MarketTwin } from "./market-twin.ts";

const CURRENCIES: readonly string[] = ["DKK", "EUR", "NOK", "PLN", "RON", "SEK"];
const MAX_PAST_MS = 62 * 86_400_000;

/** dataportal-api.nordpoolgroup.com: one date at a time, in UTC; 204 before it is published, two months back. */
export class NordPoolTwin extends MarketTwin {
  readonly hosts = ["dataportal-api.nordpoolgroup.com"];

  protected answer({ method, url }: AskedOfTwin): SimWebAnswer {
    if (method !== "GET" || url.pathname !== "/api/DayAheadPrices") return jsonAnswer({ status: 404 }, 404);
    const { searchParams } = url;
    const [market, date, area, currency] = ["market", "date", "deliveryArea", "currency"].map(
      (name) => searchParams.get(name) ?? "",
    );
    if (market !== "DayAhead" || date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) {
      return jsonAnswer({ status: 400 }, 400);
    }
    if (area === undefined || currency === undefined || !CURRENCIES.includes(currency)) {
      return jsonAnswer({ status: 400 }, 400);
    }
    const nowMs = this.clock.nowMs();
    if (Date.parse(date) < nowMs - MAX_PAST_MS) return jsonAnswer({ status: 401 }, 401);
    if (this.book.publishedMs(date) > nowMs) return { status: 204 };
    return jsonAnswer({
      deliveryDateCET: date,
      version: 3,
      updatedAt: new Date(this.book.publishedMs(date)).toISOString(),
      deliveryAreas: [area],
      market,
      multiAreaEntries: this.book.day(date).map(({ fromMs, toMs, price }) => ({
        deliveryStart: secondOf(fromMs),
        deliveryEnd: secondOf(toMs),
        entryPerArea: { [area]: Number(price) },
      })),
      currency,
      exchangeRate: 1,
      areaStates: [{ state: "Final", areas: [area] }],
    });
  }
}

/** As the portal writes instants: without milliseconds. */
function secondOf(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
