import type { Config } from "../config/config.ts";
import type { AssetKind } from "../domain/assets/asset.ts";
import type { KnownDevice } from "../domain/assets/asset-seed.ts";
import type { DeviceSettings } from "./devices/device-settings.ts";
import type { CountedPower, HousePowerPoint } from "./hem/power-track.ts";

/** Something of the engine that works by itself until the signal aborts. Its run never rejects. */
export interface EnginePart {
  run(signal: AbortSignal): Promise<void>;
  /** For a part that decides about control: how late its loop is, ms; negative while it is in time. */
  latenessMs?(): number;
}

/** A device as seen by the parts that calculate from the readings of several devices. */
export interface TellingDevice {
  readonly settings: Pick<DeviceSettings, "id" | "userId" | "name" | "installedOn">;
  /** Null before it was ever connected. */
  readonly known: KnownDevice | null;
  /**
   * A power as it was at a moment, monotonic ms; null from a device that is silent or could not tell, and where what was
   * measured by then was old.
   */
  powerAt(point: HousePowerPoint, tickMs: number): CountedPower | null;
}

/** The parts of the configuration that the engine reads. */
export type EngineConfig = Pick<Config, "site" | "devices"> &
  Partial<Pick<Config, "discovery" | "forecast" | "gridLimits" | "linking" | "pricing" | "sandbox">>;

/** What an overlay says of an asset may have changed: of one asset, or of all. */
export type RefreshAssets = (asset?: { readonly kind: AssetKind; readonly id: string }) => void;
