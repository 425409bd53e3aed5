import { addKey } from "../../platform/node/files/secret-key-file.ts";
import { FileError } from "../../platform/node/files/text-file.ts";
import { secretKeyId } from "../../store/record-codec.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { keySource, presentKeys } from "../secret-keys.ts";

export interface RotateOptions {
  readonly folder: string;
  readonly keyFile: string | undefined;
  readonly isJson: boolean;
}

/**
 * `hemgate secrets rotate`: puts a new key before those of the key file. The gateway seals everything with it when it is
 * started next, and takes the older ones out then. A file that is named and missing is made.
 */
export async function rotateSecrets(
  { folder, keyFile, isJson }: RotateOptions,
  context: CliContext,
): Promise<ExitCode> {
  const source = keySource(keyFile, folder, context);
  if (source.kind === "credential") {
    throw new CliError(EXIT.usage, `${source.path} is a copy that systemd made; name its source with --key-file`);
  }
  try {
    if (source.kind === "default" && (await presentKeys(source)).length === 0) {
      throw new CliError(EXIT.unavailable, `${source.path} does not exist; name the key file with --key-file`);
    }
    const keys = (await addKey(source.path)).map(secretKeyId);
    context.out(isJson ? JSON.stringify({ file: source.path, keys }) : rotatedText(source.path, keys));
    return EXIT.ok;
  } catch (error) {
    if (error instanceof FileError) throw new CliError(EXIT.unavailable, error.message, { cause: error });
    throw error;
  }
}

function rotatedText(path: string, [first = "", ...older]: readonly string[]): string {
  const made = `${path} has a new key ${first}.`;
  if (older.length === 0) return made;
  return `${made} Restart the gateway: it seals everything with the new key.\nUntil then the older keys stay: ${older.join(", ")}.`;
}
