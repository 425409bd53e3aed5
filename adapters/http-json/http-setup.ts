/** What the owner of a device decides when it is linked: its profile's settings, and controls that wait. */
import {
  choiceFields,
  chosenOptions,
  DeviceError,
  type Driver,
  deviceRefusal,
  type FoundDevice,
  type LinkField,
  type LinkRefusal,
  type LinkSetup,
  type SetupOutcome,
  withheldControls,
} from "hemgate/sdk";
import { openSettings, settingsOf } from "./channels.ts";
import type { HttpProfile } from "./http-profile.ts";
import { KNOWN_HTTP_PROFILES } from "./known-http-profiles.ts";
import { settingsIn } from "./path-settings.ts";
import { SETTING_WORDS } from "./setting-words.ts";

type Options = Readonly<Record<string, unknown>>;
type Connect = (options: Options, signal: AbortSignal) => Promise<{ readonly driver: Driver }>;

export class HttpSetup implements LinkSetup {
  readonly #connect: Connect;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  async fields({ options }: FoundDevice, known: Options | null): Promise<readonly LinkField[]> {
    const profile = profileOf(options);
    return profile === null
      ? []
      : choiceFields(
          { ...withheldControls(profile.controls), settings: openSettings(profile, options), words: SETTING_WORDS },
          known,
        );
  }

  /** A setting that says where to read is tried: a channel that is not there would be a device that never answers. */
  async apply(
    device: FoundDevice,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SetupOutcome> {
    const { settings = {}, ...chosen } = chosenOptions(values);
    const all = { ...settingsOf(device.options), ...settings };
    const options = { ...device.options, ...chosen, ...(Object.keys(all).length === 0 ? {} : { settings: all }) };
    const profile = profileOf(options);
    const why = profile !== null && isReadBySetting(profile) ? await this.#refusal(options, signal) : null;
    return why === null ? { kind: "ready", device: { ...device, options } } : { kind: "refused", why };
  }

  async #refusal(options: Options, signal: AbortSignal): Promise<LinkRefusal | null> {
    try {
      const { driver } = await this.#connect(options, signal);
      await using device = driver;
      const readings = await device.read("all", signal);
      return readings.every(({ value }) => value === null) ? "wrong-device" : null;
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      return error.kind === "unauthorized" ? "invalid-credentials" : deviceRefusal(error);
    }
  }
}

function profileOf(options: Options): HttpProfile | null {
  return KNOWN_HTTP_PROFILES.find(({ id }) => id === options["profile"]) ?? null;
}

function isReadBySetting({ polls, points }: HttpProfile): boolean {
  return [...polls, ...points].some(({ path }) => settingsIn(path).length > 0);
}
