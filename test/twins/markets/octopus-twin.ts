import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import { MarketTwin } from "./market-twin.ts";

const PATH = /^\/v1\/products\/([A-Z0-9-]+)\/electricity-tariffs\/E-1R-([A-Z0-9-]+)-[A-P]\/standard-unit-rates\/$/;
const PRODUCTS: readonly string[] = ["AGILE-24-10-01", "VAR-22-11-01"];
const DEFAULT_PAGE = 100;
const VAT = 1.05;

/** What a tariff costs for months: pence per kWh with tax, by way to pay. */
export interface FlatRate {
  readonly validFromMs: number;
  readonly incVat: number;
  readonly payment: string;
}

/** api.octopus.energy: rates in pence, newest first, in pages; a flat rate has no end. */
export class OctopusTwin extends MarketTwin {
  readonly hosts = ["api.octopus.energy"];
  /** Instead of the book's half hours. */
  flat: readonly FlatRate[] | null = null;

  protected answer({ method, url }: AskedOfTwin): SimWebAnswer {
    const [, product, ofTariff] = PATH.exec(url.pathname) ?? [];
    if (method !== "GET" || product === undefined || product !== ofTariff || !PRODUCTS.includes(product)) {
      return jsonAnswer({ detail: "Not found." }, 404);
    }
    const [from, to] = ["period_from", "period_to"].map((name) => Date.parse(url.searchParams.get(name) ?? ""));
    if (from === undefined || to === undefined || !(from < to)) return jsonAnswer({ period_from: ["Not valid"] }, 400);
    const results = this.flat === null ? this.#halfHours(from, to) : flatRates(this.flat);
    const page = Number(url.searchParams.get("page_size") ?? DEFAULT_PAGE);
    return jsonAnswer({ count: results.length, next: null, previous: null, results: results.slice(0, page) });
  }

  #halfHours(fromMs: number, toMs: number) {
    return this.book
      .published(fromMs, toMs)
      .map((slot) => ({
        value_exc_vat: Number(slot.price) / VAT,
        value_inc_vat: Number(slot.price),
        valid_from: secondOf(slot.fromMs),
        valid_to: secondOf(slot.toMs),
        payment_method: null,
      }))
      .reverse();
  }
}

function flatRates(rates: readonly FlatRate[]) {
  return rates.map(({ validFromMs, incVat, payment }) => ({
    value_exc_vat: incVat / VAT,
    value_inc_vat: incVat,
    valid_from: secondOf(validFromMs),
    valid_to: null,
    payment_method: payment,
  }));
}

function secondOf(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
