/**
 * Solcast for home users, after docs.solcast.com.au: half hours that are named by their end, kW, ten requests a day of UTC,
 * and a 429 of another kind when many ask at once.
 */

import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { meanIrradiance, type SkyPlane } from "./sky.ts";

const HALF_HOUR_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const PATH = /^\/rooftop_sites\/([^/]+)\/forecasts$/;

export interface SolcastSite extends SkyPlane {
  readonly capacityKw: number;
}

export class SolcastTwin extends CloudTwin {
  override readonly hosts = ["api.solcast.com.au"];
  readonly keys = new Set(["solcast-key-1"]);
  readonly sites = new Map<string, SolcastSite>();
  perDay = 10;
  /** True: many ask at once. */
  isBusy = false;
  readonly #counts = new Map<number, number>();

  protected override answer({ url, request }: AskedOfTwin): SimWebAnswer {
    const key = /^Bearer (.+)$/.exec(request.headers["authorization"] ?? "")?.[1] ?? "";
    if (key === "") return refusal(400, "KeyRequired", "An API key must be specified.");
    if (!this.keys.has(key)) return refusal(403, "InvalidKey", "Invalid API key.");
    if (this.isBusy) return { status: 429, body: "" };
    const day = Math.floor(this.clock.nowMs() / DAY_MS);
    const count = (this.#counts.get(day) ?? 0) + 1;
    if (count > this.perDay) return this.limited();
    const site = this.sites.get(decodeURIComponent(PATH.exec(url.pathname)?.[1] ?? ""));
    if (site === undefined) return refusal(404, "SiteNotFound", "The specified site cannot be found.");
    this.#counts.set(day, count);
    return jsonAnswer({ forecasts: this.#forecasts(site, Number(url.searchParams.get("hours") ?? 48)) });
  }

  protected override limited(): SimWebAnswer {
    return refusal(429, "TooManyRequests", "You have exceeded your free daily limit.");
  }

  #forecasts(site: SolcastSite, hours: number): readonly unknown[] {
    const startMs = Math.floor(this.clock.nowMs() / HALF_HOUR_MS) * HALF_HOUR_MS;
    return Array.from({ length: hours * 2 }, (_, index) => {
      const endMs = startMs + (index + 1) * HALF_HOUR_MS;
      const kw = (meanIrradiance(endMs - HALF_HOUR_MS, endMs, site) / 1_000) * site.capacityKw;
      return {
        pv_estimate: rounded(kw * 0.8),
        pv_estimate10: rounded(kw * 0.3),
        pv_estimate90: rounded(kw * 0.9),
        period_end: new Date(endMs).toISOString().replace("Z", "0000Z"),
        period: "PT30M",
      };
    });
  }
}

function refusal(status: number, error_code: string, message: string): SimWebAnswer {
  return jsonAnswer({ response_status: { error_code, message } }, status);
}

function rounded(kw: number): number {
  return Math.round(kw * 10_000) / 10_000;
}
