import { extname } from "node:path";
import { PROFILE_SUMMARIES } from "../../../adapters/modbus/profile/profile-summaries.generated.ts";
import { nearest } from "../../config/nearest.ts";
import type { DeviceProfile } from "../../sdk/profile.ts";
import { CliError, EXIT } from "../exit-code.ts";
import { readProfile, userProfiles } from "../user-profiles.ts";

/** The profile in a file, of the state folder, or built in. Rejects with what is wrong with it, or with the nearest name. */
export async function findProfile(name: string, folder: string): Promise<DeviceProfile> {
  if (name.includes("/") || [".yaml", ".yml", ".json"].includes(extname(name))) {
    const { profile, problems } = await readProfile(name);
    if (profile === null) throw new CliError(EXIT.failed, `the profile has mistakes:\n${problems.join("\n")}`);
    return profile;
  }
  const own = await userProfiles(folder);
  const builtIn = PROFILE_SUMMARIES.find(({ id }) => id === name);
  if (builtIn !== undefined) return await builtIn.load();
  const yours = own.profiles.find(({ id }) => id === name);
  if (yours !== undefined) return yours;
  const broken = own.broken.find(({ id }) => id === name);
  if (broken !== undefined) throw new CliError(EXIT.failed, `the profile has mistakes:\n${broken.problem}`);
  if (name === "sunspec") {
    throw new CliError(
      EXIT.failed,
      "sunspec is no list of registers: such a device tells its own when it is connected",
    );
  }
  const near = nearest(
    name,
    [...PROFILE_SUMMARIES, ...own.profiles].map(({ id }) => id),
  );
  const hint = near === null ? "" : `; did you mean "${near}"?`;
  throw new CliError(EXIT.failed, `no profile "${name}"; \`hemgate profile list\` shows them${hint}`);
}
