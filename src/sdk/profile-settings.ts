import type { ControlPoint } from "../points/points.ts";
import { type ConfirmedControls, confirmedProblem } from "./confirmed-controls.ts";
import type { ProfileSetting } from "./profile.ts";

/** What a device's owner may decide about, whatever kind its profile is of. */
interface Decided {
  readonly id: string;
  readonly settings?: Readonly<Record<string, ProfileSetting>>;
  readonly controls: readonly { readonly point: ControlPoint }[];
}

/** What is wrong with what an owner decided, in words; null when the device's profile takes it all. */
export function choicesProblem(
  profile: Decided,
  given: { readonly settings: Readonly<Record<string, number>>; readonly confirmUnverified: ConfirmedControls },
): string | null {
  const controls = profile.controls.map(({ point }) => point);
  return settingsProblem(profile, given.settings) ?? confirmedProblem(profile.id, given.confirmUnverified, controls);
}

function settingsProblem({ id, settings = {} }: Decided, given: Readonly<Record<string, number>>): string | null {
  for (const [name, value] of Object.entries(given)) {
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (setting === undefined) return `settings.${name}: ${id} has no such setting; ${knownText(settings)}`;
    const { min, max, unit, meaning } = setting;
    if (value < min || value > max) {
      return `settings.${name}: ${value} is not from ${min} to ${max}${unit === "" ? "" : ` ${unit}`} (${meaning})`;
    }
  }
  return null;
}

function knownText(settings: Readonly<Record<string, ProfileSetting>>): string {
  const names = Object.keys(settings);
  return names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
}
