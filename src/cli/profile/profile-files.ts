/** `hemgate profile list`, `show`, `check` and `init`: profiles as they are, without a device. */

import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";
import { profileYaml } from "../../config/profile/profile-yaml.ts";
import { PROFILE_STARTER } from "../../config/profile/starter.ts";
import { errorText } from "../../platform/error-text.ts";
import { FileError, readTextFile, refuseUrl, writePrivateFile } from "../../platform/node/files/text-file.ts";
import type { DeviceProfile } from "../../sdk/profile.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { textTable } from "../text-table.ts";
import { readProfile, userProfiles } from "../user-profiles.ts";
import { findProfile } from "./find-profile.ts";

const MAX_MODEL = 40;

interface Places {
  /** The state folder. */
  readonly folder: string;
  readonly isJson: boolean;
}

type Out = Pick<CliContext, "out" | "err">;

/** Every profile that the configuration can name, and what is wrong with those in the state folder. */
export async function listProfiles({ folder, isJson }: Places, context: Out): Promise<ExitCode> {
  const own = await userProfiles(folder);
  const rows = [
    ...(await allProfiles()).map((profile) => summary(profile, "built in")),
    ...own.profiles.map((profile) => summary(profile, "yours")),
  ].toSorted((one, other) => one.id.localeCompare(other.id));
  if (isJson) context.out(JSON.stringify({ profiles: rows, problems: own.problems }));
  else {
    const cells = rows.map(({ id, brand, model, origin, controls }) => [
      id,
      brand,
      short(model),
      origin,
      controls.join(", "),
    ]);
    context.out(textTable(["PROFILE", "BRAND", "MODEL", "FROM", "CONTROLS"], cells));
    for (const problem of own.problems) context.err(problem);
  }
  return own.problems.length === 0 ? EXIT.ok : EXIT.failed;
}

function summary({ id, brand, model, points, controls }: DeviceProfile, origin: "built in" | "yours") {
  return { id, brand, model, origin, registers: points.length, controls: controls.map(({ point }) => point) };
}

/** Families with many members would make the table wider than a screen. */
function short(model: string): string {
  return model.length > MAX_MODEL ? `${model.slice(0, MAX_MODEL - 1)}…` : model;
}

/** A profile as a file could hold it. */
export async function showProfile(name: string, { folder, isJson }: Places, context: Out): Promise<ExitCode> {
  const profile = await findProfile(name, folder);
  context.out(isJson ? JSON.stringify(profile, bigText) : profileYaml(profile).trimEnd());
  return EXIT.ok;
}

/** JSON has no integers of 64 bits; a file takes them as text. */
function bigText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `0x${value.toString(16)}` : value;
}

/** Everything that is wrong with a file. */
export async function checkProfile(file: string, { isJson }: Pick<Places, "isJson">, context: Out): Promise<ExitCode> {
  const { profile, problems } = await readProfile(file);
  if (isJson) context.out(JSON.stringify({ isValid: profile !== null, problems: problems ?? [] }));
  else if (profile === null) context.err(problems.join("\n"));
  else context.out(`${file}: right; ${profile.id} reads ${profile.points.length} registers`);
  return profile === null ? EXIT.failed : EXIT.ok;
}

/** Writes a profile to begin with: one that explains itself, or a copy of another one under a new name. */
export async function initProfile(
  { from, out, folder, isJson }: Places & { readonly from?: string; readonly out?: string },
  context: Out,
): Promise<ExitCode> {
  const text = from === undefined ? PROFILE_STARTER : copyOf(await findProfile(from, folder));
  if (out === undefined) {
    context.out(isJson ? JSON.stringify({ text }) : text.trimEnd());
    return EXIT.ok;
  }
  try {
    refuseUrl(out);
  } catch (cause) {
    throw new CliError(EXIT.usage, `--out: ${errorText(cause)}`, { cause });
  }
  if (await exists(out)) throw new CliError(EXIT.failed, `${out} is there already; nothing was written`);
  try {
    await writePrivateFile(out, text);
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    const reason = errorText(cause);
    throw new CliError(EXIT.unavailable, `${out} cannot be written: ${reason}`, { cause });
  }
  if (isJson) context.out(JSON.stringify({ file: out }));
  context.err(`${out}: written. Try it on the device: hemgate profile test ${out} --host ADDRESS`);
  return EXIT.ok;
}

function copyOf(profile: DeviceProfile): string {
  return `# A copy of ${profile.id}. Its name and that of its file have to be alike, and be nobody else's.
${profileYaml({ ...profile, id: `my-${profile.id}` })}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await readTextFile(path);
    return true;
  } catch (error) {
    return !(error instanceof FileError && error.isMissing);
  }
}
