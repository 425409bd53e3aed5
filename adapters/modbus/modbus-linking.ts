/** How people link Modbus devices by themselves: they say where the device is, and it has to answer before it counts. */

import {
  DeviceError,
  type DeviceProfile,
  type Driver,
  deviceRefusal,
  type FoundDevice,
  hostRefusal,
  type LinkableType,
  type LinkableVendor,
  type LinkField,
  type LinkRefusal,
  type LinkStep,
  type LinkTurn,
  type Net,
  type RunningLinking,
  serialNumber,
  typedNumber,
} from "hemgate/sdk";
import { SUNSPEC } from "./connect-options.ts";
import { ModbusSetup } from "./modbus-setup.ts";
import { KNOWN_PROFILES } from "./profile/known-profiles.ts";

/** Makers whose inverters, batteries and meters describe themselves by SunSpec, with their vendor codes. */
const SUNSPEC_MAKERS: readonly (readonly [displayName: string, vendors: readonly string[]])[] = [
  ["Fronius", ["FRONIUS", "SUNSPEC"]],
  ["SMA", ["SMA", "SUNSPEC"]],
  ["SolarEdge", ["SOLAREDGE", "SUNSPEC"]],
  ["SunSpec", ["SUNSPEC"]],
];
const SUNSPEC_TYPES: readonly LinkableType[] = ["inverter", "battery", "meter"];
const SUNSPEC_UNIT = 1;
const MODBUS_PORT = 502;
const TYPES: readonly LinkableType[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];

/** A serial port by one of the names that Linux gives to those that a device may hang on. */
const SERIAL_PORT = /^\/dev\/(tty(USB|ACM|AMA|S|O|SC|mxc)\d{1,3}|serial\/by-(id|path)\/[\w.:+-]{1,200})$/;

/** A device with a serial line hangs on this machine, or behind a box that passes its frames on. */
const SERIAL_LABEL = {
  "en-US": "Network address, or serial port such as /dev/ttyUSB0",
  "de-DE": "Netzwerkadresse, oder serielle Schnittstelle wie /dev/ttyUSB0",
};

/** What is typed, as the adapter's options take it. */
export type LinkedOptions = { readonly unit: number; readonly profile: string } & (
  | { readonly host: string; readonly port: number }
  | { readonly serialPort: string }
);

/** The ways to link a device of each profile. */
export function vendorsOf(profiles: readonly DeviceProfile[]): readonly LinkableVendor[] {
  return profiles.map(offerOfProfile);
}

/** The generic offer: a device of any maker that describes itself. */
const ANY_SUNSPEC = "sunspec-sunspec";

/** The offer that a device which describes itself belongs to, by what it says of its maker. */
export function sunSpecVendor(manufacturer: string | null): string {
  const maker = SUNSPEC_MAKERS.find(([displayName]) => isOfBrand(manufacturer, displayName));
  return maker === undefined ? ANY_SUNSPEC : idOfMaker(maker[0]);
}

/** Whether a device is of a brand by what it says of its maker. */
export function isOfBrand(manufacturer: string | null, brand: string): boolean {
  return (manufacturer ?? "").toUpperCase().includes(brand.toUpperCase());
}

/** What people call the maker that an offer is of; null for an offer that there is not, or that is of any maker. */
export function brandOf(vendorId: string, profiles: readonly DeviceProfile[]): string | null {
  if (vendorId === ANY_SUNSPEC) return null;
  const maker = SUNSPEC_MAKERS.find(([displayName]) => idOfMaker(displayName) === vendorId);
  return maker?.[0] ?? profiles.find(({ id }) => id === vendorId)?.brand ?? null;
}

function idOfMaker(displayName: string): string {
  return `sunspec-${displayName.toLowerCase()}`;
}

export const MODBUS_VENDORS: readonly LinkableVendor[] = [
  ...vendorsOf(KNOWN_PROFILES),
  ...SUNSPEC_MAKERS.map(([displayName, vendors]) => ({
    id: idOfMaker(displayName),
    vendors,
    vendorTypes: SUNSPEC_TYPES,
    displayName,
    portalName: "SunSpec Modbus TCP",
    method: "local" as const,
    fields: addressFields({ port: MODBUS_PORT, unit: SUNSPEC_UNIT }, false),
  })),
];

function offerOfProfile({ id, vendors, brand, model, points, derived, transports }: DeviceProfile): LinkableVendor {
  return {
    id,
    vendors,
    vendorTypes: typesOf([...points.map(({ key }) => key), ...derived.map(({ point }) => point)]),
    displayName: brand,
    portalName: model,
    method: "local",
    fields: addressFields(usualPlace(transports), transports.some(isSerial)),
  };
}

/** Where the device is found in the network, if it is there as it left the factory. */
function usualPlace(transports: DeviceProfile["transports"]): { readonly port: number; readonly unit: number } {
  for (const way of transports) if ("port" in way) return way;
  return { port: MODBUS_PORT, unit: transports[0].unit };
}

function isSerial({ kind }: DeviceProfile["transports"][number]): boolean {
  return kind === "rtu" || kind === "ascii";
}

function addressFields(
  { port, unit }: { readonly port: number; readonly unit: number },
  hasSerial: boolean,
): readonly LinkField[] {
  return [
    { name: "host", kind: "host", ...(hasSerial ? { label: SERIAL_LABEL } : {}) },
    { name: "port", kind: "port", initial: String(port) },
    { name: "unit", kind: "unit", initial: String(unit) },
  ];
}

type Connect = (options: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<Driver>;

/** Signs nobody in: asks the device at the address who it is, and reads it once. */
export class ModbusLinking implements RunningLinking {
  readonly setup: ModbusSetup;
  readonly #net: Pick<Net, "resolve">;
  readonly #connect: Connect;
  readonly #profiles: readonly DeviceProfile[];

  constructor(net: Pick<Net, "resolve">, connect: Connect, profiles: readonly DeviceProfile[]) {
    this.#net = net;
    this.setup = new ModbusSetup(connect, profiles);
    this.#connect = connect;
    this.#profiles = profiles;
  }

  async take({ vendorId, answer }: LinkStep, signal: AbortSignal): Promise<LinkTurn> {
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
  async #askSunSpec(vendorId: string, options: LinkedOptions, signal: AbortSignal): Promise<LinkTurn | null> {
    const brand = brandOf(vendorId, this.#profiles);
    const result = await this.#ask({ ...options, profile: SUNSPEC }, signal);
    if (brand === null || result.kind !== "found") return null;
    const devices = result.devices.filter(({ model }) => isOfBrand(model, brand));
    if (devices.length === 0) return null;
    return { kind: "found", devices: devices.map((device) => ({ ...device, vendorId: sunSpecVendor(device.model) })) };
  }

  async #ask(options: LinkedOptions, signal: AbortSignal): Promise<LinkTurn> {
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

function typesOf(points: readonly string[]): readonly LinkableType[] {
  return TYPES.filter((type) => points.some((point) => point.startsWith(`${type}.`)));
}
