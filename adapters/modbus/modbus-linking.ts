/** How people link Modbus devices by themselves: they say where the device is, and it has to answer before it counts. */

import type { DeviceProfile, Driver, LinkableType, RunningLinking } from "hemgate/sdk";
import { DeviceError, type FoundDevice, type LinkableVendor, type LinkStep, type LinkTurn } from "hemgate/sdk";
import { KNOWN_PROFILES } from "./known-profiles.ts";

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

/** What is typed, as the adapter's options take it. */
export interface LinkedOptions {
  readonly host: string;
  readonly port: number;
  readonly unit: number;
  readonly profile: string;
}

export const MODBUS_VENDORS: readonly LinkableVendor[] = [
  ...KNOWN_PROFILES.map(offerOfProfile),
  ...SUNSPEC_MAKERS.map(([displayName, vendors]) => ({
    id: `sunspec-${displayName.toLowerCase()}`,
    vendors,
    vendorTypes: SUNSPEC_TYPES,
    displayName,
    portalName: "SunSpec Modbus TCP",
    method: "local" as const,
    fields: addressFields({ port: MODBUS_PORT, unit: SUNSPEC_UNIT }),
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
    fields: addressFields(usualPlace(transports)),
  };
}

/** Where the device is found in the network, if it is there as it left the factory. */
function usualPlace(transports: DeviceProfile["transports"]): { readonly port: number; readonly unit: number } {
  for (const way of transports) if ("port" in way) return way;
  return { port: MODBUS_PORT, unit: transports[0].unit };
}

function addressFields({ port, unit }: { readonly port: number; readonly unit: number }): LinkableVendor["fields"] {
  return [
    { name: "host", kind: "host" },
    { name: "port", kind: "port", initial: String(port) },
    { name: "unit", kind: "unit", initial: String(unit) },
  ];
}

/** Signs nobody in: asks the device at the address who it is, and reads it once. */
export class ModbusLinking implements RunningLinking {
  readonly #connect: (options: LinkedOptions, signal: AbortSignal) => Promise<Driver>;

  constructor(connect: (options: LinkedOptions, signal: AbortSignal) => Promise<Driver>) {
    this.#connect = connect;
  }

  async take({ vendorId, answer }: LinkStep, signal: AbortSignal): Promise<LinkTurn> {
    const options = answer.kind === "form" ? optionsOf(vendorId, answer.values) : null;
    if (options === null) return { kind: "refused", why: "not-answering" };
    try {
      await using driver = await this.#connect(options, signal);
      const readings = await driver.read("all", signal);
      // Something that refuses every register speaks Modbus, but is another device.
      if (readings.every(({ value }) => value === null)) return { kind: "refused", why: "wrong-device" };
      return { kind: "found", devices: [deviceAt(driver, options)] };
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      return { kind: "refused", why: error.kind === "unreachable" ? "not-answering" : "wrong-device" };
    }
  }
}

/** Null for an address that cannot be one. */
function optionsOf(vendorId: string, values: Readonly<Record<string, string>>): LinkedOptions | null {
  const host = values["host"] ?? "";
  const port = wholeNumber(values["port"], 1, 65_535);
  const unit = wholeNumber(values["unit"], 0, 255);
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(host) || port === null || unit === null) return null;
  const profile = KNOWN_PROFILES.find(({ id }) => id === vendorId)?.id ?? "sunspec";
  return { host, port, unit, profile };
}

function wholeNumber(text: string | undefined, min: number, max: number): number | null {
  const value = /^\d{1,5}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

function deviceAt({ identity, points }: Driver, options: LinkedOptions): FoundDevice {
  const { manufacturer, model, serial } = identity;
  const address = `${options.host}:${options.port}`;
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

/** Units behind one address are devices of their own, with or without a number on their plate. */
export function linkKey(serial: string | null, { host, port, unit, profile }: LinkedOptions): string {
  return serial === null ? `${host}:${port}/${unit}` : `${profile}:${serial}:${unit}`;
}

function typesOf(points: readonly string[]): readonly LinkableType[] {
  return TYPES.filter((type) => points.some((point) => point.startsWith(`${type}.`)));
}
