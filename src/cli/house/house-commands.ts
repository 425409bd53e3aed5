/** Commands for people who look after a house: what it does, whether it is well, and what the log says. */
import type { Command } from "commander";
import { clockQuality } from "../../platform/node/clock-quality.ts";
import { nodeClock } from "../../platform/node/node-clock.ts";
import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import { stateFolder } from "../state-folder.ts";

interface Surroundings {
  readonly context: CliContext;
  readonly run: (command: Promise<ExitCode>) => Promise<void>;
  readonly state: readonly [string, string];
  readonly json: readonly [string, string];
}

interface Flags {
  readonly state?: string;
  readonly json?: true;
}

interface AddFlags extends Flags {
  readonly host?: readonly string[];
  readonly brand?: string;
  readonly name?: string;
  readonly set?: readonly string[];
  readonly confirm?: readonly string[];
  readonly confirmNoFailsafe?: true;
  readonly saveAnyway?: true;
  readonly yes?: true;
}

interface ListenFlags extends Flags {
  readonly events?: string;
}

interface LogFlags extends Flags {
  readonly follow?: true;
  readonly level?: string;
  readonly text?: string;
  readonly device?: string;
}

export function addHouse(program: Command, { context, run, state: stateOption, json: jsonOption }: Surroundings): void {
  program
    .command("status")
    .description("print what the house does now: power, devices, the energy manager and its reasons, the cloud service")
    .option(...stateOption)
    .option(...jsonOption)
    .action(async ({ state, json }: Flags) => {
      const { status } = await import("./status.ts");
      await run(status({ folder: stateFolder(state, context), isJson: json === true }, context));
    });
  program
    .command("doctor")
    .description("check the gateway, its machine and its devices, and say what to do about what is wrong")
    .option(...stateOption)
    .option(...jsonOption)
    .action(async ({ state, json }: Flags) => {
      const { doctor } = await import("./doctor.ts");
      await run(doctor({ folder: stateFolder(state, context), isJson: json === true }, context, clockQuality()));
    });
  program
    .command("logs")
    .description("print the last lines of the running gateway's log")
    .option("-f, --follow", "go on as lines come, until Ctrl-C")
    .option("--level <name>", "lines of this level and graver ones: error, warn, info or debug (default: info)")
    .option("--text <words>", "only lines that contain this")
    .option("--device <id>", "only lines about this device of the configuration")
    .option(...stateOption)
    .option(...jsonOption)
    .action(async ({ state, json, follow, ...filter }: LogFlags) => {
      const { logs } = await import("./logs.ts");
      const clock = nodeClock(() => "unset");
      const options = {
        ...filter,
        folder: stateFolder(state, context),
        isJson: json === true,
        isFollow: follow === true,
      };
      await run(logs(options, context, clock));
    });
  program
    .command("webhooks")
    .description("what webhooks get")
    .command("listen")
    .description("print events as they happen, as a webhook would get them, until Ctrl-C")
    .option("--events <names>", "names of events separated by commas, with * and local:* as in webhooks (default: all)")
    .option(...stateOption)
    .option(...jsonOption)
    .action(async ({ state, json, events }: ListenFlags) => {
      const { listen } = await import("./listen.ts");
      const options = { folder: stateFolder(state, context), isJson: json === true };
      await run(listen({ ...options, ...(events !== undefined && { events }) }, context));
    });
  addSetUp(program, { context, run, state: stateOption, json: jsonOption });
  addAdd(program, { context, run, state: stateOption, json: jsonOption });
}

function addSetUp(program: Command, { context, run, state: stateOption, json: jsonOption }: Surroundings): void {
  program
    .command("setup")
    .description("set the house up from a file: limits, devices, control tests, people, hand-over")
    .argument("<file>", "YAML; docs/command-line.md describes it")
    .option(...stateOption)
    .option(...jsonOption)
    .action(async (file: string, { state, json }: Flags) => {
      const { setUp } = await import("./set-up.ts");
      const { socketClient } = await import("../socket-client.ts");
      const settingUp = async (): Promise<ExitCode> => {
        const client = await socketClient(stateFolder(state, context), context.stop);
        return await setUp(file, { ...context, client, clock: nodeClock(() => "unset") }, json === true);
      };
      await run(settingUp());
    });
}

function addAdd(program: Command, { context, run, state: stateOption, json: jsonOption }: Surroundings): void {
  program
    .command("add")
    .description("find a device in the house's network, ask for what it needs, and add it")
    .option("--host <address...>", "ask only these (default: the hosts of the house's networks)")
    .option("--brand <words>", "only devices with this in their manufacturer, model or profile")
    .option("--name <name>", "what the device is called")
    .option("--set <name=value...>", "settings of the device and options of its adapter")
    .option("--confirm <controls...>", "unverified controls that you answer for; all: each of them")
    .option("--confirm-no-failsafe", "accept controls that stay in force if the gateway fails")
    .option("--save-anyway", "add a device that cannot be read now")
    .option("--yes", "ask nothing")
    .option(...stateOption)
    .option(...jsonOption)
    .action(async ({ state, json, host = [], set = [], confirm = [], yes, ...flags }: AddFlags) => {
      const { add } = await import("./add.ts");
      const { socketClient } = await import("../socket-client.ts");
      const { terminalQuestions } = await import("../../platform/node/terminal-question.ts");
      const { confirmNoFailsafe = false, saveAnyway = false } = flags;
      const decided = { set, confirm, confirmNoFailsafe, saveAnyway, isSure: yes === true };
      const parts = { ...context, clock: nodeClock(() => "unset"), ask: terminalQuestions() };
      const adding = async (): Promise<ExitCode> => {
        const client = await socketClient(stateFolder(state, context), context.stop);
        return await add({ ...flags, ...decided, hosts: host, isJson: json === true }, { ...parts, client });
      };
      await run(adding());
    });
}
