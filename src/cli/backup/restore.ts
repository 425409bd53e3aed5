/** `hemgate backup restore`: onto a new box, or in place of the state of a stopped gateway. */
import { isAbsolute, join, normalize, resolve } from "node:path";
import { withoutSection } from "../../config/yaml-source.ts";
import { backupBytes, diskError, freeBytesIn, readBackup } from "../../platform/node/files/node-backup-files.ts";
import { lockState, nodeDisk } from "../../platform/node/files/node-disk.ts";
import {
  dropStaged,
  finishRestore,
  type OnStep,
  type RestoredPlace,
  stagingFolder,
  swapIn,
} from "../../platform/node/files/restore-swap.ts";
import { makePrivateFolder, writeStagedFile } from "../../platform/node/files/text-file.ts";
import { nodeClock } from "../../platform/node/node-clock.ts";
import { nodeLog } from "../../platform/node/node-log.ts";
import { nodeRandom as random } from "../../platform/node/node-random.ts";
import type { Clock, Database, DatabaseName } from "../../platform/ports/ports.ts";
import { keysIn } from "../../store/backup/backup-content.ts";
import {
  type BackupEntry,
  type BackupRecord,
  CONFIG_FILE,
  decodeBackupEntries,
  KEYS_FILE,
  STATE_PREFIX,
} from "../../store/backup/backup-entries.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import { openBackup } from "../../store/backup/backup-file.ts";
import { pausedWebhooks, RestoredRecords } from "../../store/backup/restore-records.ts";
import type { RestoredAs } from "../../store/backup/restored-as.ts";
import { openStore } from "../../store/open-store.ts";
import type { CliContext } from "../context.ts";
import { askState } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { type KeySource, startKeys } from "../secret-keys.ts";
import { backupFailure, passphraseOf } from "./backup-options.ts";

const BATCH_BYTES = 1024 * 1024;
/** Left beside the restored state, which may be a little larger than the backup. */
const ROOM_LEFT_BYTES = 64 * 1024 * 1024;

export interface RestoreOptions {
  readonly file: string;
  readonly as: RestoredAs;
  readonly folder: string;
  readonly keys: KeySource;
  readonly config: string;
  readonly passphraseFile: string | undefined;
  readonly isJson: boolean;
  readonly onStep?: OnStep;
}

type Context = Pick<CliContext, "environment" | "workingFolder" | "out" | "stop">;

/** Reads and checks everything before anything is replaced; what is replaced is kept. */
export async function backupRestore(options: RestoreOptions, context: Context): Promise<ExitCode> {
  const { folder, as, isJson, keys } = options;
  const path = resolve(context.workingFolder, options.file);
  const configPath = resolve(context.workingFolder, options.config);
  try {
    const passphrase = await passphraseOf(options.passphraseFile, context);
    const bytes = await backupBytes(path);
    // A wrong passphrase, or another file, shows before anything is made.
    await using content = decodeBackupEntries(openBackup(readBackup(path), { passphrase, random }));
    const { value: first } = await content.next();
    if (first?.kind !== "manifest") throw new BackupError("newer", "the backup has no manifest; update hemgate first");
    if ((await askState(folder, context.stop)) !== null) throw running(folder);
    await makePrivateFolder(folder);
    await finishRestore(folder);
    await using _lock = await lockState(folder);
    await requireRoom(folder, bytes);
    const clock = nodeClock(() => "restored");
    let place: RestoredPlace;
    let staged: Staged;
    try {
      staged = await stage({ ...options, content, clock, stop: context.stop });
      await finishStaged(staged, { as, keys, clock });
      const config = staged.config === null ? null : { path: configPath, bytes: staged.config };
      const step = options.onStep === undefined ? {} : { onStep: options.onStep };
      place = await swapIn({ stateFolder: folder, config, at: new Date(clock.nowMs()), ...step });
    } catch (error) {
      await dropStaged(folder, configPath).catch(() => undefined);
      throw isFull(error) ? diskError(folder, error) : error;
    }
    const answer = { as, madeAt: first.manifest.createdAt, hasConfiguration: staged.config !== null, ...place };
    context.out(isJson ? JSON.stringify(answer) : restoredText(answer, { folder, configPath }));
    return EXIT.ok;
  } catch (error) {
    throw backupFailure(error, folder);
  }
}

interface Staged {
  readonly folder: string;
  /** The keys that the backup was made with. */
  readonly keys: readonly Uint8Array[];
  /** The configuration; `null` if the backup has none. */
  readonly config: Uint8Array | null;
}

