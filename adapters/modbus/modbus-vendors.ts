/** The ways in which people link Modbus devices: one of each profile, and those of devices that describe themselves. */
import type { LinkableType, LinkableVendor, LinkField } from "hemgate/sdk";
import { PROFILE_SUMMARIES } from "./profile/profile-summaries.generated.ts";
import type { ProfileSummary } from "./profile/profile-summary.ts";

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

/** A device with a serial line hangs on this machine, or behind a box that passes its frames on. */
const SERIAL_LABEL = {
  "en-US": "Network address, or serial port such as /dev/ttyUSB0",
  "de-DE": "Netzwerkadresse, oder serielle Schnittstelle wie /dev/ttyUSB0",
};

/** The ways to link a device of each profile. */
export function vendorsOf(profiles: readonly ProfileSummary[]): readonly LinkableVendor[] {
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
export function brandOf(vendorId: string, profiles: readonly ProfileSummary[]): string | null {
  if (vendorId === ANY_SUNSPEC) return null;
  const maker = SUNSPEC_MAKERS.find(([displayName]) => idOfMaker(displayName) === vendorId);
  return maker?.[0] ?? profiles.find(({ id }) => id === vendorId)?.brand ?? null;
}

function idOfMaker(displayName: string): string {
  return `sunspec-${displayName.toLowerCase()}`;
}

export const MODBUS_VENDORS: readonly LinkableVendor[] = [
  ...vendorsOf(PROFILE_SUMMARIES),
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

function offerOfProfile({ id, vendors, vendorTypes, brand, model, transports }: ProfileSummary): LinkableVendor {
  return {
    id,
    vendors,
    vendorTypes,
    displayName: brand,
    portalName: model,
    method: "local",
    fields: addressFields(usualPlace(transports), transports.some(isSerial)),
  };
}

/** Where the device is found in the network, if it is there as it left the factory. */
function usualPlace(transports: ProfileSummary["transports"]): { readonly port: number; readonly unit: number } {
  for (const way of transports) if ("port" in way) return way;
  return { port: MODBUS_PORT, unit: transports[0].unit };
}

function isSerial({ kind }: ProfileSummary["transports"][number]): boolean {
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
