/** Device profiles that users wrote, from the state folder. */
import { basename, extname, join } from "node:path";
import { PROFILE_SUMMARIES } from "../../adapters/modbus/profile/profile-summaries.generated.ts";
import type { BrokenProfile, OwnProfiles } from "../../adapters/modbus/profile/profile-summary.ts";
import { mistakeLine } from "../config/mistake.ts";
import { loadProfile } from "../config/profile/load-profile.ts";
import { FileError, namesIn, readTextFile } from "../platform/node/files/text-file.ts";
import type { DeviceProfile } from "../sdk/profile.ts";

/** Where they lie, below the state folder. */
const PROFILES_FOLDER = "profiles";
const ENDINGS = [".yaml", ".yml", ".json"];
/** More is no collection of devices in a house. */
const MAX_FILES = 200;
const MAX_SHOWN = 20;
/** Devices that describe themselves. */
const RESERVED = "sunspec";

export interface UserProfiles extends OwnProfiles {
  /** Everything that is wrong with them, a line each, with the file and the place. */
  readonly problems: readonly string[];
}

/** A profile, or what is wrong with its file, a line each. */
export type ProfileFile =
  | { readonly profile: DeviceProfile; readonly problems: null }
  | { readonly profile: null; readonly problems: readonly string[] };

/** Every profile of a state folder. One that is wrong harms only the devices that name it. */
export async function userProfiles(stateFolder: string): Promise<UserProfiles> {
  const folder = join(stateFolder, PROFILES_FOLDER);
  const profiles: DeviceProfile[] = [];
  const broken: BrokenProfile[] = [];
  const problems: string[] = [];
  const names = await namesOf(folder, problems);
  for (const name of names) {
    const id = basename(name, extname(name));
    const file = await readProfile(join(folder, name));
    const wrong = file.problems ?? nameProblems(file.profile, join(folder, name), [...profiles, ...broken]);
    problems.push(...wrong);
    if (wrong.length === 0 && file.profile !== null) profiles.push(file.profile);
    else if (!isTaken(id, [...profiles, ...broken])) broken.push({ id, problem: wrong[0] ?? `${name} is wrong` });
  }
  return { profiles, broken, problems };
}

/** Reads one file, wherever it lies. */
export async function readProfile(path: string): Promise<ProfileFile> {
  try {
    const result = loadProfile(await readTextFile(path));
    if (result.ok) return { profile: result.profile, problems: null };
    const lines = result.mistakes.map((each) => mistakeLine(path, each));
    const rest = lines.length - MAX_SHOWN;
    return {
      profile: null,
      problems: rest > 0 ? [...lines.slice(0, MAX_SHOWN), `${path}: … and ${rest} more`] : lines,
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { profile: null, problems: [error.message] };
  }
}

async function namesOf(folder: string, problems: string[]): Promise<readonly string[]> {
  try {
    const names = (await namesIn(folder)).filter((name) => ENDINGS.includes(extname(name)));
    if (names.length > MAX_FILES) problems.push(`${folder}: only the first ${MAX_FILES} profiles are read`);
    return names.slice(0, MAX_FILES);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    problems.push(error.message);
    return [];
  }
}

function nameProblems({ id }: DeviceProfile, path: string, others: readonly { readonly id: string }[]): string[] {
  const expected = basename(path, extname(path));
  if (id !== expected) return [`${path}: id: the file's name says ${expected}, its id ${id}; they have to be alike`];
  if (id === RESERVED || PROFILE_SUMMARIES.some((known) => known.id === id)) {
    return [`${path}: id: a profile of this name is built in; take another one`];
  }
  return others.some((other) => other.id === id) ? [`${path}: id: another file has this name already`] : [];
}

function isTaken(id: string, others: readonly { readonly id: string }[]): boolean {
  return id === RESERVED || [...PROFILE_SUMMARIES, ...others].some((known) => known.id === id);
}