interface StageParts extends Pick<RestoreOptions, "folder" | "as" | "onStep"> {
  /** What follows the manifest. */
  readonly content: AsyncIterable<BackupEntry>;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** Reads the backup to its end, into a folder beside the present databases. */
async function stage({ folder, as, content, clock, stop, onStep }: StageParts): Promise<Staged> {
  onStep?.("read the backup");
  const staging = await stagingFolder(folder);
  let keys: readonly Uint8Array[] = [];
  let config: Uint8Array | null = null;
  const records = new RestoredRecords(as, clock.nowMs());
  await using databases = new StagedDatabases(staging);
  for await (const entry of content) {
    stop.throwIfAborted();
    if (entry.kind === "record") {
      const record = records.convert(entry);
      if (record !== null) await databases.put(record);
    } else if (entry.kind === "file") {
      if (entry.name === KEYS_FILE) keys = keysIn(entry.bytes);
      else if (entry.name === CONFIG_FILE) config = as === "copy" ? withoutCloud(entry.bytes) : entry.bytes;
      else await writeStagedFile(join(staging, stateFileName(entry.name)), entry.bytes);
    }
  }
  await databases.finish();
  onStep?.("open the restored store");
  return { folder: staging, keys, config };
}

/** The databases of the restored state, which no gateway uses yet. */
class StagedDatabases implements AsyncDisposable {
  readonly #disk: ReturnType<typeof nodeDisk>;
  readonly #open = new Map<DatabaseName, Database>();
  #batch: BackupRecord[] = [];
  #bytes = 0;

  constructor(stateFolder: string) {
    this.#disk = nodeDisk({ stateFolder });
  }

  async put(record: BackupRecord): Promise<void> {
    if (this.#batch.some(({ database }) => database !== record.database)) await this.#write();
    this.#batch.push(record);
    this.#bytes += record.key.length + record.value.length;
    if (this.#bytes >= BATCH_BYTES) await this.#write();
  }

  async finish(): Promise<void> {
    await this.#write();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const database of this.#open.values()) await database.close();
  }

  async #write(): Promise<void> {
    const [first] = this.#batch;
    if (first === undefined) return;
    const database = this.#open.get(first.database) ?? (await this.#disk.open(first.database));
    this.#open.set(first.database, database);
    const options = { keyEncoding: "utf8", valueEncoding: "view" } as const;
    await database.batch(
      this.#batch.map(({ key, value }) => ({ type: "put", key, value })),
      options,
    );
    this.#batch = [];
    this.#bytes = 0;
  }
}

interface FinishParts extends Pick<RestoreOptions, "as" | "keys"> {
  readonly clock: Clock;
}

/** Opens the store as a gateway does: older layouts are upgraded, and secrets are sealed with this box's key. */
async function finishStaged(staged: Staged, { as, keys, clock }: FinishParts): Promise<void> {
  const disk = nodeDisk({ stateFolder: staged.folder });
  const log = nodeLog({ level: "error", isPretty: true, fd: 2 });
  const own = await startKeys(keys);
  await using store = await openStore({ disk, clock, random, log, secretKeys: [...own, ...staged.keys] });
  const [problem] = store.recovered;
  if (problem !== undefined) {
    throw new BackupError("changed", `the backup has damaged records (${problem}); take an older backup`);
  }
  if (as === "copy") await store.commit(pausedWebhooks(store), []);
}

/** A copy with the account of the original would be the same gateway for the cloud service. */
function withoutCloud(bytes: Uint8Array): Uint8Array {
  return Buffer.from(withoutSection(Buffer.from(bytes).toString("utf8"), "cloud"), "utf8");
}

/** Returns the path below the state folder. Throws for any that leads out of the folders of adapters and profiles. */
function stateFileName(name: string): string {
  const path = normalize(name.slice(STATE_PREFIX.length));
  const isBelow = name.startsWith(STATE_PREFIX) && !isAbsolute(path) && /^(?:adapters|profiles)\//.test(path);
  if (isBelow) return path;
  throw new BackupError("newer", `the backup has the file ${name}, which this hemgate does not know; update it first`);
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const free = await freeBytesIn(folder);
  const needed = bytes + ROOM_LEFT_BYTES;
  if (free >= needed) return;
  const megabytes = (count: number): number => Math.ceil(count / 1_000_000);
  const message = `there is no space for the restored state in ${folder}: ${megabytes(needed)} MB are needed, ${megabytes(free)} MB are free`;
  throw new CliError(EXIT.unavailable, `${message}; free some, or restore into a folder on another disk with --state`);
}

function running(folder: string): CliError {
  const message = `a gateway runs on the state folder ${folder}; stop it first, such as with \`systemctl stop hemgate\``;
  return new CliError(EXIT.unavailable, message);
}

function isFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (/ENOSPC|No space left/.test(`${String(Reflect.get(at, "code"))} ${at.message}`)) return true;
  }
  return false;
}

function restoredText(
  {
    as,
    madeAt,
    hasConfiguration,
    stateBefore,
    configBefore,
  }: RestoredPlace & {
    readonly as: RestoredAs;
    readonly madeAt: string;
    readonly hasConfiguration: boolean;
  },
  { folder, configPath }: { readonly folder: string; readonly configPath: string },
): string {
  const role =
    as === "copy"
      ? "It is another gateway than its original: it has no cloud service, and its webhooks are paused."
      : "It is the gateway now: do not start the other box again.";
  const before = [stateBefore, configBefore].filter((path) => path !== null).join(" and ");
  return [
    `The state of ${madeAt} is in ${folder}${hasConfiguration ? `, its configuration in ${configPath}` : ""}.`,
    role,
    ...(before === "" ? [] : [`What was there before is in ${before}; remove it when all is well.`]),
  ].join("\n");
}
