/** A charger and a vehicle that charged at it. */
export interface PairingRecord {
  readonly chargerId: string;
  readonly vehicleId: string;
  /** Wall-clock ms. */
  readonly establishedAtMs: number;
  /** True while the two are connected, as far as is known. */
  readonly isActive: boolean;
}
