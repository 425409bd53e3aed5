/** The adapters, markets and forecast services that come with hemgate, for a program that embeds a gateway: `hemgate/adapters`. */
export { FORECAST_SOURCES } from "../adapters/forecasts/sources.ts";
export { MARKETS } from "../adapters/prices/markets.ts";
export { ADAPTERS } from "./cli/adapters.ts";
