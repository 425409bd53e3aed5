/** Finds the cause of a failure in the error that a backup ended with. */
import type { BackupCause } from "../../domain/backup/backup-cause.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import { TimeoutError } from "../../platform/within.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import { WebDavError } from "./webdav-answers.ts";

const OF_HTTP: Readonly<Record<HttpError["kind"], BackupCause>> = {
  refused: "address-refused",
  unresolved: "no-such-host",
  unreachable: "unreachable",
  untrusted: "untrusted",
  broken: "broken",
};
const OF_STATUS: Readonly<Record<number, BackupCause>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "not-found",
  409: "not-found",
  507: "full",
};
/** Of the file system. */
const OF_CODE: Readonly<Record<string, BackupCause>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "no-access",
  EPERM: "no-access",
  EROFS: "no-access",
  ENOENT: "not-found",
  ENOTDIR: "not-found",
};

export function causeOf(error: unknown): BackupCause {
  if (error instanceof BackupError) return OF_BACKUP[error.kind];
  if (error instanceof HttpError) return OF_HTTP[error.kind];
  if (error instanceof TimeoutError) return "timeout";
  if (error instanceof WebDavError && error.status !== null) return OF_STATUS[error.status] ?? "rejected";
  if (!(error instanceof Error)) return "other";
  const code = "code" in error ? OF_CODE[String(error.code)] : undefined;
  return code ?? (error.cause === undefined ? "other" : causeOf(error.cause));
}

const OF_BACKUP: Readonly<Record<BackupError["kind"], BackupCause>> = {
  passphrase: "passphrase",
  cut: "damaged",
  changed: "damaged",
  foreign: "other",
  newer: "other",
};
