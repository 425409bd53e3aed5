import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { MarketTwin } from "./market-twin.ts";

const MS = 1_000;
const ZONES: readonly string[] = ["AT", "BE", "DE-LU", "FR", "NL", "SE4"];

/** api.energy-charts.info: times in seconds, 404 without content, 422 for what it does not know, EUR for every zone. */
export class EnergyChartsTwin extends MarketTwin {
  readonly hosts = ["api.energy-charts.info"];

  protected answer({ method, url }: AskedOfTwin): SimWebAnswer {
    if (method !== "GET" || url.pathname !== "/price") return jsonAnswer({ detail: "Not Found" }, 404);
    const { searchParams } = url;
    const [start, end] = ["start", "end"].map((name) => Number(searchParams.get(name) ?? Number.NaN));
    if (!ZONES.includes(searchParams.get("bzn") ?? "") || start === undefined || !(start <= (end ?? Number.NaN))) {
      return jsonAnswer({ detail: [{ loc: ["query"], msg: "value is not valid", type: "enum" }] }, 422);
    }
    // The end is inclusive.
    const found = this.book.published(start * MS, (end ?? start) * MS + 1).filter(({ fromMs }) => fromMs >= start * MS);
    if (found.length === 0) return jsonAnswer({ detail: "no content available" }, 404);
    return jsonAnswer({
      license_info: "CC BY 4.0 (creativecommons.org/licenses/by/4.0) from Bundesnetzagentur | SMARD.de",
      unix_seconds: found.map(({ fromMs }) => fromMs / MS),
      price: found.map(({ price }) => Number(price)),
      unit: "EUR / MWh",
      deprecated: false,
    });
  }
}
