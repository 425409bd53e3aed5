import type { ProfileSetting } from "./profile.ts";

/** What is wrong with a device's settings, in words; null when its profile takes them all. */
export function settingsProblem(
  { id, settings = {} }: { readonly id: string; readonly settings?: Readonly<Record<string, ProfileSetting>> },
  given: Readonly<Record<string, number>>,
): string | null {
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
