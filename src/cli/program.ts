import { Command, CommanderError } from "commander";
import { errorText, placeOfBug } from "../platform/error-text.ts";
import { FileError } from "../platform/node/files/text-file.ts";
import { reportHttpCalls } from "../platform/node/http-calls.ts";
import { nodeClock } from "../platform/node/node-clock.ts";
import { addBackup } from "./backup/backup-commands.ts";
import { addCloud } from "./cloud/cloud-commands.ts";
import { checks } from "./commands/checks.ts";
import { devices } from "./commands/devices.ts";
import { read } from "./commands/read.ts";
import type { CliContext } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./exit-code.ts";
import { addHouse } from "./house/house-commands.ts";
import { addProfiles } from "./profile/profile-commands.ts";
import { stateFolder } from "./state-folder.ts";
import { addUpdate } from "./update/update-commands.ts";
import { version, versionText } from "./version.ts";

/** The end of the help. */
export const EXIT_CODES = `
Exit codes: ${EXIT.ok} done; ${EXIT.failed} what was asked about is not right; ${EXIT.usage} the command line cannot be
understood; ${EXIT.notRunning} no gateway runs; ${EXIT.crashed} a bug; ${EXIT.unavailable} a port, a folder or its lock is
not to be had; ${EXIT.config} the configuration cannot be used.`;
const STATE_OPTION = ["--state <folder>", "folder of the gateway's memory (default: $HEMGATE_STATE)"] as const;
const KEY_OPTION = [
  "--key-file <file>",
  "keys that seal the secrets in that folder (default: $HEMGATE_KEY_FILE, /etc/hemgate/hemgate.key for the service's folder, else the folder's name with .key)",
] as const;
/** Longer than any command or option. */
const MAX_WORD = 40;
const JSON_OPTION = ["--json", "print JSON"] as const;

/**
 * Runs one command line. The gateway and its adapters are loaded by the commands that need them: the others answer in a
 * fraction of the time. Never rejects: errors are printed on standard error, and are in the exit code.
 */
export async function runCli(words: readonly string[], context: CliContext): Promise<number> {
  let exitCode: ExitCode = EXIT.ok;
  using calls = new DisposableStack();
  const program = commands(context, async (command) => {
    exitCode = await command;
  }).hook("preAction", (_program, command) => {
    if (command.opts()["verbose"] === true) calls.use(reportHttpCalls((line) => context.err(line)));
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander ends with an error of code 0 after help and the version; it has printed all other errors already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof CliError) {
      context.err(`hemgate: ${error.message}`);
      return error.exitCode;
    }
    if (context.stop.aborted) return EXIT.ok;
    if (error instanceof FileError) {
      context.err(`hemgate: ${error.message}`);
      return EXIT.unavailable;
    }
    context.err(`hemgate: this is a bug: ${[errorText(error), placeOfBug(error)].filter(Boolean).join(" ")}`);
    return EXIT.crashed;
  }
}

type Run = (command: Promise<ExitCode> | ExitCode) => Promise<void>;

/** Declares every command. The completion of shells and the manual page are generated from it. */
export function commands(context: CliContext, run: Run): Command {
  const program = new Command("hemgate")
    .description("One documented API on the LAN for the inverter, battery, meter and charger in a house.")
    .version(versionText(), "--version", "print the version")
    // Some commands have their own --version.
    .enablePositionalOptions()
    .addHelpText("after", EXIT_CODES)
    .configureOutput({
      writeOut: (text) => context.out(text.trimEnd()),
      writeErr: (text) => context.err(withoutTyped(text).trimEnd()),
    })
    .exitOverride();
  addStart(program, context, run);
  addClient(program, context, run);
  addPeople(program, context, run);
  addSecrets(program, context, run);
  addCloud(program, { context, run, options: [STATE_OPTION, KEY_OPTION, JSON_OPTION] });
  addBackup(program, { context, run, state: STATE_OPTION, key: KEY_OPTION, json: JSON_OPTION });
  addExport(program, context, run);
  addUpdate(program, { context, run, state: STATE_OPTION, json: JSON_OPTION });
  addReaders(program, context, run);
  addHouse(program, { context, run, state: STATE_OPTION, json: JSON_OPTION });
  addProfiles(program, { context, run, state: STATE_OPTION, json: JSON_OPTION });
  program
    .command("check-config")
    .description("tell everything that is wrong with a configuration")
    .argument("<file>")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async (file: string, { state, json }: FolderFlags) => {
      const { checkConfig } = await import("./commands/check-config.ts");
      await run(checkConfig({ file, folder: stateFolder(state, context), isJson: json === true }, context));
    });
  program
    .command("version")
    .description("print the version")
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) => run(version({ isJson: json === true }, context)));
  for (const command of allBelow(program)) if (isRun(command)) command.option("-v, --verbose", "print the HTTP calls");
  return program;
}

