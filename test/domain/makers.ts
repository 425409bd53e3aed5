import type { AssetSeed, KnownDevice } from "../../src/domain/assets/asset-seed.ts";

export function makeSeed(device: Partial<KnownDevice> = {}, change: Partial<AssetSeed> = {}): AssetSeed {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    userId: "home",
    scopes: [],
    siteName: "Home battery",
    timezone: "Europe/Berlin",
    lastSeenMs: 0,
    installedAtMs: 0,
    device: {
      identity: { manufacturer: null, model: null, serial: null, version: null },
      vendors: ["SUNSPEC"],
      points: [],
      controls: [],
      ...device,
    },
    ...change,
  };
}
