import type { Config } from "../config/config.ts";
import type { AssetKind } from "../domain/assets/asset.ts";
import type { KnownDevice } from "../domain/assets/asset-seed.ts";
import type { Clock, Http, Log, Random } from "../platform/ports/ports.ts";
import type { ForecastSource } from "../sdk/forecast-source.ts";
import type { RunningSimulation } from "../sdk/simulation.ts";
import type { Store } from "../store/store.ts";
import type { KnownAccount, Linker } from "./adapters/adapter-host.ts";
import type { AssetOverlays } from "./assets/asset-overlays.ts";
import type { Corrections } from "./checks/corrections.ts";
import type { Authorizations } from "./contracts/authorizations.ts";
import type { Actions, Assets, Engine } from "./contracts/engine.ts";
import type { Fleet } from "./contracts/fleet.ts";
import type { MarketPrices } from "./contracts/market.ts";
import type { PriceSource } from "./contracts/places.ts";
import type { UserRemovals, Users } from "./contracts/users.ts";
import type { DeviceSettings } from "./devices/device-settings.ts";
import type { DiscoveryParts } from "./discovery/discovery-service.ts";
import type { CountedPower, HousePowerPoint } from "./hem/power-track.ts";

/** Something of the engine that works by itself until the signal aborts. Its run never rejects. */
export interface EnginePart {
  run(signal: AbortSignal): Promise<void>;
  /** For a part that decides about control: how late its loop is, ms; negative while it is in time. */
  latenessMs?(): number;
}

/** A device as parts see it that reckon with what several devices tell. */
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
  Partial<Pick<Config, "discovery" | "forecast" | "linking" | "pricing" | "sandbox">>;

/** What the parts beside the devices are made of. */
export interface PartContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly assets: Assets;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
  readonly actions: Actions;
  readonly overlays: AssetOverlays;
  readonly fleet: Fleet;
  readonly users: Users;
  readonly userRemovals: UserRemovals;
  readonly authorizations: Authorizations;
  /** What an overlay says of an asset may have changed: of one asset, or of all. */
  refresh(asset?: { readonly kind: AssetKind; readonly id: string }): void;
  /** The fields of an asset that a part journals itself, in a commit with more, before it refreshes: no news after that. */
  amend(assetId: string, fields: object): void;
  /** The adapters at work whose vendors people can link. */
  readonly linkers: readonly Linker[];
  /** The accounts of all adapters as they are now. */
  readonly accounts: () => readonly KnownAccount[];
  readonly wellKnown: (path: string) => Promise<string | null>;
  /** The made-up devices; null outside of a sandbox. */
  readonly simulation: { readonly adapter: string; readonly simulation: RunningSimulation } | null;
  /** Market prices; null when there are none. */
  readonly priceSource: PriceSource | null;
  /** What keeps them, where the configuration says where they come from. */
  readonly market: (MarketPrices & EnginePart) | null;
  /** Who can be asked what the panels will give, and over what. */
  readonly forecast: { readonly http: Http; readonly sources: readonly ForecastSource[] };
  /** What was confirmed about how devices are to be read, and what they told lately. */
  readonly corrections: Corrections;
  readonly refreshHint: Engine["refreshHint"];
  readonly discovery: DiscoveryParts;
}
