import { codeOf } from "../platform/node/error-code.ts";
import { FileError } from "../platform/node/text-file.ts";
import { StorageError } from "../platform/storage-error.ts";
import { CliError, EXIT } from "./exit-code.ts";

/** Why a gateway did not start, in one line for whoever started it; null for what is a bug of ours. */
export function startFailure(error: unknown, folder: string): CliError | null {
  const say = (message: string) => new CliError(EXIT.unavailable, message, { cause: error });
  if (error instanceof CliError) return error;
  if (error instanceof FileError) return say(error.message);
  if (error instanceof StorageError) return say(storageText(error, folder));
  const place = listenPlace(error);
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return say(`${place} is taken by another program; choose another port, or stop that program`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return say(`${place} is no address of this machine`);
    case "EACCES":
      return say(`${place} may not be opened by this user; ports below 1024 belong to the system`);
    default:
      return null;
  }
}

function storageText({ kind, message, cause }: StorageError, folder: string): string {
  switch (kind) {
    case "locked":
      return `another gateway runs on the state folder ${folder}; stop it, or give this one its own with --state`;
    case "newer":
      return `the state folder ${folder} was written by a newer hemgate (${message}); start that one`;
    case "damaged":
    case "refused":
      return `the state folder ${folder} cannot be used: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}`;
  }
}

/** The address that a listener wanted, as Node notes it on its error. */
function listenPlace(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("address" in at && "port" in at) return `port ${String(at.port)} on ${String(at.address)}`;
  }
  return "the address to listen on";
}
