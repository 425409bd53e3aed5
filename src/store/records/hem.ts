/** A system that the gateway made of a user's devices at one place; its id is for good. */
export interface HemRecord {
  readonly id: string;
  readonly userId: string;
  readonly locationId: string | null;
  readonly createdAtMs: number;
  /** Wall-clock ms of the last change of what it is. */
  readonly changedAtMs: number;
}

/** A device whose history has to go: its owner was removed. It is dropped until that is done. */
export interface ForgottenRecord {
  readonly deviceId: string;
}
