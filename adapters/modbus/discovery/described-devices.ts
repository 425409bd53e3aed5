/** Devices that announce themselves by SSDP and say who they are, among those that a search for Modbus meets. */
import type { SeenService, Sighting } from "hemgate/sdk";
import { isOfBrand } from "../modbus-vendors.ts";
import type { ProfileSummary } from "../profile/profile-summary.ts";
import { netWay } from "./doors.ts";

/** It is there, but nobody saw it answer to Modbus. */
const NOT_MET = 0.3;

/** What the plate does not tell is what the description says; what it tells counts. */
export function completed(sighting: Sighting, services: readonly SeenService[]): Sighting {
  const description = services.find(({ address }) => address === sighting.address)?.description;
  if (description === undefined) return sighting;
  const { manufacturer, model, serial, name } = sighting;
  return {
    ...sighting,
    manufacturer: manufacturer ?? description.manufacturer,
    model: model ?? description.model,
    // A description may be of a part, so its serial number does not identify a known device.
    serial: sighting.profile === null ? (serial ?? description.serial) : serial,
    name: name ?? description.name,
  };
}

/** A device of a brand that has profiles, which did not answer; null for any other service. */
export function unmet({ source, address, description }: SeenService, all: readonly ProfileSummary[]): Sighting | null {
  if (source !== "ssdp" || description === undefined) return null;
  const { manufacturer, model, serial, name } = description;
  const own = all.filter(({ brand }) => isOfBrand(manufacturer, brand));
  if (own.length === 0) return null;
  const named = own.filter((profile) => isNamed(profile, model));
  const [profile, ...others] = named.length > 0 ? named : own;
  const way = profile === undefined || others.length > 0 ? null : netWay(profile);
  const id = way === null ? null : (profile?.id ?? null);
  return {
    key: `ssdp:${serial ?? address}`,
    options: way === null ? null : { host: address, port: way.port, unit: way.unit, profile: id },
    place: { host: address },
    manufacturer,
    model,
    serial,
    firmware: null,
    name,
    vendorTypes: profile?.vendorTypes ?? [],
    vendors: profile?.vendors ?? [],
    profile: id,
    address,
    confidence: NOT_MET,
    proof: { key: "proofSilent", values: { name: name ?? model ?? manufacturer ?? "" } },
    source: "ssdp",
  };
}

/** A word of the profile's model, or of its id, stands in what the device calls itself. */
function isNamed({ id, model }: ProfileSummary, reported: string | null): boolean {
  const words = new Set((reported ?? "").toLowerCase().split(/[^a-z0-9]+/));
  const own = [...model.toLowerCase().split(/[^a-z0-9]+/), ...id.split("-").slice(1)];
  return own.some((word) => word.length > 1 && words.has(word));
}
