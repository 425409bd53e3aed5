import { extname, resolve } from "node:path";
import { ExportQuery, ExportResolution } from "../../domain/export/export-query.ts";
import { issueText } from "../../domain/issue-text.ts";
import { writeNewFile } from "../../platform/node/files/node-backup-files.ts";
import { FileError } from "../../platform/node/files/text-file.ts";
import { sizeText } from "../backup/backup-options.ts";
import type { CliContext } from "../context.ts";
import { askForExport, notRunning } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";

export interface ExportOptions {
  readonly folder: string;
  /** Path of the file; its ending is the format. */
  readonly file: string;
  readonly from: string;
  readonly to?: string;
  readonly resolution?: string;
  readonly devices?: string;
  readonly timezone?: string;
  readonly isJson: boolean;
}

/** `hemgate export`: the running gateway's history as a file, which is there as a whole or not at all. */
export async function exportHistory(
  { folder, file, isJson, ...asked }: ExportOptions,
  context: Pick<CliContext, "workingFolder" | "out" | "stop">,
): Promise<ExitCode> {
  const path = resolve(context.workingFolder, file);
  const query = queryOf(path, asked);
  const content = await askForExport(folder, query, context.stop);
  if (content === null) throw notRunning(folder);
  try {
    const { bytes } = await writeNewFile(path, content);
    context.out(isJson ? JSON.stringify({ file: path, bytes }) : `${path}: ${sizeText(bytes)}`);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof FileError) throw new CliError(EXIT.unavailable, error.message, { cause: error });
    context.stop.throwIfAborted();
    throw new CliError(EXIT.failed, "the gateway stopped the export before its end; its log says why", {
      cause: error,
    });
  }
}

/** Checks here what the gateway would refuse, so that the error names options. */
function queryOf(
  path: string,
  { resolution = "hour", ...asked }: Omit<ExportOptions, "folder" | "file" | "isJson">,
): ExportQuery {
  const format = extname(path).slice(1).toLowerCase();
  if (format !== "csv" && format !== "parquet") {
    throw new CliError(EXIT.usage, "the file's name has to end with .csv or .parquet, which says the format");
  }
  const name = resolution.toUpperCase().replaceAll("-", "_");
  if (!ExportResolution.options.some((each) => each === name)) {
    const names = ExportResolution.options.map((each) => each.toLowerCase().replaceAll("_", "-"));
    throw new CliError(EXIT.usage, `--resolution is one of ${names.join(", ")}`);
  }
  const parsed = ExportQuery.safeParse({ ...asked, resolution: name, format });
  if (!parsed.success) throw new CliError(EXIT.usage, `--${issueText(parsed.error)}`);
  return parsed.data;
}
