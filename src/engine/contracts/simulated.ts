import type { AssetKind } from "../../domain/assets/asset.ts";
import type { SimulatedDevice, SimulatedSupply } from "../../domain/sandbox/simulated.ts";
import type { NewSimulated, SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";

/** A simulated device with its user. */
export interface SimulatedEntry {
  readonly device: SimulatedDevice;
  /** `null` if it is not linked. */
  readonly userId: string | null;
  /** Its asset; `null` before its first answer. */
  readonly assetId: string | null;
}

/** The simulated devices of a sandbox. They continue after restarts. */
export interface Simulated {
  get(kind: AssetKind, id: string): SimulatedEntry | null;
  /** Returns the devices of a kind; newest created first, then by id. */
  list(kind: AssetKind): readonly SimulatedEntry[];
  /**
   * Creates a device; with a user id it is linked at once, and its asset appears within seconds. Throws `bad-request` for a
   * vendor that the kind does not have, and for an invalid user id.
   */
  create(kind: AssetKind, fields: NewSimulated): Promise<SimulatedEntry>;
  /** Changes a device. Throws `not-found`, and `bad-request` if a vehicle cannot be plugged into the charger. */
  change(kind: AssetKind, id: string, changes: SimulatedChanges): Promise<SimulatedEntry>;
  /** As `RunningSimulation.supply`. */
  supply(vehicleId: string, supply: SimulatedSupply | null): void;
  /** Deletes a device with its assets. Throws `not-found`. */
  remove(kind: AssetKind, id: string): Promise<void>;
}
