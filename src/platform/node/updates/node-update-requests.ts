/** Requests to hemgate-update-request.path: empty files in the state folder, which root removes when it takes them. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../error-text.ts";
import type { UpdateRequest, UpdateRequests } from "../../ports/update-requests-port.ts";
import { fileError } from "../files/text-file.ts";

/** Where the Debian package has the program. */
export const PACKAGE_FOLDER = "/usr/lib/hemgate";
/** The state folder of its service, which root's unit watches, by either name. */
const WATCHED_FOLDERS: readonly string[] = ["/var/lib/hemgate", "/var/lib/private/hemgate"];
const REQUESTS: readonly UpdateRequest[] = ["check", "install"];
const OWNER_ONLY = 0o600;

/** `undefined` where no unit of the Debian package takes requests: a program of this root with this state folder. */
export function updateRequestsOf(root: string, stateFolder: string): UpdateRequests | undefined {
  return root === PACKAGE_FOLDER && WATCHED_FOLDERS.includes(stateFolder) ? nodeUpdateRequests(stateFolder) : undefined;
}

export function nodeUpdateRequests(stateFolder: string): UpdateRequests {
  return {
    async request(what) {
      const path = requestPath(stateFolder, what);
      try {
        await writeFile(path, "", { flag: "wx", mode: OWNER_ONLY });
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw fileError(path, error);
        const why = "the last request is still there: hemgate-update-request.path of the Debian package takes them";
        throw new Error(`${why}; \`systemctl status hemgate-update-request.path\` says whether it runs`, {
          cause: error,
        });
      }
    },
  };
}

/** Removes the requests that are there, and returns them. */
export async function takeUpdateRequests(stateFolder: string): Promise<readonly UpdateRequest[]> {
  const taken: UpdateRequest[] = [];
  for (const what of REQUESTS) {
    try {
      await rm(requestPath(stateFolder, what));
      taken.push(what);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw fileError(requestPath(stateFolder, what), error);
    }
  }
  return taken;
}

function requestPath(stateFolder: string, what: UpdateRequest): string {
  return join(stateFolder, `update.${what}`);
}