function allBelow(command: Command): readonly Command[] {
  return command.commands.flatMap((each) => [each, ...allBelow(each)]);
}

/** Returns false for a word that only leads to other commands. */
function isRun({ options, commands: below }: Command): boolean {
  return below.length === 0 || options.length > 0;
}

interface ExportFlags extends FolderFlags {
  readonly from: string;
  readonly to?: string;
  readonly resolution?: string;
  readonly devices?: string;
  readonly timezone?: string;
}

function addExport(program: Command, context: CliContext, run: Run): void {
  program
    .command("export")
    .description("write the running gateway's readings or energy into a file")
    .argument("<file>", "a new file that ends with .csv or .parquet")
    .requiredOption("--from <time>", "start: a date such as 2026-03-01, or an instant with its offset")
    .option("--to <time>", "end, exclusive (default: now)")
    .option("--resolution <name>", "raw, minute, quarter-hour, hour, day or month (default: hour)")
    .option("--devices <ids>", "ids of devices, separated by commas (default: all)")
    .option("--timezone <zone>", "IANA time zone of times, days and months (default: the house's)")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async (file: string, { state, json, ...flags }: ExportFlags) => {
      const { exportHistory } = await import("./commands/export.ts");
      const folder = stateFolder(state, context);
      await run(exportHistory({ ...flags, file, folder, isJson: json === true }, context));
    });
}

interface StartFlags {
  readonly config?: string;
  readonly state?: string;
  readonly keyFile?: string;
  readonly sandbox?: true;
  readonly home?: string;
  readonly twinPorts?: string;
  readonly port?: string;
  readonly json?: true;
}

function addStart(program: Command, context: CliContext, run: Run): void {
  program
    .command("start")
    .description("run the gateway until it is stopped")
    .option("--config <file>", "configuration (default: $HEMGATE_CONFIG, /etc/hemgate/gateway.yaml)")
    .option(...STATE_OPTION)
    .option(...KEY_OPTION)
    .option("--port <number>", "port of the API, in place of the configuration's http.port; 0: any that is free")
    .option("--sandbox", "run a simulated house and serve it")
    .option("--home <file>", "with --sandbox: a home's hours (CSV) that drive its load and sun")
    .option(
      "--twin-ports <ports>",
      "with --sandbox: ports of inverter, meter, both chargers, heater (default: 5020,5021,5022,5023,5024)",
    )
    .option("--json", "print where it serves as JSON, and the log too")
    .action(async ({ sandbox, json, ...flags }: StartFlags) => {
      const { answerWhileStarting, configFile, loadProgram } = await import("./commands/starting.ts");
      const isSandbox = sandbox === true;
      const file = configFile({ ...flags, isSandbox }, context);
      const meanwhile = await answerWhileStarting({ ...flags, file }, context);
      if (meanwhile !== null) await loadProgram(meanwhile);
      const { start } = await import("./commands/start.ts");
      const freePort = async () => await meanwhile?.close();
      await run(start({ ...flags, file, isSandbox, isJson: json === true, freePort }, context).finally(freePort));
    });
}

interface FolderFlags {
  readonly state?: string;
  readonly json?: true;
}

interface KeyFlags extends FolderFlags {
  readonly keyFile?: string;
}

interface ClientFlags extends KeyFlags {
  readonly name: string;
  readonly version?: string;
  readonly scope?: readonly string[];
}

function addClient(program: Command, context: CliContext, run: Run): void {
  const client = program.command("client").description("the clients of the API");
  client
    .command("create")
    .description("make a client; prints its id, and once its secret")
    .requiredOption("--name <name>", "what it is called")
    .option("--version <date>", "version of the API that its requests mean when they name none (default: the newest)")
    .option("--scope <scope...>", "what it may do beside what every client may: energy:limits, people:manage")
    .option(...STATE_OPTION)
    .option(...KEY_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ name, version: pin, scope = [], state, keyFile, json }: ClientFlags) => {
      const { clientCreate } = await import("./commands/clients.ts");
      const { keySource } = await import("./secret-keys.ts");
      const folder = stateFolder(state, context);
      const keys = keySource(keyFile, folder, context);
      await run(clientCreate({ folder, keys, name, version: pin, scopes: scope, isJson: json === true }, context));
    });
  client
    .command("pin")
    .description("pin a client to a version of the API: what its requests and webhooks mean that name none")
    .argument("<id>", "the client's id")
    .requiredOption("--version <date>", "such as 2024-01-01; GET /openapi.json?version=DATE describes it")
    .option(...STATE_OPTION)
    .option(...KEY_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: string, { version: pin, state, keyFile, json }: KeyFlags & { version: string }) => {
      const { clientPin } = await import("./commands/clients.ts");
      const { keySource } = await import("./secret-keys.ts");
      const folder = stateFolder(state, context);
      const keys = keySource(keyFile, folder, context);
      await run(clientPin({ folder, keys, id, version: pin, isJson: json === true }, context));
    });
  addClientList(client, context, run);
}

