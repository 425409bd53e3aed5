/** The words of `hemgate profile …`. */
import type { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import { stateFolder } from "../state-folder.ts";

type Run = (command: Promise<ExitCode> | ExitCode) => Promise<void>;
type Flag = readonly [flags: string, meaning: string];

interface Flags {
  readonly state?: string;
  readonly json?: true;
}

/** The commands about profiles; `state` and `json` are the options that other commands have, too. */
export function addProfiles(
  program: Command,
  { context, run, state, json }: { context: CliContext; run: Run; state: Flag; json: Flag },
): void {
  const profile = program.command("profile").description("devices as data: the register lists of Modbus devices");
  const places = (flags: Flags) => ({ folder: stateFolder(flags.state, context), isJson: flags.json === true });
  profile
    .command("list")
    .description("list the profiles that a configuration can name, your own among them")
    .option(...state)
    .option(...json)
    .action(async (flags: Flags) => {
      const { listProfiles } = await import("./profile-files.ts");
      await run(listProfiles(places(flags), context));
    });
  profile
    .command("show")
    .description("print a profile as a file could hold it")
    .argument("<profile>")
    .option(...state)
    .option(...json)
    .action(async (name: string, flags: Flags) => {
      const { showProfile } = await import("./profile-files.ts");
      await run(showProfile(name, places(flags), context));
    });
  profile
    .command("check")
    .description("tell everything that is wrong with a profile")
    .argument("<file>")
    .option(...json)
    .action(async (file: string, flags: Flags) => {
      const { checkProfile } = await import("./profile-files.ts");
      await run(checkProfile(file, { isJson: flags.json === true }, context));
    });
  profile
    .command("init")
    .description("print a profile to begin with")
    .option("--from <profile>", "a copy of this one")
    .option("--out <file>", "write it there, unless the file is there")
    .option(...state)
    .option(...json)
    .action(async (flags: Flags & { from?: string; out?: string }) => {
      const { initProfile } = await import("./profile-files.ts");
      await run(initProfile({ ...flags, ...places(flags) }, context));
    });
  addTest(profile, { context, run, state, json });
}

interface TestFlags extends Flags {
  readonly host?: string;
  readonly port?: string;
  readonly unit?: string;
  readonly serialPort?: string;
  readonly baudRate?: string;
  readonly parity?: string;
  readonly framing?: string;
  readonly setting?: readonly string[];
  readonly config?: string;
  readonly watch?: true;
  readonly write?: string;
  readonly yes?: true;
}

function addTest(
  profile: Command,
  { context, run, state, json }: { context: CliContext; run: Run; state: Flag; json: Flag },
): void {
  profile
    .command("test")
    .description("read a device by a profile, register by register; nothing is written unless you say so twice")
    .argument("<profile>", "a file, or the name of a profile")
    .option("--host <host>", "name or address of the device or its gateway")
    .option("--port <port>", "default that of the profile")
    .option("--unit <unit>", "Modbus unit id; default that of the profile")
    .option("--serial-port <path>", "instead of --host: the serial port that the device hangs on")
    .option("--baud-rate <rate>", "default that of the profile")
    .option("--parity <parity>", "none, even or odd; default that of the profile")
    .option("--framing <framing>", "auto, tcp, rtu, ascii or udp; default that of the profile")
    .option("--setting <name=value...>", "a setting of the profile")
    .option("--write <point=value>", "set a control for a moment, then put it back; needs --yes")
    .option("--yes", "write, although registers are not confirmed and nothing else would end it")
    .option("--watch", "again and again, until Ctrl-C")
    .option("--config <file>", "configuration of the running gateway, to tell whether it uses the same device")
    .option(...state)
    .option(...json)
    .action(async (name: string, flags: TestFlags) => {
      const { testOnMachine } = await import("./test-on-machine.ts");
      const { setting = [], config, watch, write, yes, state: folder, json: isJson, ...typed } = flags;
      const options = {
        name,
        folder: stateFolder(folder, context),
        configFile: config ?? context.environment["HEMGATE_CONFIG"] ?? "/etc/hemgate/gateway.yaml",
        line: Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, asNumber(key, value)])),
        settings: setting,
        isWatch: watch === true,
        isJson: isJson === true,
        isYes: yes === true,
        ...(write === undefined ? {} : { write }),
      };
      await run(testOnMachine(options, context));
    });
}

const NUMBERS = ["port", "unit", "baudRate"];

/** Converts the text of a number option. Any other text stays, and the schema's error names it. */
function asNumber(key: string, value: string): string | number {
  return NUMBERS.includes(key) && /^\d+$/.test(value) ? Number(value) : value;
}
