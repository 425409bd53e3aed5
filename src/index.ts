/** The exports for a program that embeds the gateway. */
export { BASE_CONFIG, type Config, configSchema, type DeviceConfig } from "./config/config.ts";
export type { Action, DesiredSetting } from "./domain/actions/action.ts";
export type { Asset, AssetKind, AssetTypes } from "./domain/assets/asset.ts";
export type { Battery } from "./domain/assets/battery.ts";
export type { Charger } from "./domain/assets/charger.ts";
export type { Inverter } from "./domain/assets/inverter.ts";
export type { Meter } from "./domain/assets/meter.ts";
export { ProblemError } from "./domain/problem.ts";
export type {
  Actions,
  AssetEntry,
  Assets,
  CancelOutcome,
  DeviceStatus,
  Engine,
  Readiness,
} from "./engine/contracts/engine.ts";
export { createGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
export type * from "./platform/ports/ports.ts";
