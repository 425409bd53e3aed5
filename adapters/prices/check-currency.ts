import { MarketError } from "hemgate/sdk";

/** Throws a `MarketError("refused")` where a source tells prices in another currency than the configured one. */
export function checkCurrency(reported: string, configured: string): void {
  if (reported === configured) return;
  const shown = /^[A-Z]{3}$/.test(reported) ? reported : "another currency";
  throw new MarketError("refused", `has prices in ${shown}, but pricing.currency is ${configured}`);
}
