import { nodePlatform } from "../../platform/node/node-platform.ts";
import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import { type TestOptions, testProfile } from "./test-profile.ts";

/** `testProfile` on this machine's network and serial ports. */
export async function testOnMachine(options: TestOptions, context: CliContext): Promise<ExitCode> {
  const platform = nodePlatform({ stateFolder: options.folder, logLevel: "error", isPretty: true, fd: 2 });
  return await testProfile(options, context, platform);
}
