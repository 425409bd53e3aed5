/** What the commands about backups share. */
import { resolve } from "node:path";
import { readTextFile } from "../../platform/node/files/text-file.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../exit-code.ts";
import { startFailure } from "../start-failure.ts";

const VARIABLE = "HEMGATE_BACKUP_PASSPHRASE";

/**
 * The passphrase: the first line of the file, else the environment's. It is no option, because other users of the machine see
 * command lines. Throws a `CliError`.
 */
export async function passphraseOf(
  file: string | undefined,
  { environment, workingFolder }: Pick<CliContext, "environment" | "workingFolder">,
): Promise<string> {
  if (file !== undefined) {
    const [line = ""] = (await readTextFile(resolve(workingFolder, file))).split("\n");
    if (line.trim() !== "") return line.trim();
    throw new CliError(EXIT.usage, `${file} has no passphrase in its first line`);
  }
  const passphrase = environment[VARIABLE];
  if (passphrase !== undefined && passphrase !== "") return passphrase;
  throw new CliError(EXIT.usage, `name a file with the passphrase by --passphrase-file, or set ${VARIABLE}`);
}

/** Ends the command with what is wrong with a backup, its file or the state folder. */
export function backupFailure(error: unknown, folder: string): unknown {
  if (error instanceof BackupError) return new CliError(EXIT.failed, error.message, { cause: error });
  if (error instanceof StorageError && error.kind === "locked") {
    const message = `a gateway runs on the state folder ${folder}; stop it first, such as with \`systemctl stop hemgate\``;
    return new CliError(EXIT.unavailable, message, { cause: error });
  }
  return startFailure(error, folder) ?? error;
}

/** `12.3 MB`. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = 1_000;
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return power === 0 ? `${bytes} bytes` : `${(bytes / step ** power).toFixed(1)} ${units[power]}`;
}
