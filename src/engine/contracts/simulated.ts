import type { AssetKind } from "../../domain/assets/asset.ts";
import type { SimulatedDevice, SimulatedSupply } from "../../domain/sandbox/simulated.ts";
import type { NewSimulated, SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";

/** A made-up device with whom it is linked to. */
export interface SimulatedEntry {
  readonly device: SimulatedDevice;
  /** Null: it is linked to nobody. */
  readonly userId: string | null;
  /** The asset that shows it; null before its first answer. */
  readonly assetId: string | null;
}

/** Made-up devices for trying things out; only in a sandbox. They go on over restarts. */
export interface Simulated {
  get(kind: AssetKind, id: string): SimulatedEntry | null;
  /** Newest created first, then by id. */
  list(kind: AssetKind): readonly SimulatedEntry[];
  /**
   * Makes a device; with a user it is linked at once, and its asset is there soon. Throws `bad-request` for a vendor that
   * the kind does not have and for a user id that cannot be one.
   */
  create(kind: AssetKind, fields: NewSimulated): Promise<SimulatedEntry>;
  /** Throws `not-found`, and `bad-request` for a charger that a vehicle cannot hang on. */
  change(kind: AssetKind, id: string, changes: SimulatedChanges): Promise<SimulatedEntry>;
  /** As `RunningSimulation.supply`. */
  supply(vehicleId: string, supply: SimulatedSupply | null): void;
  /** The device is gone, as one that its owner sold: with its assets. Throws `not-found`. */
  remove(kind: AssetKind, id: string): Promise<void>;
}
