import { stat } from "node:fs/promises";
import { codeOf } from "../../error-text.ts";

/** Returns whether something is at the path. Rejects with whatever keeps it from being looked at. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
