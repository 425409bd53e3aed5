import type { AssetKind } from "../../domain/assets/asset.ts";
import type { DeviceRecord, Write } from "../../store/records.ts";

/** A configured device of which the user unlinked some or all kinds of assets. */
export interface UnlinkedDevice {
  readonly deviceId: string;
  readonly userId: string;
  readonly name: string | null;
  readonly kinds: readonly AssetKind[];
}

/** The devices that were added at run time: linked by users, or simulated. Configured devices are not in it. */
export interface Fleet {
  list(): readonly DeviceRecord[];
  get(id: string): DeviceRecord | null;
  /** Stores a device and starts it. Throws `bad-request` for options that its adapter refuses. */
  add(device: DeviceRecord): Promise<void>;
  /**
   * Stores new and changed devices together with `writes` in one commit, then starts them. Restores the authorization of
   * their users, and of devices whose credentials were deleted. Throws as `add` does.
   */
  addAll(devices: readonly DeviceRecord[], writes?: readonly Write[]): Promise<void>;
  /**
   * Stores new options, name or scopes and restarts the device; its assets keep their ids. Removes assets whose kinds the
   * scopes no longer grant. Throws `not-found`, and `bad-request` as `add` does.
   */
  change(device: DeviceRecord): Promise<void>;
  /** Stores a changed record without restarting the device. Throws as `change` does. */
  keep(device: DeviceRecord): Promise<void>;
  /**
   * Stops devices at their safe values and removes them: pending actions end with NOT_FOUND, and assets are removed with
   * `deleted` events, unless the user is deauthorized. Ignores unknown ids.
   */
  remove(ids: readonly string[], writes?: readonly Write[]): Promise<void>;
  /** Reconnects devices at once, without waiting for a backoff. Ignores unknown ids. */
  restart(ids: readonly string[]): Promise<void>;
  /**
   * Restarts a device after `writes` changed which kinds of its assets are shown. Removes the assets of the kinds in
   * `leaving`; kinds that are shown again are discovered again. All in one commit; if it fails, nothing changes.
   */
  reshow(deviceId: string, leaving: readonly AssetKind[], writes: readonly Write[]): Promise<void>;
  /** Returns the configured devices that users unlinked. */
  unlinked(): readonly UnlinkedDevice[];
  /** Links configured devices again, with the configured scopes. Ignores unknown ids. */
  relink(deviceIds: readonly string[], writes?: readonly Write[]): Promise<void>;
}
