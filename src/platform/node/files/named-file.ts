/** Looks at files that a configuration names, before anything needs them. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";
import { FileError, fileError, readTextFile } from "./text-file.ts";

export type NamedFile = "certificate" | "private key" | "text" | "serial port";

/** Why a file cannot be used as what it is named for, in words; `null` if it can. No content of it is repeated. */
export async function fileProblem(path: string, kind: NamedFile): Promise<string | null> {
  try {
    if (kind === "serial port") {
      return (await stat(path)).isCharacterDevice() ? null : `${path} is not a serial port`;
    }
    const text = await readTextFile(path);
    if (kind === "text") return text.trim() === "" ? `${path} is empty` : null;
    return isPem(text, kind) ? null : `${path} holds no ${kind} in PEM`;
  } catch (error) {
    const failure = error instanceof FileError ? error : fileError(path, error);
    return failure.message;
  }
}

function isPem(text: string, kind: "certificate" | "private key"): boolean {
  if (!text.includes("-----BEGIN ")) return false;
  try {
    if (kind === "certificate") new X509Certificate(text);
    else createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}
