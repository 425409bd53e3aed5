/** How people link Modbus devices by themselves: they say where the device is, and it has to answer before it counts. */

import {
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
  serialNumber,
  typedNumber,
} from "hemgate/sdk";
import { SUNSPEC } from "./connect-options.ts";
import { ModbusSetup } from "./modbus-setup.ts";
import { brandOf, isOfBrand, sunSpecVendor } from "./modbus-vendors.ts";
import { type ProfileSummary, typesOf } from "./profile/profile-summary.ts";

/** A serial port by one of the names that Linux gives to those that a device may hang on. */
const SERIAL_PORT = /^\/dev\/(tty(USB|ACM|AMA|S|O|SC|mxc)\d{1,3}|serial\/by-(id|path)\/[\w.:+-]{1,200})$/;

/** What is typed, as the adapter's options take it. */
export type LinkedOptions = { readonly unit: number; readonly profile: string } & (
  | { readonly host: string; readonly port: number }
  | { readonly serialPort: string }
);

type Connect = (options: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<Driver>;

/** Signs nobody in: asks the device at the address who it is, and reads it once. */
export class ModbusLinking implements RunningLinking {
  readonly setup: ModbusSetup;
  readonly #net: Pick<Net, "resolve">;
  readonly #connect: Connect;
  readonly #profiles: readonly ProfileSummary[];

  constructor(net: Pick<Net, "resolve">, connect: Connect, profiles: readonly ProfileSummary[]) {
    this.#net = net;
    this.setup = new ModbusSetup(connect, profiles);
    this.#connect = connect;
    this.#profiles = profiles;
  }

  async take({ vendorId, answer }: LinkStep, signal: AbortSignal): Promise<LinkOutcome> {
    const profile = this.#profiles.find(({ id }) => id === vendorId)?.id ?? SUNSPEC;
    if (answer.kind !== "form") return { kind: "refused", why: "not-answering" };
    const options = await this.#optionsOf(profile, answer.values);
    if (typeof options === "string") return { kind: "refused", why: options };
    const result = await this.#ask(options, signal);
    const isOther = result.kind === "refused" && result.why === "wrong-device" && profile !== SUNSPEC;
    return (isOther ? await this.#askSunSpec(vendorId, options, signal) : null) ?? result;
  }

  /** What was typed, or why nothing is asked there. */
  async #optionsOf(profile: string, values: Readonly<Record<string, string>>): Promise<LinkedOptions | LinkRefusal> {
    const host = values["host"] ?? "";
    const port = typedNumber(values["port"], 1, 65_535);
    const unit = typedNumber(values["unit"], 0, 255);
    if (SERIAL_PORT.test(host)) return unit === null ? "out-of-range" : { serialPort: host, unit, profile };
    if (port === null || unit === null) return "out-of-range";
    return (await hostRefusal(this.#net, host)) ?? { host, port, unit, profile };
  }

  /** What is no device of the model that was chosen may be one of the brand that describes itself. */
  async #askSunSpec(vendorId: string, options: LinkedOptions, signal: AbortSignal): Promise<LinkOutcome | null> {
    const brand = brandOf(vendorId, this.#profiles);
    const result = await this.#ask({ ...options, profile: SUNSPEC }, signal);
    if (brand === null || result.kind !== "found") return null;
    const devices = result.devices.filter(({ model }) => isOfBrand(model, brand));
    if (devices.length === 0) return null;
    return { kind: "found", devices: devices.map((device) => ({ ...device, vendorId: sunSpecVendor(device.model) })) };
  }

  async #ask(options: LinkedOptions, signal: AbortSignal): Promise<LinkOutcome> {
    try {
      await using driver = await this.#connect(options, signal);
      const readings = await driver.read("all", signal);
      // Something that refuses every register speaks Modbus, but is another device.
      if (readings.every(({ value }) => value === null)) return { kind: "refused", why: "wrong-device" };
      return { kind: "found", devices: [deviceAt(driver, options)] };
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      return { kind: "refused", why: deviceRefusal(error) };
    }
  }
}

function deviceAt({ identity, points }: Driver, options: LinkedOptions): FoundDevice {
  const { manufacturer, model, serial } = identity;
  const address = placeName(options);
  const plate = [manufacturer, model].filter((part) => part !== null);
  return {
    key: linkKey(serial, options),
    vendorTypes: typesOf(points),
    name: null,
    model: plate.length === 0 ? null : plate.join(" "),
    detail: serial ?? address,
    options: { ...options },
  };
}

/** Units behind one address are separate devices, with or without a number on their plate. */
export function linkKey(serial: string | null, options: LinkedOptions): string {
  const { unit, profile } = options;
  return serialNumber(serial) === null ? `${placeName(options)}/${unit}` : `${profile}:${serial}:${unit}`;
}

function placeName(options: LinkedOptions): string {
  return "host" in options ? `${options.host}:${options.port}` : options.serialPort;
}
