import { FORECAST_SOURCES } from "../../../adapters/forecasts/sources.ts";
import { MARKETS } from "../../../adapters/prices/markets.ts";
import { type ConfigInput, type ConfigResult, loadConfig } from "../../config/load-config.ts";
import { mistakeLine } from "../../config/mistake.ts";
import { FileError, readTextFile } from "../../platform/node/files/text-file.ts";
import { unknownApps, withCloudApps } from "../cloud/cloud-apps.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { type KnownAdapters, knownAdapters } from "../foreign-adapters.ts";
import { fileMistakes } from "../named-files.ts";

/** A list of mistakes that is longer than this is a file of another kind. */
const MAX_SHOWN = 50;

/** `hemgate check-config FILE`: every mistake at once, or what the file sets up. */
export async function checkConfig(
  { file, folder, isJson }: { file: string; folder: string; isJson: boolean },
  context: Pick<CliContext, "environment" | "out" | "err">,
): Promise<ExitCode> {
  const read = await readConfig(file, folder, context.environment);
  const { problems } = read;
  const mistakes = read.result.ok ? await fileMistakes(read.result.config, read.input) : [];
  const result: ConfigResult = mistakes.length === 0 ? read.result : { ok: false, mistakes };
  if (isJson) {
    context.out(JSON.stringify({ isValid: result.ok, mistakes: result.ok ? [] : result.mistakes, adapters: problems }));
  } else if (result.ok) {
    const count = result.config.devices.length;
    context.out(`${file}: right, with ${count} ${count === 1 ? "device" : "devices"}`);
  } else {
    context.err(mistakeText(file, result));
  }
  if (!isJson) for (const problem of problems) context.err(`${file}: ${problem}`);
  return result.ok && problems.length === 0 ? EXIT.ok : EXIT.failed;
}

/** A configuration, with the adapters that it may name. */
interface ReadConfig extends KnownAdapters {
  /** What the result was made from. */
  readonly input: ConfigInput;
  readonly result: ConfigResult;
}

/** Reads a configuration; further adapters are found in the state folder. A file that cannot be read ends the command. */
export async function readConfig(
  file: string,
  folder: string,
  environment: CliContext["environment"],
): Promise<ReadConfig> {
  try {
    const text = await readTextFile(file);
    const known = await knownAdapters(text, folder);
    const sources = { markets: MARKETS, forecastSources: FORECAST_SOURCES };
    const input = { text, environment, adapters: known.adapters, ...sources };
    const result = loadConfig(input);
    if (!result.ok) return { ...known, input, result };
    const adapters = withCloudApps(known.adapters, result.config);
    return { adapters, problems: [...known.problems, ...unknownApps(result.config)], input, result };
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
