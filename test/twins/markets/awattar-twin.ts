import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { MarketTwin } from "./market-twin.ts";

/** api.awattar.de and .at: milliseconds, hours, an empty list before a day is there. */
export class AwattarTwin extends MarketTwin {
  readonly hosts = ["api.awattar.de", "api.awattar.at"];

  protected answer({ method, url }: AskedOfTwin): SimWebAnswer {
    if (method !== "GET" || url.pathname !== "/v1/marketdata") return jsonAnswer({ code: 404 }, 404);
    const [start, end] = ["start", "end"].map((name) => Number(url.searchParams.get(name) ?? Number.NaN));
    if (start === undefined || end === undefined || !(start < end)) return jsonAnswer({ code: 400 }, 400);
    const data = this.book.published(start, end).map(({ fromMs, toMs, price }) => ({
      start_timestamp: fromMs,
      end_timestamp: toMs,
      marketprice: Number(price),
      unit: "Eur/MWh",
    }));
    return jsonAnswer({ object: "list", data, url: "/at/v1/marketdata" });
  }
}
