/** Uploads a backup to the WebDAV server of the configuration, and removes the oldest there. */
import { MINUTE_MS } from "../../domain/duration.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Http, Log } from "../../platform/ports/ports.ts";
import { WebDavError, type WebDavFile } from "./webdav-answers.ts";
import { WebDavFolder, type WebDavSettings } from "./webdav-folder.ts";

/** Of this gateway's own backups; other files beside them are left alone. */
const OWN = /^hemgate-\d{8}T\d{6}Z\.hgbackup$/;
const OWN_UNFINISHED = /^hemgate-\d{8}T\d{6}Z\.hgbackup\.part$/;
/** Routers connect again at night, and servers restart. */
const PAUSES_MS = [MINUTE_MS, 10 * MINUTE_MS];

export interface UploadParts {
  readonly webdav: WebDavSettings;
  readonly keep: number;
  readonly http: Http;
  readonly clock: Pick<Clock, "timer" | "sleep">;
  readonly log: Pick<Log, "info" | "warn">;
}

export interface UploadFile {
  readonly name: string;
  readonly bytes: number;
  /** Reads it from its beginning. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Returns the names of this gateway's own backups beyond those to keep, after one of the name `made` was made. */
export function oldestBeyond(keep: number, names: readonly string[], made: string): readonly string[] {
  // Their names have the time; a file that was copied back has another one.
  const own = names
    .filter((name) => OWN.test(name))
    .toSorted()
    .toReversed();
  // By a clock that runs ahead some may be later than the newest; they would push it out.
  const isLater = (name: string): boolean => name > made;
  return [...own.filter((name) => !isLater(name)), ...own.filter(isLater)].slice(keep);
}

/** Uploads a file, again after a pause where what went wrong may pass. Rejects with an `Error` that says what to do. */
export async function uploadBackup(parts: UploadParts, file: UploadFile, signal: AbortSignal): Promise<void> {
  const { clock, log, webdav } = parts;
  const { host } = new URL(webdav.url);
  for (let attempt = 0; ; attempt += 1) {
    try {
      using folder = new WebDavFolder(webdav, parts);
      await uploadOnce(folder, parts, { file, isAgain: attempt > 0 }, signal);
      log.info({ host, name: file.name, bytes: file.bytes }, "a backup was uploaded");
      return;
    } catch (error) {
      signal.throwIfAborted();
      const pauseMs = PAUSES_MS[attempt];
      if (pauseMs === undefined || !(error instanceof WebDavError && error.isPassing)) throw error;
      log.warn(
        { host, reason: errorText(error), pauseMs },
        "a backup could not be uploaded; trying again after a pause",
      );
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** Lists the backups there, newest first. Rejects with an `Error` that says what to do. */
export async function uploadedBackups(
  { webdav, ...parts }: Pick<UploadParts, "webdav" | "http" | "clock">,
  signal: AbortSignal,
): Promise<readonly WebDavFile[]> {
  using folder = new WebDavFolder(webdav, parts);
  const files = (await folder.list(signal)) ?? [];
  return files.filter(({ name }) => OWN.test(name)).toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

async function uploadOnce(
  folder: WebDavFolder,
  { keep, log }: UploadParts,
  { file, isAgain }: { readonly file: UploadFile; readonly isAgain: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { name, bytes } = file;
  const files = await folder.list(signal);
  if (files === null) await folder.make(signal);
  const before = files ?? [];
  // Only the answer to the last attempt was lost.
  const isThere = isAgain && before.some((each) => each.name === name && (each.bytes ?? bytes) === bytes);
  if (!isThere) await folder.upload(name, { bytes, pieces: await file.open() }, signal);
  const names = before.map((each) => each.name);
  const old = [...names.filter((each) => OWN_UNFINISHED.test(each)), ...oldestBeyond(keep, [...names, name], name)];
  try {
    for (const each of old) await folder.remove(each, signal);
  } catch (err) {
    // The backup that was just uploaded is safe.
    log.warn({ err }, "older backups cannot be removed from the WebDAV server");
  }
}
