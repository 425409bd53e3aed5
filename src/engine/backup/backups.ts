/** Makes backups: on request, and at the times of a cron expression. */
import { problem } from "../../domain/problem.ts";
import { errorText } from "../../platform/error-text.ts";
import type { BackupFiles, StoredBackup } from "../../platform/ports/backup-files-port.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import { backupContent } from "../../store/backup/backup-content.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import { MIN_PASSPHRASE_CHARACTERS, sealBackup } from "../../store/backup/backup-file.ts";
import { readBackupContents } from "../../store/backup/backup-summary.ts";
import type { OpenedStore } from "../../store/store.ts";
import type {
  BackupFinding,
  Backups,
  BackupsState,
  BackupTask,
  ListedBackup,
  OpenedBackup,
  UploadedBackup,
} from "../contracts/backup.ts";
import { causeOf } from "./backup-cause.ts";
import { type BackupFailure, BackupRecordKeeper, type BackupRecordParts } from "./backup-record.ts";
import { oldestBeyond, uploadBackup, uploadedBackups } from "./backup-upload.ts";
import type { WebDavSettings } from "./webdav-folder.ts";

const STOPPED = "the gateway stopped meanwhile";
const NO_FAILURE = { failure: null, cause: null } as const;

export interface BackupsParts extends BackupRecordParts {
  readonly store: Pick<OpenedStore, "dump" | "get" | "commit">;
  readonly files: BackupFiles;
  readonly random: Pick<Random, "secretBytes" | "scrypt">;
  readonly log: Log;
  readonly http: Http;
  readonly clock: Clock;
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
  readonly webdav?: WebDavSettings | undefined;
}

type RunningTask = { -readonly [Field in keyof BackupTask]: BackupTask[Field] };

export class BackupService implements Backups, AsyncDisposable {
  readonly #parts: BackupsParts;
  readonly #record: BackupRecordKeeper;
  #task: RunningTask | null = null;
  #work: Promise<void> = Promise.resolve();
  /** The scheduled backup that waits or is being made; `null` if there is none. */
  #scheduled: Promise<void> | null = null;
  readonly #open = new DisposableStack();
  readonly #stop = new AbortController();

  constructor(parts: BackupsParts) {
    this.#parts = parts;
    this.#record = new BackupRecordKeeper(parts);
  }

  /** What is under way is given up at its next piece. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error(STOPPED));
    this.#open.dispose();
    await this.settled();
  }

  /** Disposes a part along with the service. */
  closeWith(part: Disposable): void {
    this.#open.use(part);
  }

  state(): BackupsState {
    const { settings, schedule, cron } = this.#parts;
    const { last } = this.#record;
    const [nextAtMs] = schedule === null ? [] : cron.nextRuns(schedule, 1);
    return {
      folder: this.#folder,
      keep: settings.keep,
      hasPassphrase: settings.passphrase !== undefined,
      schedule: schedule === null || nextAtMs === undefined ? null : { ...schedule, last, nextAtMs },
      task: this.#task === null ? null : { ...this.#task },
      webdav: settings.webdav?.url ?? null,
    };
  }

  finding(): BackupFinding | null {
    return this.#record.finding();
  }

  dismiss(): Promise<BackupFinding> {
    return this.#record.dismiss();
  }

  async open(passphrase: string): Promise<OpenedBackup> {
    requireLong(passphrase);
    const { store, files, clock, random, secretKeys, software } = this.#parts;
    const manifest = { software, createdAt: new Date(clock.nowMs()).toISOString() };
    const dump = await store.dump();
    return await begun(
      sealBackup(backupContent({ manifest, secretKeys, files: files.own(), dump }), { passphrase, random }),
    );
  }

  create(passphrase: string | null): BackupTask {
    const secret = this.#secretOf(passphrase);
    requireLong(secret);
    return this.#beginCreate(secret, false);
  }

