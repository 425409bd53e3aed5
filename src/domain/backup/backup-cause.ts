/** Why a backup was not made, read or uploaded, as a code that pages have a sentence for. */
import { z } from "zod";

export const BACKUP_CAUSES = [
  "passphrase",
  "damaged",
  "full",
  "no-access",
  "not-found",
  "no-such-host",
  "unreachable",
  "untrusted",
  "timeout",
  "unauthorized",
  "address-refused",
  "broken",
  "rejected",
  "stopped",
  "other",
] as const;
export type BackupCause = (typeof BACKUP_CAUSES)[number];

export const BackupCauseView = z.enum(BACKUP_CAUSES).nullable().meta({
  description:
    "Why it failed; `null` if it did not. `passphrase`: the file does not open with it. `damaged`: the file is cut or changed. `full`: the disk, here or at the server. `no-access`: the gateway may not write in the folder. `not-found`: no such file, or no WebDAV folder there. `untrusted`: the certificate is not valid. `unauthorized`: the server refuses the account. `stopped`: the gateway stopped meanwhile.",
});
