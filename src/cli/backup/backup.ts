/** `hemgate backup create`, `verify` and `list`. */
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "../../platform/error-text.ts";
import {
  BACKUP_ENDING,
  backupBytes,
  listBackups,
  nodeBackupFiles,
  readBackup,
  writeNewFile,
} from "../../platform/node/files/node-backup-files.ts";
import { nodeDisk } from "../../platform/node/files/node-disk.ts";
import { finishRestore } from "../../platform/node/files/restore-swap.ts";
import { FileError, namesIn } from "../../platform/node/files/text-file.ts";
import { nodeClock } from "../../platform/node/node-clock.ts";
import { nodeRandom as random } from "../../platform/node/node-random.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import { backupContent } from "../../store/backup/backup-content.ts";
import { MIN_PASSPHRASE_CHARACTERS, sealBackup } from "../../store/backup/backup-file.ts";
import { type BackupContents, readBackupContents } from "../../store/backup/backup-summary.ts";
import { StoreDump } from "../../store/dump.ts";
import type { CliContext } from "../context.ts";
import { askForBackup } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { type KeySource, presentKeys } from "../secret-keys.ts";
import { textTable } from "../text-table.ts";
import { backupFailure, passphraseOf, sizeText } from "./backup-options.ts";

interface BackupOptions {
  /** Path of the backup. */
  readonly file: string;
  readonly passphraseFile: string | undefined;
  readonly isJson: boolean;
}

export interface CreateOptions extends BackupOptions {
  readonly folder: string;
  readonly keys: KeySource;
  /** Path of the configuration. */
  readonly config: string;
}

type Context = Pick<CliContext, "environment" | "workingFolder" | "out" | "stop">;

/** `hemgate backup create`: by the running gateway, which goes on, or from its state folder when none runs. */
export async function backupCreate(options: CreateOptions, context: Context): Promise<ExitCode> {
  const { folder, passphraseFile, isJson } = options;
  const passphrase = await passphraseOf(passphraseFile, context);
  if (passphrase.length < MIN_PASSPHRASE_CHARACTERS) {
    throw new CliError(EXIT.usage, `the passphrase needs at least ${MIN_PASSPHRASE_CHARACTERS} characters`);
  }
  const path = resolve(context.workingFolder, options.file);
  if (!path.endsWith(BACKUP_ENDING))
    throw new CliError(EXIT.usage, `the backup's name has to end with ${BACKUP_ENDING}`);
  try {
    const content =
      (await askForBackup(folder, passphrase, context.stop)) ?? contentOfStopped(options, passphrase, context);
    const { bytes } = await writeNewFile(path, content);
    const text = `${path}: ${sizeText(bytes)}. It opens with this passphrase only; keep both, in different places.`;
    context.out(isJson ? JSON.stringify({ file: path, bytes }) : text);
    return EXIT.ok;
  } catch (error) {
    throw backupFailure(error, folder);
  }
}

async function* contentOfStopped(
  { folder, keys, config }: CreateOptions,
  passphrase: string,
  context: Pick<Context, "workingFolder">,
): AsyncGenerator<Uint8Array> {
  await finishRestore(folder);
  // A database that is opened is made: a folder with a wrong name stays what it is.
  if (!(await namesIn(folder)).includes("critical.exists")) {
    throw new CliError(EXIT.failed, `there is no state of a gateway in ${folder}; name its folder with --state`);
  }
  const secretKeys = await presentKeys(keys);
  if (secretKeys.length === 0) {
    throw new CliError(EXIT.unavailable, `${keys.path} does not exist; name the gateway's key file with --key-file`);
  }
  const configFile = resolve(context.workingFolder, config);
  await backupBytes(configFile).catch((error: unknown) => {
    const message = `configuration: ${errorText(error)}; name it with --config`;
    throw new CliError(EXIT.unavailable, message, { cause: error });
  });
  const disk = nodeDisk({ stateFolder: folder });
  await using databases = new AsyncDisposableStack();
  const open = async (name: "critical" | "telemetry") => {
    const database = await disk.open(name);
    databases.defer(() => database.close());
    return { name, database };
  };
  const dump = new StoreDump([await open("critical"), await open("telemetry")]);
  const createdAt = new Date(nodeClock(() => "restored").nowMs()).toISOString();
  const files = nodeBackupFiles({ stateFolder: folder, configFile }).own();
  const content = backupContent({ manifest: { software: packageFacts().version, createdAt }, secretKeys, files, dump });
  yield* sealBackup(content, { passphrase, random });
}

/** What is in a backup, and its size. */
export interface BackupSummary extends BackupContents {
  readonly bytes: number;
}

/** `hemgate backup verify`: reads all of it, and writes nothing. */
export async function backupVerify(
  { file, passphraseFile, isJson }: BackupOptions,
  context: Context,
): Promise<ExitCode> {
  const path = resolve(context.workingFolder, file);
  try {
    const passphrase = await passphraseOf(passphraseFile, context);
    const summary = await summaryOf(path, passphrase);
    context.out(isJson ? JSON.stringify({ file: path, ...summary }) : summaryText(path, summary));
    return EXIT.ok;
  } catch (error) {
    throw backupFailure(error, dirname(path));
  }
}

async function summaryOf(path: string, passphrase: string): Promise<BackupSummary> {
  const bytes = await backupBytes(path);
  return { ...(await readBackupContents(readBackup(path), { passphrase, random })), bytes };
}

function summaryText(path: string, summary: BackupSummary): string {
  const { software, createdAt, bytes, hasConfiguration, hasKeys, files, records, history } = summary;
  const more = files.length === 0 ? "" : `, ${files.length} files of adapters and profiles`;
  return [
    `${path}: whole`,
    `made       ${createdAt} by hemgate ${software ?? "of an unknown version"}, ${sizeText(bytes)}`,
    `contains   ${hasConfiguration ? "the configuration" : "no configuration"}, ${hasKeys ? "keys" : "no keys"}${more}`,
    `store      ${records} records, ${history} blocks of history`,
  ].join("\n");
}

/** `hemgate backup list`: the backups in a folder, newest first. */
export async function backupList(
  { folder, isJson }: { readonly folder: string; readonly isJson: boolean },
  context: Pick<Context, "out" | "workingFolder">,
): Promise<ExitCode> {
  const path = resolve(context.workingFolder, folder);
  try {
    const backups = await listBackups(path);
    const rows = backups.map(({ name, bytes, writtenAtMs }) => [
      name,
      sizeText(bytes),
      new Date(writtenAtMs).toISOString(),
    ]);
    const text = rows.length === 0 ? `there is no backup in ${path}` : textTable(["NAME", "SIZE", "WRITTEN"], rows);
    const entries = backups.map(({ name, bytes, writtenAtMs }) => {
      return { file: join(path, basename(name)), bytes, writtenAt: new Date(writtenAtMs).toISOString() };
    });
    context.out(isJson ? JSON.stringify(entries) : text);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof FileError) throw new CliError(EXIT.unavailable, error.message, { cause: error });
    throw error;
  }
}
