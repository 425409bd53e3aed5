import type { DeviceRecord } from "../../store/records.ts";

/** The devices that were added at run time: linked by users, or simulated; beside those of the configuration. */
export interface Fleet {
  list(): readonly DeviceRecord[];
  get(id: string): DeviceRecord | null;
  /** Stores the device, then starts it. Throws `bad-request` for options that its adapter refuses. */
  add(device: DeviceRecord): Promise<void>;
  /** Stores new options, name or scopes and restarts the device's connection; its assets keep their ids. */
  change(device: DeviceRecord): Promise<void>;
  /**
   * Stops devices at their safe values and forgets them: pending actions end with NOT_FOUND, assets go with `deleted`
   * events, unless the user is deauthorized. Unknown ids are passed over.
   */
  remove(ids: readonly string[]): Promise<void>;
}