  async verify(name: string, passphrase: string | null): Promise<BackupTask> {
    const secret = this.#secretOf(passphrase);
    const file = await this.#find(name);
    return this.#begin({ kind: "verify", isScheduled: false, name, step: "read" }, (task) =>
      this.#verify(task, file, secret),
    );
  }

  async list(): Promise<readonly ListedBackup[]> {
    const files = await this.#orUnavailable(() => this.#parts.files.list(this.#folder));
    return files.map((file) => {
      const found = this.#record.verificationOf(file);
      if (found === null) return { ...file, verified: null };
      const { atMs, failure, cause = null } = found;
      return { ...file, verified: { atMs, failure, cause } };
    });
  }

  async listUploaded(): Promise<readonly UploadedBackup[]> {
    const { settings, http, clock } = this.#parts;
    const { webdav } = settings;
    if (webdav === undefined) throw problem("not-found", "No WebDAV server is configured (backup.webdav).");
    return await this.#orUnavailable(() => uploadedBackups({ webdav, http, clock }, this.#stop.signal), webdav.url);
  }

  async read(name: string): Promise<{ readonly bytes: number; readonly content: AsyncIterable<Uint8Array> }> {
    const { bytes } = await this.#find(name);
    const content = await this.#orUnavailable(() => this.#parts.files.read(this.#folder, name));
    if (content === null) throw unknown();
    return { bytes, content };
  }

  async remove(name: string): Promise<void> {
    await this.#find(name);
    if (this.#task?.state === "running" && this.#task.name === name) {
      throw problem("conflict", "This backup is being written or read; remove it when that is done.");
    }
    await this.#orUnavailable(() => this.#parts.files.remove(this.#folder, name));
    this.#parts.log.info({ folder: this.#folder, name }, "a backup was removed on request");
  }

  /** Makes a scheduled backup. Never rejects: a failure is logged, journaled, and a finding until a backup is made. */
  createScheduled(): Promise<void> {
    // One that a hanging disk holds up is enough.
    this.#scheduled ??= this.#tryScheduled().finally(() => {
      this.#scheduled = null;
    });
    return this.#scheduled;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#scheduled;
    await this.#work;
  }

  async #tryScheduled(): Promise<void> {
    // Somebody verifies or makes one: it does not take long.
    while (this.#task?.state === "running") await this.#work;
    try {
      this.#beginCreate(this.#secretOf(null), true);
      await this.#work;
    } catch (error) {
      await this.#record.failed(this.#parts.clock.nowMs(), this.#failureOf(error));
    }
  }

  #beginCreate(secret: string, isScheduled: boolean): BackupTask {
    const name = nameAt(this.#parts.clock.nowMs());
    const isOwn = secret === this.#parts.settings.passphrase;
    return this.#begin({ kind: "create", isScheduled, name, step: "write" }, async (task) => {
      const { startedAtMs } = task;
      try {
        const made = await this.#create(task, secret);
        await this.#upload(task, made);
        if (isOwn) await this.#record.made(startedAtMs, isScheduled);
      } catch (error) {
        const isStored = task.step === "upload";
        if (isStored && isOwn) await this.#record.notUploaded(startedAtMs, isScheduled, this.#failureOf(error));
        else if (isScheduled) await this.#record.failed(startedAtMs, this.#failureOf(error));
        throw error;
      }
    });
  }

  #begin(
    what: Pick<BackupTask, "kind" | "isScheduled" | "name" | "step">,
    work: (task: RunningTask) => Promise<void>,
  ): BackupTask {
    if (this.#stop.signal.aborted) throw problem("service-unavailable", "The gateway is stopping.");
    if (this.#task?.state === "running") {
      const doing = this.#task.kind === "create" ? "made" : "verified";
      throw problem("conflict", `A backup is being ${doing} now; try again when that is done.`);
    }
    const startedAtMs = this.#parts.clock.nowMs();
    const progress = { state: "running", doneBytes: 0, expectedBytes: null, endedAtMs: null, ...NO_FAILURE } as const;
    const task: RunningTask = { ...what, ...progress, startedAtMs };
    this.#task = task;
    this.#work = this.#run(task, work);
    return { ...task };
  }

  async #run(task: RunningTask, work: (task: RunningTask) => Promise<void>): Promise<void> {
    const { log, clock } = this.#parts;
    try {
      await work(task);
      task.state = "done";
    } catch (err) {
      task.state = "failed";
      Object.assign(task, this.#failureOf(err));
      const text = failureText(task);
      const next = task.isScheduled ? "; the next one is tried at its time" : "";
      log.error({ err, folder: this.#folder, name: task.name }, `${text}${next}`);
    }
    task.endedAtMs = clock.nowMs();
  }

  async #create(task: RunningTask, secret: string): Promise<StoredBackup> {
    const { files, log } = this.#parts;
    const [newest] = await files.list(this.#folder);
    task.expectedBytes = newest?.bytes ?? null;
    await using content = await this.open(secret);
    const made = await files.write(this.#folder, task.name, this.#counted(content, task));
    // What cannot be read again is no backup, and takes the place of none.
    await this.#verify(task, made, secret);
    log.info({ folder: this.#folder, ...made }, "a backup was written and read again");
    await this.#removeOldest(made);
    return made;
  }

  /** Uploads a backup of the folder, where a WebDAV server is configured. */
  async #upload(task: RunningTask, { name, bytes }: StoredBackup): Promise<void> {
    const { settings, files, http, clock, log } = this.#parts;
    const { webdav, keep } = settings;
    if (webdav === undefined) return;
    task.step = "upload";
    task.expectedBytes = bytes;
    const open = async (): Promise<AsyncIterable<Uint8Array>> => {
      task.doneBytes = 0;
      const content = await files.read(this.#folder, name);
      if (content === null) throw unknown();
      return this.#counted(content, task);
    };
    await uploadBackup({ webdav, keep, http, clock, log }, { name, bytes, open }, this.#stop.signal);
  }

  async #verify(task: RunningTask, file: StoredBackup, passphrase: string): Promise<void> {
    const { files, random } = this.#parts;
    task.step = "read";
    task.doneBytes = 0;
    task.expectedBytes = file.bytes;
    const content = await files.read(this.#folder, file.name);
    if (content === null) throw unknown();
    try {
      await readBackupContents(this.#counted(content, task), { passphrase, random });
      await this.#note(file, NO_FAILURE);
    } catch (error) {
      // Another passphrase says nothing about the file.
      if (error instanceof BackupError && error.kind !== "passphrase") await this.#note(file, this.#failureOf(error));
      throw error;
    }
  }

  #failureOf(error: unknown): BackupFailure {
    return { failure: errorText(error), cause: this.#stop.signal.aborted ? "stopped" : causeOf(error) };
  }

  async #note({ name, bytes, writtenAtMs }: StoredBackup, how: BackupFailure | typeof NO_FAILURE): Promise<void> {
    const names = (await this.#parts.files.list(this.#folder)).map((file) => file.name);
    await this.#record.verified({ name, bytes, writtenAtMs, atMs: this.#parts.clock.nowMs(), ...how }, names);
  }

  async *#counted(content: AsyncIterable<Uint8Array>, task: RunningTask): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      this.#stop.signal.throwIfAborted();
      task.doneBytes += piece.length;
      yield piece;
    }
  }

  async #find(name: string): Promise<StoredBackup> {
    const found = (await this.list()).find((file) => file.name === name);
    if (found === undefined) throw unknown();
    return found;
  }

  #secretOf(passphrase: string | null): string {
    const secret = passphrase ?? this.#parts.settings.passphrase;
    if (secret !== undefined) return secret;
    throw problem("bad-request", "Name a passphrase, or set backup.passphrase in the configuration.");
  }

  get #folder(): string {
    return this.#parts.settings.folder ?? this.#parts.files.folder;
  }

  /** What the disk or the server refuses is a problem that says why. */
  async #orUnavailable<Result>(work: () => Promise<Result>, folder = this.#folder): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      this.#parts.log.warn({ err: cause, folder }, "the folder of the backups cannot be used");
      throw problem("service-unavailable", `${errorText(cause)}.`, { cause });
    }
  }

  /** The backup that was just made is safe whatever happens here. */
  async #removeOldest(made: StoredBackup): Promise<void> {
    const { files, settings, log } = this.#parts;
    try {
      const names = (await files.list(this.#folder)).map(({ name }) => name);
      for (const name of oldestBeyond(settings.keep, names, made.name)) await files.remove(this.#folder, name);
    } catch (err) {
      log.warn({ err, folder: this.#folder }, "older backups cannot be removed");
    }
  }
}

function failureText({ kind, step }: BackupTask): string {
  if (kind === "verify") return "the backup could not be verified";
  return step === "upload" ? "the backup is in the folder, but was not uploaded" : "the backup was not made";
}

function requireLong(passphrase: string): void {
  if (passphrase.length >= MIN_PASSPHRASE_CHARACTERS) return;
  const why = "the backup has every secret of the house, and who finds it can guess a short one";
  throw problem("bad-request", `The passphrase needs at least ${MIN_PASSPHRASE_CHARACTERS} characters: ${why}.`);
}

function unknown(): Error {
  return problem("not-found", "There is no backup of this name in the folder.");
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
