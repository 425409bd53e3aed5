/**
 * Texts about devices that an adapter keeps on the gateway's disk, such as the certificate that was trusted at the first
 * connection. They are deleted with the device.
 */
export interface DeviceNotes {
  /** Returns a text from memory; `null` if there is none with this name. */
  get(deviceId: string, name: string): string | null;
  /**
   * Stores a text; resolves when it is on disk. Rejects if the disk refuses it, and with a `DeviceError("rejected")` if the
   * name has more than 40 characters, the text more than 4,000, or the device eight other notes.
   */
  put(deviceId: string, name: string, text: string): Promise<void>;
}

/**
 * Texts about accounts that an adapter keeps on the gateway's disk, such as the tokens of a sign-in. A device belongs to the
 * account in its option `account`. Notes are deleted with the last device of the account, and at a start at which no device
 * names the account. The account `""` is the adapter itself; its notes stay.
 */
export interface AccountNotes {
  /** Returns a text from memory; `null` if there is none with this name. */
  get(account: string, name: string): string | null;
  /** Returns the names of an account's notes. */
  names(account: string): readonly string[];
  /**
   * Stores a text; resolves when it is on disk. Rejects if the disk refuses it, and with a `DeviceError("rejected")` if the
   * name has more than 100 characters, the text more than 16,000, or the account sixteen other notes.
   */
  put(account: string, name: string, text: string): Promise<void>;
  /** Deletes a note; resolves when it is gone from the disk, or if it never existed. */
  remove(account: string, name: string): Promise<void>;
}
