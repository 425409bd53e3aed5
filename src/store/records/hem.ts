/** An energy system that the gateway formed from a user's devices at one location; its id is permanent. */
export interface HemRecord {
  readonly id: string;
  readonly userId: string;
  readonly locationId: string | null;
  readonly createdAtMs: number;
  /** Wall-clock ms of its last change. */
  readonly changedAtMs: number;
}

/** A removed device whose history is still to be deleted. */
export interface ForgottenRecord {
  readonly deviceId: string;
}
