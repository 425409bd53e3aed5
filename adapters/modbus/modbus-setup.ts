/** What the owner of a Modbus device decides when it is linked: its profile's settings, and controls that wait. */
import {
  choiceFields,
  chosenOptions,
  type Driver,
  type FoundDevice,
  type LinkField,
  type LinkSetup,
  type SetupOutcome,
  type WithheldControls,
  withheldControls,
} from "hemgate/sdk";
import { SUNSPEC } from "./connect-options.ts";
import type { ProfileSummary } from "./profile/profile-summary.ts";
import { SETTING_WORDS } from "./profile/setting-words.ts";
import { UNVERIFIED_MODES } from "./sunspec/storage-control.ts";

type Options = Readonly<Record<string, unknown>>;

export class ModbusSetup implements LinkSetup {
  /** Connects to a device with options of its entry. */
  readonly #connect: (options: Options, signal: AbortSignal) => Promise<Driver>;
  readonly #profiles: readonly ProfileSummary[];

  constructor(
    connect: (options: Options, signal: AbortSignal) => Promise<Driver>,
    profiles: readonly ProfileSummary[],
  ) {
    this.#connect = connect;
    this.#profiles = profiles;
  }

  async fields(
    { options, vendorTypes }: FoundDevice,
    known: Options | null,
    signal: AbortSignal,
  ): Promise<readonly LinkField[]> {
    const summary = this.#profiles.find(({ id }) => id === options["profile"]);
    if (summary !== undefined) {
      const { controls, settings = {} } = await summary.load();
      return choiceFields({ ...withheldControls(controls), settings, words: SETTING_WORDS }, known);
    }
    const isAsked = options["profile"] === SUNSPEC && vendorTypes.includes("battery");
    return isAsked ? choiceFields(await this.#sunSpecModes(options, signal), known) : [];
  }

  async apply(device: FoundDevice, values: Readonly<Record<string, string>>): Promise<SetupOutcome> {
    return { kind: "ready", device: { ...device, options: { ...device.options, ...chosenOptions(values) } } };
  }

  /** Which modes a device that describes itself has only when they are confirmed; nothing is written to it. */
  async #sunSpecModes(options: Options, signal: AbortSignal): Promise<WithheldControls> {
    await using driver = await this.#connect({ ...options, confirmUnverified: true }, signal);
    const offered = driver.controls.find(({ point }) => point === "battery.mode")?.values ?? [];
    const values = UNVERIFIED_MODES.filter((mode) => offered.includes(mode));
    return {
      unverified:
        values.length === 0
          ? []
          : [
              {
                point: "battery.mode",
                values,
                confidence: "derived",
                source: "what the registers of SunSpec model 124 mean",
                isTimer: false,
              },
            ],
      noFailsafe: [],
    };
  }
}
