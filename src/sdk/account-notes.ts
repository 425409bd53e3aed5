/**
 * What an adapter keeps of the accounts that its devices are reached through, such as what a sign-in gave. A device is of
 * the account that its option `account` names. They go with the last device of the account, and at a start where no device
 * names it. The account `""` is the adapter itself: what is kept there stays.
 */
export interface AccountNotes {
  /** Null when there is none of that name. It answers from memory. */
  get(account: string, name: string): string | null;
  /** What there is of an account. */
  names(account: string): readonly string[];
  /**
   * Resolved: it is on disk. Rejects when the disk refuses, and with a `DeviceError("rejected")` when a name has more than
   * 100 characters, the text more than 16,000, or the account sixteen other notes.
   */
  put(account: string, name: string, text: string): Promise<void>;
  /** Resolved: it is gone from the disk, or was never there. */
  remove(account: string, name: string): Promise<void>;
}
