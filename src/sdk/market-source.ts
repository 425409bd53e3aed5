/**
 * A source of market prices, as a description without I/O. The gateway sends the requests at the right times, stores the
 * prices, and calculates what a consumer pays.
 */

/** A day of a market, from midnight to midnight in the market's time zone. */
export interface MarketDay {
  /** Date such as `2026-03-29`. */
  readonly date: string;
  /** Milliseconds since 1970, inclusive. */
  readonly fromMs: number;
  /** Milliseconds since 1970, exclusive: 23 to 25 hours after `fromMs`. */
  readonly toMs: number;
}

/** A price as the source publishes it. */
export interface MarketPrice {
  /** Milliseconds since 1970, inclusive. */
  readonly fromMs: number;
  /** Milliseconds since 1970, exclusive. */
  readonly toMs: number;
  /** Price in the market's unit, a decimal number as text; it may be negative. */
  readonly price: string;
}

/** A request for the prices of one day. Its URL, headers and body may contain a key, so they are never logged. */
export interface MarketRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `null` if there is none. */
  readonly body: string | null;
}

/** A response of the source. */
export interface MarketAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * Why a response has no prices.
 * - `refused`: a key or a zone is wrong; the same request fails until the configuration is changed.
 * - `rate-limited`: the source received too many requests.
 * - `unavailable`: the source cannot answer now.
 * - `malformed`: the response is not as the source documents it.
 */
export type MarketErrorKind = "refused" | "rate-limited" | "unavailable" | "malformed";

/**
 * An error about a response. The message contains no key and nothing of the response, and continues a sentence that begins
 * with the host's name, such as "refuses the token".
 */
export class MarketError extends Error {
  override readonly name = "MarketError";
  readonly kind: MarketErrorKind;

  constructor(kind: MarketErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The prices of one zone in one currency. */
export interface Market {
  /** IANA time zone of the market's days. */
  readonly timezone: string;
  /** The time at which the prices of the next day are usually published, HH:MM in that time zone. */
  readonly publishedAt: string;
  /** Divisor that converts a price to currency units per kWh: 1000 for prices per MWh, 100 for prices in cents. */
  readonly divisor: 1 | 100 | 1_000;
  /** `spot`: the price at the exchange. `retail`: the price that the customer pays, with value-added tax. */
  readonly basis: "spot" | "retail";
  /** True if the prices of past days can be requested. */
  readonly hasPast: boolean;
  /** Returns the request for a day. */
  request(day: MarketDay): MarketRequest;
  /** Returns true if a response with a status below 500 other than 2xx means that the prices are not published yet. */
  isUnpublished?(answer: MarketAnswer): boolean;
  /**
   * Returns the prices of a 2xx response in any order, also those of other days; none if they are not published yet. Throws
   * a `MarketError`.
   */
  read(answer: MarketAnswer, day: MarketDay): readonly MarketPrice[];
}

/** The settings of the prices in the configuration. */
export interface MarketOptions {
  /** The zone as the source names it: a bidding zone, a tariff, a home. */
  readonly zone: string;
  /** The source's API key; `null` if there is none. */
  readonly token: string | null;
  /** ISO 4217 code of the currency that the prices must have. */
  readonly currency: string;
}

/** An error in the settings. */
export interface MarketMistake {
  readonly field: "zone" | "token" | "currency";
  /** A sentence without its full stop, and without a key. */
  readonly problem: string;
  /** The valid values, if there are few. */
  readonly candidates?: readonly string[];
}

/** A source of market prices. */
export interface MarketSource {
  /** The name in the configuration. */
  readonly id: string;
  /** The name for users. */
  readonly displayName: string;
  /** Author and licence of the data, in the form that the licence requires. */
  readonly attribution: string;
  /** Returns the market for the settings, or what is wrong with them. */
  open(options: MarketOptions): Market | MarketMistake;
}
