/** Devices of which one address has several: relays or meters that a setting tells apart, each a separate device. */
import { DeviceError } from "hemgate/sdk";
import type { HttpProfile } from "./http-profile.ts";
import { settingsIn } from "./path-settings.ts";

/** More than a device is known to have; one that is numbered otherwise is named by its setting. */
const MAX_CHANNELS = 8;
const CHANNEL = "channel";

type Options = Readonly<Record<string, unknown>>;

/**
 * What `look` finds with the options of each channel, which are numbered from 0 without a gap; it answers null where
 * there is none. Rejects when the first does not answer.
 */
export async function eachChannel<Found>(
  profile: HttpProfile,
  options: Options,
  look: (options: Options) => Promise<Found | null>,
): Promise<readonly Found[]> {
  if (!hasChannels(profile) || isChannelKnown(options)) {
    const only = await look(options);
    return only === null ? [] : [only];
  }
  const found: Found[] = [];
  while (found.length < MAX_CHANNELS) {
    const settings = { ...settingsOf(options), [CHANNEL]: found.length };
    const next = await look({ ...options, settings }).catch((error: unknown) => {
      // The others have answered, so this one is not there.
      if (found.length > 0 && error instanceof DeviceError) return null;
      throw error;
    });
    if (next === null) break;
    found.push(next);
  }
  return found;
}

/** What tells the channels of one device apart; empty for the first, and for a device that has but one. */
export function channelMark(options: Options): string {
  const channel = settingsOf(options)[CHANNEL];
  return typeof channel === "number" && channel > 0 ? `#${channel}` : "";
}

/** The settings of a profile that a found device leaves open. */
export function openSettings({ settings = {} }: HttpProfile, options: Options): NonNullable<HttpProfile["settings"]> {
  if (!isChannelKnown(options)) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== CHANNEL));
}

export function settingsOf({ settings }: Options): Readonly<Record<string, unknown>> {
  return typeof settings === "object" && settings !== null ? { ...settings } : {};
}

function hasChannels({ settings = {}, polls, points }: HttpProfile): boolean {
  const paths = [...polls, ...points].map(({ path }) => path);
  return settings[CHANNEL] !== undefined && paths.some((path) => settingsIn(path).includes(CHANNEL));
}

function isChannelKnown(options: Options): boolean {
  return typeof settingsOf(options)[CHANNEL] === "number";
}
