import { isAbsolute, join } from "node:path";
import type { CliContext } from "./context.ts";

type Surroundings = Pick<CliContext, "environment" | "home" | "workingFolder">;

/**
 * Where the gateway keeps its memory: `--state`, else what systemd made for the service, else `HEMGATE_STATE`, else
 * below the user's folder.
 */
export function stateFolder(option: string | undefined, { environment, home, workingFolder }: Surroundings): string {
  // systemd lists several folders with colons between them when a unit asks for several; ours asks for one.
  const folder = option ?? environment["STATE_DIRECTORY"]?.split(":")[0] ?? environment["HEMGATE_STATE"];
  if (folder !== undefined && folder !== "") return isAbsolute(folder) ? folder : join(workingFolder, folder);
  const base = environment["XDG_STATE_HOME"] || join(home, ".local", "state");
  return join(base, "hemgate");
}

/** The folder of the sandbox, apart from that of a real house. */
export function sandboxFolder(option: string | undefined, surroundings: Surroundings): string {
  return stateFolder(option ?? join(surroundings.workingFolder, "state", "sandbox"), surroundings);
}

/** Where a running gateway answers the command line. */
export function controlSocketPath(folder: string): string {
  return join(folder, "control.sock");
}