function addClientList(client: Command, context: CliContext, run: Run): void {
  client
    .command("list")
    .description("list the clients of the running gateway, and when each was last used")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ state, json }: FolderFlags) => {
      const { clientList } = await import("./commands/clients.ts");
      await run(clientList({ folder: stateFolder(state, context), isJson: json === true }, context));
    });
  client
    .command("revoke")
    .description("revoke a client: its tokens end at once, its webhooks and limits are removed")
    .argument("<id>", "the client's id")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: string, { state, json }: FolderFlags) => {
      const { clientRevoke } = await import("./commands/clients.ts");
      await run(clientRevoke({ folder: stateFolder(state, context), id, isJson: json === true }, context));
    });
}

function addPeople(program: Command, context: CliContext, run: Run): void {
  program
    .command("claim")
    .description("print the code that makes the gateway's first owner in a browser")
    .option("--new", "make another code: for an owner who lost the password, or after the gateway was sold")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ state, json, new: isNew }: FolderFlags & { new?: true }) => {
      const { claim } = await import("./commands/people.ts");
      const folder = stateFolder(state, context);
      await run(claim({ folder, isJson: json === true, isNew: isNew === true }, context));
    });
  const people = program.command("people").description("the people with an account at the gateway");
  people
    .command("list")
    .description("list them, with roles")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ state, json }: FolderFlags) => {
      const { peopleList } = await import("./commands/people.ts");
      await run(peopleList({ folder: stateFolder(state, context), isJson: json === true }, context));
    });
  people
    .command("reset")
    .description("print a code with which a person chooses a new password")
    .argument("<name>", "the account's name")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async (name: string, { state, json }: FolderFlags) => {
      const { peopleReset } = await import("./commands/people.ts");
      await run(peopleReset({ folder: stateFolder(state, context), name, isJson: json === true }, context));
    });
}

function addSecrets(program: Command, context: CliContext, run: Run): void {
  const secrets = program.command("secrets").description("the keys that seal the secrets in the state folder");
  secrets
    .command("rotate")
    .description("make a new key; the next start seals everything with it and takes the older ones out")
    .option(...STATE_OPTION)
    .option(...KEY_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ state, keyFile, json }: KeyFlags) => {
      const { rotateSecrets } = await import("./commands/secrets.ts");
      await run(rotateSecrets({ folder: stateFolder(state, context), keyFile, isJson: json === true }, context));
    });
}

function addReaders(program: Command, context: CliContext, run: Run): void {
  program
    .command("devices")
    .description("list the devices of the running gateway, and whether they answer")
    .option("--watch", "again and again, until Ctrl-C")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(({ state, json, watch }: FolderFlags & { watch?: true }) => {
      const options = { folder: stateFolder(state, context), isJson: json === true, isWatch: watch === true };
      return run(
        devices(
          options,
          context,
          nodeClock(() => "unset"),
        ),
      );
    });
  program
    .command("checks")
    .description("list what physics contradicts about the devices, and how to put it right")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(({ state, json }: FolderFlags) =>
      run(checks({ folder: stateFolder(state, context), isJson: json === true }, context)),
    );
  program
    .command("discover")
    .description("search the house's network for devices, through the running gateway")
    .option("--active", "ask the hosts of the network, politely; otherwise only listen")
    .option("--host <address...>", "ask only these")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ state, json, active, host = [] }: FolderFlags & { active?: true; host?: string[] }) => {
      const { discover } = await import("./commands/discover.ts");
      const folder = stateFolder(state, context);
      const options = { folder, isJson: json === true, isActive: active === true, hosts: host };
      const clock = nodeClock(() => "unset");
      await run(discover(options, context, clock));
    });
  program
    .command("read")
    .description("print every point of a device of the running gateway")
    .argument("<device>", "its id in the configuration")
    .option(...STATE_OPTION)
    .option(...JSON_OPTION)
    .action((deviceId: string, { state, json }: FolderFlags) =>
      run(read({ folder: stateFolder(state, context), deviceId, isJson: json === true }, context)),
    );
}

/** Commander repeats what it does not understand: an option's value and a word that is no command may be secrets. */
function withoutTyped(text: string): string {
  return text
    .replaceAll(/'([^']*)'/g, (quoted, typed: string) => (isWord(typed) ? quoted : `'${shownPart(typed)}'`))
    .replace(/(but got \d+): .*/s, "$1.");
}

/** Returns true for what commands, options and their arguments are called. */
function isWord(typed: string): boolean {
  return typed.length <= MAX_WORD && /^-{0,2}[a-z]+(-[a-z]+)*( [<[][a-z=.]+[>\]])?$/.test(typed);
}

function shownPart(typed: string): string {
  return `${/^(--[a-z-]+=)/.exec(typed)?.[1] ?? ""}…`;
}
