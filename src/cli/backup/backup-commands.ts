/** Adds `hemgate backup` to the command line. */
import type { Command } from "commander";
import { RESTORED_AS } from "../../store/backup/restored-as.ts";
import { configPath } from "../config-path.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { stateFolder } from "../state-folder.ts";

type Option = readonly [flags: string, description: string];

export interface BackupCommandParts {
  readonly context: CliContext;
  readonly run: (command: Promise<ExitCode> | ExitCode) => Promise<void>;
  readonly state: Option;
  readonly key: Option;
  readonly json: Option;
}

interface Flags {
  readonly state?: string;
  readonly keyFile?: string;
  readonly config?: string;
  readonly passphraseFile?: string;
  readonly as?: string;
  readonly json?: true;
}

const PASSPHRASE: Option = [
  "--passphrase-file <file>",
  "its first line is the passphrase (default: $HEMGATE_BACKUP_PASSPHRASE)",
];
const CONFIG: Option = ["--config <file>", "configuration (default: $HEMGATE_CONFIG, /etc/hemgate/gateway.yaml)"];

export function addBackup(program: Command, parts: BackupCommandParts): void {
  const { context, run, json } = parts;
  const backup = program.command("backup").description("encrypted backups of configuration, keys and history");
  addCreate(backup, parts);
  backup
    .command("verify")
    .description("read a backup to its end, and print what is in it")
    .argument("<file>")
    .option(...PASSPHRASE)
    .option(...json)
    .action(async (file: string, flags: Flags) => {
      const { backupVerify } = await import("./backup.ts");
      const { passphraseFile } = flags;
      await run(backupVerify({ file, passphraseFile, isJson: flags.json === true }, context));
    });
  backup
    .command("list")
    .description("list the backups in a folder, newest first")
    .argument("<folder>")
    .option(...json)
    .action(async (folder: string, flags: Flags) => {
      const { backupList } = await import("./backup.ts");
      await run(backupList({ folder, isJson: flags.json === true }, context));
    });
  addRestore(backup, parts);
}

function addCreate(backup: Command, { context, run, state, key, json }: BackupCommandParts): void {
  backup
    .command("create")
    .description("write a backup; a gateway that runs goes on meanwhile")
    .argument("<file>", "a new file, such as house.hgbackup")
    .option(...PASSPHRASE)
    .option(...CONFIG)
    .option(...state)
    .option(...key)
    .option(...json)
    .action(async (file: string, flags: Flags) => {
      const { backupCreate } = await import("./backup.ts");
      await run(backupCreate({ file, ...(await placesOf(flags, context)) }, context));
    });
}

function addRestore(backup: Command, { context, run, state, key, json }: BackupCommandParts): void {
  backup
    .command("restore")
    .description("put the state of a backup in the place of this box's, whose gateway is stopped")
    .argument("<file>")
    .option("--as <role>", "this-gateway: the other box stays off from now on; copy: both run, and this is another one")
    .option(...PASSPHRASE)
    .option(...CONFIG)
    .option(...state)
    .option(...key)
    .option(...json)
    .action(async (file: string, flags: Flags) => {
      const as = RESTORED_AS.find((each) => each === flags.as);
      if (as === undefined) {
        throw new CliError(
          EXIT.usage,
          "which of the two boxes is the gateway now? --as this-gateway: this one, and the other stays off; --as copy: the other one, and this is a new gateway with its data",
        );
      }
      const { backupRestore } = await import("./restore.ts");
      await run(backupRestore({ file, as, ...(await placesOf(flags, context)) }, context));
    });
}

async function placesOf(flags: Flags, context: CliContext) {
  const { keySource } = await import("../secret-keys.ts");
  const folder = stateFolder(flags.state, context);
  return {
    folder,
    keys: keySource(flags.keyFile, folder, context),
    config: configPath(flags.config, context.environment),
    passphraseFile: flags.passphraseFile,
    isJson: flags.json === true,
  };
}
