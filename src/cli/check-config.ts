import { type ConfigResult, loadConfig } from "../config/load-config.ts";
import { mistakeLine } from "../config/mistake.ts";
import { FileError, readTextFile } from "../platform/node/text-file.ts";
import { ADAPTERS } from "./adapters.ts";
import type { CliContext } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./exit-code.ts";

/** A list of mistakes that is longer than this is a file of another kind. */
const MAX_SHOWN = 50;

/** `hemgate check-config FILE`: every mistake at once, or what the file sets up. */
export async function checkConfig(
  { file, isJson }: { file: string; isJson: boolean },
  context: Pick<CliContext, "environment" | "out" | "err">,
): Promise<ExitCode> {
  const result = await readConfig(file, context.environment);
  if (isJson) {
    context.out(
      JSON.stringify(result.ok ? { isValid: true, mistakes: [] } : { isValid: false, mistakes: result.mistakes }),
    );
  } else if (result.ok) {
    const count = result.config.devices.length;
    context.out(`${file}: right, with ${count} ${count === 1 ? "device" : "devices"}`);
  } else {
    context.err(mistakeText(file, result));
  }
  return result.ok ? EXIT.ok : EXIT.failed;
}

/** Reads a configuration with the adapters of this program. A file that cannot be read ends the command. */
export async function readConfig(file: string, environment: CliContext["environment"]): Promise<ConfigResult> {
  try {
    return loadConfig({ text: await readTextFile(file), environment, adapters: ADAPTERS });
  } catch (error) {
    if (error instanceof FileError)
      throw new CliError(EXIT.config, `configuration: ${error.message}`, { cause: error });
    throw error;
  }
}

/** One line a mistake, the first ones when there are very many. */
export function mistakeText(file: string, { mistakes }: Extract<ConfigResult, { ok: false }>): string {
  const lines = mistakes.slice(0, MAX_SHOWN).map((mistake) => mistakeLine(file, mistake));
  const rest = mistakes.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n");
}
