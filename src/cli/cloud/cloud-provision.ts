/** What a configuration file says of the gateway's cloud service, for the commands that need no running gateway. */
import { cloudProvision } from "../../config/cloud-config.ts";
import { FileError, readTextFile } from "../../platform/node/files/text-file.ts";
import type { CloudProvision } from "../../sync/identity/configured-accounts.ts";
import { mistakeText, readConfig } from "../commands/check-config.ts";
import { configPath } from "../config-path.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../exit-code.ts";

/** Who the gateway is by a configuration file instead of an enrolment. */
export interface FileProvision {
  /** The configuration file. */
  readonly file: string;
  readonly provision: CloudProvision;
}

export interface ProvisionQuestion {
  /** `--config`; absent: where `hemgate start` looks without it. */
  readonly config?: string | undefined;
  readonly folder: string;
}

/**
 * Null: the file says nothing of it. Throws a `CliError` for one that is named and cannot be used. Where nobody names one, there
 * may be none, and one that cannot be used is noted: a file with mistakes keeps nobody from cutting a link.
 */
export async function fileProvision(
  { config, folder }: ProvisionQuestion,
  { environment, err }: Pick<CliContext, "environment" | "err">,
): Promise<FileProvision | null> {
  const file = configPath(config, environment);
  if (config !== undefined) return await provisionIn(file, folder, environment);
  if (await isMissing(file)) return null;
  try {
    return await provisionIn(file, folder, environment);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    err(`hemgate: what ${file} says of a cloud service is not known: it cannot be used (hemgate check-config)`);
    return null;
  }
}

async function provisionIn(
  file: string,
  folder: string,
  environment: CliContext["environment"],
): Promise<FileProvision | null> {
  const { result } = await readConfig(file, folder, environment);
  if (!result.ok) throw new CliError(EXIT.config, `the configuration has mistakes:\n${mistakeText(file, result)}`);
  const provision = cloudProvision(result.config.cloud);
  return provision === null ? null : { file, provision };
}

/** The files that the gateway's name, key and trust come from, as the configuration names them. */
export function provisionText({ file, provision }: FileProvision): string {
  const { certFile, keyFile, passwordFile } = provision.credentials;
  const authorities = new Set(provision.uplinks.flatMap(({ caFile }) => caFile ?? []));
  const named = [
    ...(certFile === undefined ? [] : [`certificate ${certFile}`]),
    ...(keyFile === undefined ? [] : [`key ${keyFile}`]),
    ...(passwordFile === undefined ? [] : [`password ${passwordFile}`]),
    ...[...authorities].map((caFile) => `authorities ${caFile}`),
  ];
  return [file, ...named].join(", ");
}

async function isMissing(file: string): Promise<boolean> {
  try {
    await readTextFile(file);
    return false;
  } catch (error) {
    return error instanceof FileError && error.isMissing;
  }
}
