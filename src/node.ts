/**
 * The exports for a program that runs a gateway on a real machine: the platform ports of Node. `createGateway` and
 * `configSchema` are exports of `hemgate`.
 */
// What `hemgate/adapters` exports was here only, and stays for programs that import it from here.
export { ADAPTERS, FORECAST_SOURCES, MARKETS } from "./adapters.ts";
export { contained, endFailedAdapter } from "./platform/node/foreign/contained-adapter.ts";
export { type NodePlatformOptions, nodePlatform } from "./platform/node/node-platform.ts";
export { nodeTlsListen } from "./platform/node/tls-listener.ts";
export { zstd } from "./platform/node/zstd.ts";
