import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, jsonAnswer } from "../clouds/cloud-twin.ts";
import type { MarketBook } from "./market-book.ts";
import { MarketTwin } from "./market-twin.ts";

export interface TibberCustomer {
  readonly token: string;
  readonly homeId: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** api.tibber.com: GraphQL, errors in a 200, today and tomorrow by the home's clock, tomorrow empty until it is known. */
export class TibberTwin extends MarketTwin {
  readonly hosts = ["api.tibber.com"];
  readonly #customer: TibberCustomer;
  hasSubscription = true;

  constructor(clock: Clock, book: MarketBook, customer: TibberCustomer) {
    super(clock, book);
    this.#customer = customer;
  }

  protected answer({ method, url, json, request }: AskedOfTwin): SimWebAnswer {
    if (method !== "POST" || url.pathname !== "/v1-beta/gql") return { status: 404 };
    const asked = JSON.stringify(json);
    if (!asked.includes("viewer") || !asked.includes("QUARTER_HOURLY")) return jsonAnswer(failure("BAD_REQUEST"), 400);
    const { token, homeId } = this.#customer;
    if (request.headers["authorization"] !== `Bearer ${token}`) return jsonAnswer(failure("UNAUTHENTICATED"));
    if (!asked.includes(homeId)) return jsonAnswer(failure("BAD_USER_INPUT"));
    const today = this.book.dateAt(this.clock.nowMs());
    const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
    const priceInfo = { today: this.#day(today), tomorrow: this.#day(tomorrow) };
    const currentSubscription = this.hasSubscription ? { priceInfo } : null;
    return jsonAnswer({ data: { viewer: { home: { currentSubscription } } } });
  }

  #day(date: string) {
    if (this.book.publishedMs(date) > this.clock.nowMs()) return [];
    return this.book.day(date).map(({ fromMs, price }) => ({
      total: Number((Number(price) / 1_000).toFixed(5)),
      startsAt: localText(fromMs, this.book.zone),
      currency: this.#customer.currency,
    }));
  }
}

function failure(code: string) {
  return { errors: [{ message: "Something is wrong", extensions: { code } }], data: null };
}

/** Such as `2026-11-20T00:00:00.000+01:00`. */
function localText(ms: number, zone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return at.toString({ fractionalSecondDigits: 3, timeZoneName: "never" });
}
