/**
 * Why a backup cannot be made or read.
 * - `foreign`: the file is no backup of hemgate.
 * - `newer`: a later version of hemgate wrote it.
 * - `passphrase`: it does not open with this passphrase.
 * - `cut`: its end is missing.
 * - `changed`: its bytes are not what was written.
 */
export type BackupErrorKind = "foreign" | "newer" | "passphrase" | "cut" | "changed";

/** A failure to read a backup; the message says what is wrong with it and what to do, for people. */
export class BackupError extends Error {
  override readonly name = "BackupError";
  readonly kind: BackupErrorKind;

  constructor(kind: BackupErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
