/** Makes backups: on request, and at the times of a cron expression. */
import { problem } from "../../domain/problem.ts";
import { errorText } from "../../platform/error-text.ts";
import type { BackupFiles, StoredBackup } from "../../platform/ports/backup-files-port.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { backupContent } from "../../store/backup/backup-content.ts";
import { MIN_PASSPHRASE_CHARACTERS, sealBackup } from "../../store/backup/backup-file.ts";
import type { OpenedStore } from "../../store/store.ts";
import type { Backups, OpenedBackup } from "../contracts/backup.ts";

/** Of this gateway's own backups in the folder; other files there are left alone. */
const NAME = /^hemgate-\d{8}T\d{6}Z\.hgbackup$/;

export interface BackupsParts {
  readonly store: Pick<OpenedStore, "dump" | "commit">;
  readonly files: BackupFiles;
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: Pick<Random, "secretBytes" | "scrypt">;
  readonly log: Log;
  /** Keys that open the sealed records of the store. */
  readonly secretKeys: readonly Uint8Array[];
  /** Version of this hemgate. */
  readonly software: string | null;
  readonly settings: BackupSettings;
}

/** The section `backup` of the configuration. */
export interface BackupSettings {
  readonly folder?: string | undefined;
  readonly passphrase?: string | undefined;
  readonly keep: number;
}

export class BackupService implements Backups {
  readonly #parts: BackupsParts;
  #isWriting = false;
  #failure: string | null = null;
  #lastMadeAtMs: number | null = null;
  #scheduled: Promise<void> = Promise.resolve();

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  get failure(): string | null {
    return this.#failure;
  }

  get lastMadeAtMs(): number | null {
    return this.#lastMadeAtMs;
  }

  async open(passphrase: string): Promise<OpenedBackup> {
    if (passphrase.length < MIN_PASSPHRASE_CHARACTERS) {
      const why = "the backup has every secret of the house, and who finds it can guess a short one";
      throw problem("bad-request", `The passphrase needs at least ${MIN_PASSPHRASE_CHARACTERS} characters: ${why}.`);
    }
    const { store, files, clock, random, secretKeys, software } = this.#parts;
    const manifest = { software, createdAt: new Date(clock.nowMs()).toISOString() };
    const dump = await store.dump();
    return await begun(
      sealBackup(backupContent({ manifest, secretKeys, files: files.own(), dump }), { passphrase, random }),
    );
  }

  async create(passphrase: string | null): Promise<StoredBackup> {
    const { files, clock, settings, log } = this.#parts;
    const secret = passphrase ?? settings.passphrase;
    if (secret === undefined) {
      throw problem("bad-request", "Name a passphrase, or set backup.passphrase in the configuration.");
    }
    if (this.#isWriting) throw problem("conflict", "Another backup is being written; try again when it is done.");
    this.#isWriting = true;
    try {
      const name = nameAt(clock.nowMs());
      await using content = await this.open(secret);
      const made = await files.write(this.#folder, name, content);
      log.info({ folder: this.#folder, ...made }, "a backup was written");
      await this.#removeOldest();
      return made;
    } finally {
      this.#isWriting = false;
    }
  }

  list(): Promise<readonly StoredBackup[]> {
    return this.#parts.files.list(this.#folder);
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const found = (await this.list()).some((each) => each.name === name);
    const content = found ? await this.#parts.files.read(this.#folder, name) : null;
    if (content === null) throw problem("not-found", "There is no backup of this name in the folder.");
    return content;
  }

  /** Makes a scheduled backup. Never rejects: a failure is logged, journaled, and stands in `failure` until the next one. */
  createScheduled(): Promise<void> {
    this.#scheduled = this.#tryScheduled();
    return this.#scheduled;
  }

  /** Resolves when no scheduled backup is being made. */
  settled(): Promise<void> {
    return this.#scheduled;
  }

  async #tryScheduled(): Promise<void> {
    const { log, store } = this.#parts;
    try {
      await this.create(null);
      this.#failure = null;
      this.#lastMadeAtMs = this.#parts.clock.nowMs();
    } catch (err) {
      this.#failure = errorText(err);
      log.error({ err, folder: this.#folder }, "the scheduled backup was not made; the next one is tried at its time");
      await store
        .commit([], [{ event: "system:backup:failed", payload: { reason: this.#failure } }])
        .catch(() => undefined);
    }
  }

  get #folder(): string {
    return this.#parts.settings.folder ?? this.#parts.files.folder;
  }

  /** The backup that was just made is safe whatever happens here. */
  async #removeOldest(): Promise<void> {
    const { files, settings, log } = this.#parts;
    try {
      const names = (await this.list()).map(({ name }) => name).filter((name) => NAME.test(name));
      // Their names have the time; a file that was copied back has another one.
      const newestFirst = names.toSorted().toReversed();
      for (const name of newestFirst.slice(settings.keep)) await files.remove(this.#folder, name);
    } catch (err) {
      log.warn({ err, folder: this.#folder }, "older backups cannot be removed");
    }
  }
}

/** `hemgate-20260621T142501Z.hgbackup`. */
function nameAt(atMs: number): string {
  return `hemgate-${new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, "")}.hgbackup`;
}

/** Reads the first piece: a generator that has not begun closes nothing when it is disposed. */
async function begun(file: AsyncGenerator<Uint8Array, void>): Promise<OpenedBackup> {
  let first: Promise<IteratorResult<Uint8Array, void>> | null = Promise.resolve(await file.next());
  const next = (): Promise<IteratorResult<Uint8Array, void>> => {
    const result = first ?? file.next();
    first = null;
    return result;
  };
  return {
    [Symbol.asyncIterator]: () => ({ next, return: () => file.return() }),
    async [Symbol.asyncDispose]() {
      await file.return();
    },
  };
}
