/** Adds `hemgate update` to the command line. */
import type { Command } from "commander";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { stateFolder } from "../state-folder.ts";

type Option = readonly [flags: string, description: string];

export interface UpdateCommandParts {
  readonly context: CliContext;
  readonly run: (command: Promise<ExitCode> | ExitCode) => Promise<void>;
  readonly state: Option;
  readonly json: Option;
}

interface Flags {
  readonly check?: true;
  readonly file?: string;
  readonly readyWithin: string;
  readonly settle: string;
  readonly state?: string;
  readonly yes?: true;
  readonly json?: true;
}

/** A device that is polled every few minutes answers within this, min. */
const READY_WITHIN_MIN = "15";
const S_PER_MIN = 60;
/** Longer than the watchdog of the unit takes, s. */
const SETTLE_S = "60";

export function addUpdate(program: Command, parts: UpdateCommandParts): void {
  const { context, run, state, json } = parts;
  const command = program
    .command("update")
    .description("update the Debian package; a version that does not become ready is rolled back, with the state")
    .option("--check", "only look whether the repository has a later version")
    .option("--file <file>", "this package in place of the repository's newest")
    .option(
      "--ready-within <minutes>",
      "time in which the new version has to be as ready as the old one",
      READY_WITHIN_MIN,
    )
    .option("--settle <seconds>", "time for which it has to stay ready", SETTLE_S)
    .option(...state)
    .option(...json)
    .action(async (flags: Flags) => {
      const { update, updateCheck } = await import("./update.ts");
      const place = placeOf(flags, context);
      if (flags.check === true) return await run(updateCheck(place, context));
      const readyWithinMin = numberOf("--ready-within", flags.readyWithin);
      const settleS = numberOf("--settle", flags.settle);
      if (settleS >= readyWithinMin * S_PER_MIN) {
        throw new CliError(
          EXIT.usage,
          "--settle has to be shorter than --ready-within: nothing would ever be ready in time",
        );
      }
      await run(update({ ...place, file: flags.file, readyWithinMin, settleS }, context));
    });
  addUpdateSteps(command, parts);
}

function addUpdateSteps(command: Command, parts: UpdateCommandParts): void {
  const { context, run, state, json } = parts;
  command
    .command("status")
    .description("print the update that goes on, or the last one")
    .option(...state)
    .option(...json)
    .action(async (flags: Flags) => {
      const { updateStatus } = await import("./update.ts");
      await run(updateStatus(placeOf(flags, context), context));
    });
  command
    .command("rollback")
    .description("bring back the version before the last update, with the state from before it")
    .option("--yes", "what was set and measured since then may be put aside")
    .option(...state)
    .option(...json)
    .action(async (flags: Flags) => {
      const { updateRollback } = await import("./update.ts");
      await run(updateRollback({ ...placeOf(flags, context), isSure: flags.yes === true }, context));
    });
  command
    .command("resume")
    .description(
      "go on with an update that was interrupted; hemgate-update.service does it at each start of the machine",
    )
    .option(...state)
    .option(...json)
    .action(async (flags: Flags) => {
      const { updateResume } = await import("./update.ts");
      await run(updateResume(placeOf(flags, context), context));
    });
  command
    .command("requested")
    .description(
      "do what the gateway asks for at the times of its configuration; hemgate-update-request.service runs it",
    )
    .option(...state)
    .option(...json)
    .action(async (flags: Flags) => {
      const { updateRequested } = await import("./requested.ts");
      const limits = { readyWithinMin: Number(READY_WITHIN_MIN), settleS: Number(SETTLE_S) };
      await run(updateRequested({ ...placeOf(flags, context), ...limits }, context));
    });
}

function placeOf({ state, json }: Pick<Flags, "state" | "json">, context: CliContext) {
  return { state: stateFolder(state, context), isJson: json === true };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new CliError(EXIT.usage, `${name} takes a number above 0, not "${text}"`);
}
