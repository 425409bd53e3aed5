/** The permanent id of the gateway in the network. */
export interface GatewayRecord {
  readonly id: string;
}

/** A device that was found at another address than in its configuration or link. */
export interface MovedDeviceRecord {
  readonly deviceId: string;
  readonly serial: string;
  /** Options that replace those of the device. */
  readonly place: Readonly<Record<string, unknown>>;
  /**
   * The replaced options as configured or linked, `null` for a missing one. The record applies as long as they are
   * unchanged.
   */
  readonly was: Readonly<Record<string, unknown>>;
  /** Wall-clock ms. */
  readonly movedAtMs: number;
}
