/** Where the recordings of devices are. They are not part of the repository. */
import { join } from "node:path";

/** The folder that `HEMGATE_FIXTURES` names; undefined where there are no recordings. */
export const RECORDINGS = process.env["HEMGATE_FIXTURES"];

/** The path of a recording, or of a folder of them. */
export function recordingAt(path: string): string {
  if (RECORDINGS === undefined) throw new Error("Set HEMGATE_FIXTURES to the folder of recordings.");
  return join(RECORDINGS, path);
}
