import type { AssetKind } from "../../domain/assets/asset.ts";
import type { DeviceRecord, Write } from "../../store/records.ts";

/** A device of the configuration, some or all of whose assets its user unlinked. */
export interface UnlinkedDevice {
  readonly deviceId: string;
  readonly userId: string;
  readonly name: string | null;
  readonly kinds: readonly AssetKind[];
}

/** The devices that were added at run time: linked by users, or simulated; beside those of the configuration. */
export interface Fleet {
  list(): readonly DeviceRecord[];
  get(id: string): DeviceRecord | null;
  /** Stores the device, then starts it. Throws `bad-request` for options that its adapter refuses. */
  add(device: DeviceRecord): Promise<void>;
  /**
   * Stores several devices, new ones and changed ones, and what belongs with them (a link session that is used up) in
   * one commit, then starts them. Their users' authorization counts as given again, and so does that of a device whose
   * credentials were deleted. Throws as `add` does.
   */
  addAll(devices: readonly DeviceRecord[], writes?: readonly Write[]): Promise<void>;
  /**
   * Stores new options, name or scopes and restarts the device's connection; its assets keep their ids. Assets of kinds
   * that the scopes no longer grant go. Throws `not-found`, and `bad-request` as `add` does.
   */
  change(device: DeviceRecord): Promise<void>;
  /** Stores what the running device already is: no restart. Throws as `change` does. */
  keep(device: DeviceRecord): Promise<void>;
  /**
   * Stops devices at their safe values and forgets them: pending actions end with NOT_FOUND, assets go with `deleted`
   * events, unless the user is deauthorized. Unknown ids are passed over.
   */
  remove(ids: readonly string[], writes?: readonly Write[]): Promise<void>;
  /** Connects devices anew, at once; no pause after failures is waited for. Unknown ids are passed over. */
  restart(ids: readonly string[]): Promise<void>;
  /**
   * Begins a device anew after `writes` changed which kinds of its assets are shown. Those of `leaving` go as `remove`
   * has it; those that are shown again are discovered again. One commit; when the disk refuses, all is as before.
   */
  reshow(deviceId: string, leaving: readonly AssetKind[], writes: readonly Write[]): Promise<void>;
  /** The configured devices that users unlinked. */
  unlinked(): readonly UnlinkedDevice[];
  /** Links configured devices again, as the configuration says them. Unknown ids are passed over. */
  relink(deviceIds: readonly string[], writes?: readonly Write[]): Promise<void>;
}
