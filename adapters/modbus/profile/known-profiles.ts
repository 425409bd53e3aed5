import type { DeviceProfile } from "hemgate/sdk";
import { PROFILE_SUMMARIES } from "./profile-summaries.generated.ts";

/** Loads every built-in profile, for those that show or check them all. */
export async function allProfiles(): Promise<readonly DeviceProfile[]> {
  return await Promise.all(PROFILE_SUMMARIES.map((summary) => summary.load()));
}
