/** What the gateway is called among others in the network, for good. */
export interface GatewayRecord {
  readonly id: string;
}

/** A device that was found at another address than its configuration, or whoever linked it, says. */
export interface MovedDeviceRecord {
  readonly deviceId: string;
  readonly serial: string;
  /** Options that count in place of those it has. */
  readonly place: Readonly<Record<string, unknown>>;
  /** What these options are where it was configured or linked; null for one that is not there. The record counts as long. */
  readonly was: Readonly<Record<string, unknown>>;
  /** Wall-clock ms. */
  readonly movedAtMs: number;
}
