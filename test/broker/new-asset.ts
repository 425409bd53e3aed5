import type { Asset, AssetKind } from "../../src/domain/assets/asset.ts";
import { KIND_RULES } from "../../src/domain/assets/asset-kinds.ts";
import type { AssetSeed } from "../../src/domain/assets/asset-seed.ts";
import { POINT_UNITS, type PointName } from "../../src/points/points.ts";
import type { Control } from "../../src/sdk/driver.ts";

const CONTROLS: readonly Control[] = [
  { point: "battery.mode", values: ["SELF_RELIANCE", "IDLE"], holdMs: 60_000, safeDefault: "SELF_RELIANCE" },
  { point: "charger.enabled", holdMs: null, safeDefault: "as-found" },
  { point: "charger.maxCurrent", range: { min: 6, max: 32 }, holdMs: null, safeDefault: "as-found" },
  { point: "vehicle.enabled", holdMs: null, safeDefault: "as-found" },
  { point: "vehicle.maxCurrent", range: { min: 6, max: 32 }, holdMs: null, safeDefault: "as-found" },
  { point: "hvac.mode", values: ["OFF", "AUTO", "COOL", "HEAT"], holdMs: null, safeDefault: null },
  { point: "hvac.heatSetpoint", range: { min: 10, max: 25 }, holdMs: null, safeDefault: null },
  { point: "hvac.coolSetpoint", range: { min: 15, max: 30 }, holdMs: null, safeDefault: null },
];

/** An asset of a device with every point, and every control or none. */
export function newAsset(kind: AssetKind, controls: "all" | "none" = "all"): Asset {
  const points = Object.keys(POINT_UNITS) as PointName[];
  const identity = { manufacturer: "Maker", model: "Model", serial: "1", version: null };
  const seed: AssetSeed = {
    id: "6f1c2f5e-8c0a-4a53-9d6b-0d8e8f0c9a11",
    userId: "home",
    siteName: "Roof",
    timezone: "UTC",
    scopes: [],
    lastSeenMs: 0,
    installedAtMs: 0,
    device: { identity, vendors: ["MAKER"], points, controls: controls === "all" ? CONTROLS : [], unconfirmed: [] },
  };
  return KIND_RULES[kind].create(seed);
}
