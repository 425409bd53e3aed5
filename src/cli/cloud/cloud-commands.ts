import type { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import { stateFolder } from "../state-folder.ts";
import type { CloudOptions } from "./cloud.ts";

interface Flags {
  readonly state?: string;
  readonly keyFile?: string;
  readonly config?: string;
  readonly json?: true;
}

export interface CloudCommandParts {
  readonly context: CliContext;
  run(command: Promise<ExitCode>): Promise<void>;
  /** Flags and their text, as the other commands have them. */
  readonly options: readonly (readonly [flags: string, text: string])[];
}

/** `hemgate cloud …`. */
export function addCloud(program: Command, { context, run, options }: CloudCommandParts): void {
  const cloud = program.command("cloud").description("the link to a cloud service");
  const add = (name: string, text: string): Command => {
    const command = cloud.command(name).description(text);
    for (const option of options) command.option(...option);
    command.option("--config <file>", "configuration of a gateway that does not run (default: as for start)");
    return command;
  };
  const asked = async ({ state, keyFile, config, json }: Flags): Promise<CloudOptions> => {
    const { keySource } = await import("../secret-keys.ts");
    const folder = stateFolder(state, context);
    return { folder, config, keys: keySource(keyFile, folder, context), isJson: json === true };
  };
  add("enroll", "enrol the gateway with a token of the service, in place of an identity that it has")
    .argument("<token>", "as the service shows it, such as 'https://cloud.example/#SECRET'; it counts once")
    .action(async (token: string, flags: Flags) => {
      const { cloudEnroll } = await import("./cloud.ts");
      await run(cloudEnroll(token, await asked(flags), context));
    });
  add("status", "tell how the link does, and what waits for it").action(async (flags: Flags) => {
    const { cloudStatus } = await import("./cloud.ts");
    await run(cloudStatus(await asked(flags), context));
  });
  add("cut", "cut the link for good: the gateway's key is destroyed").action(async (flags: Flags) => {
    const { cloudCut } = await import("./cloud.ts");
    await run(cloudCut(await asked(flags), context));
  });
}
