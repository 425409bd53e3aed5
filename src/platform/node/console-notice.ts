import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ConsoleNotice } from "../ports/console-notice-port.ts";
import { fileError, writePrivateFile } from "./files/text-file.ts";

/**
 * The file to which the Debian package's /etc/issue.d/hemgate.issue points, in the folder that systemd gives to the service.
 * agetty reads it as root. `null` without such a folder.
 */
export function consoleNotice(environment: Readonly<Record<string, string | undefined>>): ConsoleNotice | null {
  const [folder = ""] = environment["RUNTIME_DIRECTORY"]?.split(":") ?? [];
  if (folder === "") return null;
  const path = join(folder, "console.issue");
  return {
    async show(text) {
      try {
        if (text === null) await rm(path, { force: true });
        // agetty replaces what follows a backslash.
        else await writePrivateFile(path, text.replaceAll("\\", "\\\\"));
      } catch (error) {
        throw fileError(path, error);
      }
    },
  };
}
