import { codeOf, errorText } from "../platform/error-text.ts";
import { FileError } from "../platform/node/files/text-file.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { CliError, EXIT } from "./exit-code.ts";

/**
 * Explains in one line why a gateway did not start; `null` if it is a bug of ours. `httpPort` is where the API was to
 * listen; `null` if nowhere.
 */
export function startFailure(error: unknown, folder: string, httpPort: number | null = null): CliError | null {
  const say = (message: string) => new CliError(EXIT.unavailable, message, { cause: error });
  if (error instanceof CliError) return error;
  if (error instanceof FileError) return say(error.message);
  if (error instanceof StorageError) return say(storageText(error, folder));
  const place = listenPlace(error);
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return say(`${place} is taken by another program; ${anotherPort(error, httpPort)}`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return say(`${place} is no address of this machine`);
    case "EACCES":
      return say(
        `${place} may not be opened by this user; ports below 1024 belong to the system; systemd/install.md says how`,
      );
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
      return `the state folder ${folder} cannot be used: ${message}${cause instanceof Error ? ` (${errorText(cause)})` : ""}`;
  }
}

/** How to go on where a port is taken. */
function anotherPort(error: unknown, httpPort: number | null): string {
  const port = listenError(error)?.port;
  const other = "choose another port in the configuration, or for the sandbox's devices with --twin-ports";
  if (port === undefined) return other;
  const choice = port === httpPort ? "choose another port with --port or http.port in the configuration" : other;
  return `${choice}, or stop that program (\`ss -ltnp 'sport = :${String(port)}'\` names it)`;
}

function listenPlace(error: unknown): string {
  const refused = listenError(error);
  return refused === null ? "the address to listen on" : `port ${String(refused.port)} on ${String(refused.address)}`;
}

/** Finds the address on which listening failed, as Node notes it on its error. */
function listenError(error: unknown): { readonly address: unknown; readonly port: unknown } | null {
  for (let at = error; at instanceof Error; at = at.cause) if ("address" in at && "port" in at) return at;
  return null;
}
