/**
 * The exports for a program that runs a gateway on a real machine: the platform ports of Node, and the adapters and sources
 * that come with hemgate. `createGateway` and `configSchema` are exports of `hemgate`.
 */
export { FORECAST_SOURCES } from "../adapters/forecasts/sources.ts";
export { MARKETS } from "../adapters/prices/markets.ts";
export { ADAPTERS } from "./cli/adapters.ts";
export { contained, endFailedAdapter } from "./platform/node/foreign/contained-adapter.ts";
export { type NodePlatformOptions, nodePlatform } from "./platform/node/node-platform.ts";
export { nodeTlsListen } from "./platform/node/tls-listener.ts";
export { zstd } from "./platform/node/zstd.ts";
