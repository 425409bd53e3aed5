/**
 * What a process imports that runs a gateway on a real machine: the machine's ports, and the adapters and sources that
 * come with hemgate. `hemgate` itself has `createGateway` and `configSchema`.
 */
export { FORECAST_SOURCES } from "../adapters/forecasts/sources.ts";
export { MARKETS } from "../adapters/prices/markets.ts";
export { ADAPTERS } from "./cli/adapters.ts";
export { contained, endFailedAdapter } from "./platform/node/contained-adapter.ts";
export { type NodePlatformOptions, nodePlatform } from "./platform/node/node-platform.ts";
export { zstd } from "./platform/node/zstd.ts";
