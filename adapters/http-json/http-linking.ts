/** How people link devices that answer by HTTP: an address, and what the device wants to let us in. */
import {
  type Clock,
  DeviceError,
  type Driver,
  deviceRefusal,
  type FoundDevice,
  hostRefusal,
  type LinkOutcome,
  type LinkRefusal,
  type LinkStep,
  type Net,
  type RunningLinking,
  typedNumber,
} from "hemgate/sdk";
import { z } from "zod";
import { channelMark, eachChannel } from "./channels.ts";
import type { HttpProfile } from "./http-profile.ts";
import { HttpSetup } from "./http-setup.ts";
import { typesOf } from "./http-summary.ts";
import { KNOWN_HTTP_PROFILES } from "./known-http-profiles.ts";
import type { LineShare } from "./line-registry.ts";
import { pairHomeWizard } from "./pairing.ts";

/** What is typed, as the adapter's options take it. */
type Options = Readonly<Record<string, unknown>>;

/** What links need of the adapter. */
export interface LinkingParts {
  readonly net: Pick<Net, "resolve">;
  readonly clock: Pick<Clock, "sleep" | "monotonicMs">;
  /** The caller disposes the driver. */
  connect(
    options: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly driver: Driver; readonly fingerprint: string | null }>;
  /** A share in the line to a device. The caller disposes it. */
  open(options: Options): LineShare;
}

const Memo = z.object({ host: z.string(), port: z.number() });

/** Asks the device at the address who it is, and reads it once, before it counts as found. */
export class HttpLinking implements RunningLinking {
  readonly setup: HttpSetup;
  readonly #parts: LinkingParts;

  constructor(parts: LinkingParts) {
    this.setup = new HttpSetup((options, signal) => parts.connect(options, signal));
    this.#parts = parts;
  }

  async take({ vendorId, answer, memo }: LinkStep, signal: AbortSignal): Promise<LinkOutcome> {
    const profile = KNOWN_HTTP_PROFILES.find(({ id }) => id === vendorId);
    if (profile === undefined || answer.kind !== "form") return { kind: "refused", why: "not-answering" };
    const remembered = Memo.safeParse(memo);
    const options = remembered.success ? remembered.data : await this.#optionsOf(answer.values);
    if (typeof options === "string") return { kind: "refused", why: options };
    const place: Options = { ...options, profile: profile.id };
    try {
      if (profile.pairing === undefined) return await this.#found(profile, place, signal);
      using share = this.#parts.open(place);
      const token = await pairHomeWizard(share.line, this.#parts.clock, remembered.success, signal);
      // The person presses the button and goes on; what we know so far comes back with that.
      if (token === null) return { kind: "ask", fields: [], memo: { host: place["host"], port: place["port"] } };
      return await this.#found(profile, { ...place, token }, signal);
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      return { kind: "refused", why: refusalOf(profile, error) };
    }
  }

  /** What was typed, or why nothing is asked there. */
  async #optionsOf(values: Readonly<Record<string, string>>): Promise<Options | LinkRefusal> {
    const { host = "", port: typed, password = "", token = "" } = values;
    const port = typedNumber(typed, 1, 65_535);
    const refusal = port === null ? "out-of-range" : await hostRefusal(this.#parts.net, host);
    return refusal ?? { host, port, ...(password === "" ? {} : { password }), ...(token === "" ? {} : { token }) };
  }

  async #found(profile: HttpProfile, options: Options, signal: AbortSignal): Promise<LinkOutcome> {
    const devices = await eachChannel(profile, options, async (own) => {
      const { driver, fingerprint } = await this.#parts.connect(own, signal);
      await using device = driver;
      const readings = await device.read("all", signal);
      if (readings.every(({ value }) => value === null)) return null;
      return deviceAt(profile, device, fingerprint === null ? own : { ...own, fingerprint });
    });
    // What answers, but with nothing that the profile knows, is another device.
    return devices.length === 0 ? { kind: "refused", why: "wrong-device" } : { kind: "found", devices };
  }
}

function refusalOf({ auth }: HttpProfile, error: DeviceError): LinkRefusal {
  return error.kind === "unauthorized" && auth.kind !== "none" ? "invalid-credentials" : deviceRefusal(error);
}

function deviceAt(profile: HttpProfile, { identity, points }: Driver, options: Options): FoundDevice {
  const { manufacturer, model, serial, name = null } = identity;
  const address = `${options["host"]}:${options["port"]}`;
  const plate = [manufacturer, model].filter((part) => part !== null);
  const mark = channelMark(options);
  return {
    key: `${profile.id}:${serial ?? address}${mark}`,
    vendorTypes: typesOf(points),
    name: name === null ? null : `${name} ${mark}`.trimEnd(),
    model: plate.length === 0 ? null : plate.join(" "),
    detail: `${serial ?? address} ${mark}`.trimEnd(),
    options,
  };
}
