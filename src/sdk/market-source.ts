/**
 * What a source of market prices is: a description without I/O. The gateway asks at the right times, keeps the answers,
 * and reckons what a consumer pays.
 */

/** A day of a market, midnight to midnight on the market's wall clock. */
export interface MarketDay {
  /** Such as `2026-03-29`. */
  readonly date: string;
  /** Ms since 1970, inclusive. */
  readonly fromMs: number;
  /** Ms since 1970, exclusive: 23 to 25 hours after `fromMs`. */
  readonly toMs: number;
}

/** A price as the source tells it. */
export interface MarketPrice {
  /** Ms since 1970, inclusive. */
  readonly fromMs: number;
  /** Ms since 1970, exclusive. */
  readonly toMs: number;
  /** A decimal number in text, in the market's unit; negative prices are prices. */
  readonly price: string;
}

/** A request for the prices of one day. Its URL, headers and body may hold a key, so none of them is ever logged. */
export interface MarketRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: string | null;
}

export interface MarketAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * Why an answer has no prices.
 * - `refused`: asking the same again has no use before somebody changes the configuration: a key or a zone is wrong.
 * - `rate-limited`: the source wants fewer requests.
 * - `unavailable`: the source itself cannot answer now.
 * - `malformed`: the answer is not what the source documents.
 */
export type MarketErrorKind = "refused" | "rate-limited" | "unavailable" | "malformed";

/**
 * What is wrong with an answer. The message holds no key, quotes nothing of the answer, and goes on after the host's name:
 * "refuses the token".
 */
export class MarketError extends Error {
  override readonly name = "MarketError";
  readonly kind: MarketErrorKind;

  constructor(kind: MarketErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Prices of one place in one currency. */
export interface Market {
  /** IANA zone of the market's days. */
  readonly timezone: string;
  /** From when on, HH:MM on that wall clock the day before, a day's prices are usually there. */
  readonly publishedAt: string;
  /** What a price is divided by to be currency units per kWh: 1000 where it is per MWh, 100 where it is in cents. */
  readonly divisor: 1 | 100 | 1_000;
  /** `spot`: what energy costs at the exchange. `retail`: what the customer is billed, value-added tax in it. */
  readonly basis: "spot" | "retail";
  /** Whether days that are over can still be asked for. */
  readonly hasPast: boolean;
  request(day: MarketDay): MarketRequest;
  /** True: an answer below 500, and other than 2xx, says that there are no prices of the day yet. */
  isUnpublished?(answer: MarketAnswer): boolean;
  /**
   * The prices in a 2xx answer, in any order, those of other days included; none: not published yet. What is missing is a
   * gap. Throws a `MarketError`.
   */
  read(answer: MarketAnswer, day: MarketDay): readonly MarketPrice[];
}

/** What the configuration says about the prices. */
export interface MarketOptions {
  /** What the source knows the place by: a bidding zone, a tariff, a home. */
  readonly zone: string;
  /** The source's key; null: none. */
  readonly token: string | null;
  /** ISO 4217, alpha-3: what prices have to be in. */
  readonly currency: string;
}

/** What is wrong with the options. */
export interface MarketMistake {
  readonly field: "zone" | "token" | "currency";
  /** A sentence without its full stop, which quotes no key. */
  readonly problem: string;
  /** What would be right, where that is a short list. */
  readonly candidates?: readonly string[];
}

/** Where market prices come from. */
export interface MarketSource {
  /** How the configuration calls it. */
  readonly id: string;
  readonly displayName: string;
  /** Whose data it is and how it may be used, as the licence wants it named. */
  readonly attribution: string;
  open(options: MarketOptions): Market | MarketMistake;
}
