import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import { instant } from "../fields.ts";
import { brandFor, vendorFor, vendorName } from "../vendors/vendor.ts";
import type { AssetKind } from "./asset.ts";

/** The identity that the device reports; `null` for what it does not report. */
export interface KnownIdentity {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly version: string | null;
  readonly name?: string | null;
  readonly year?: number | null;
  readonly category?: "HEATING" | "COOLING" | "HEAT_PUMP" | "AGGREGATOR" | null;
  readonly groupName?: string | null;
}

/** The part of a control that is stored: the point and the values that it accepts. */
export interface KnownControl {
  readonly point: ControlPoint;
  readonly values?: readonly PointValue[];
  /** Both ends included, in the point's unit. */
  readonly range?: { readonly min: number; readonly max: number };
  /** The least step of the numbers, in the point's unit. Absent: not known. */
  readonly step?: number;
}

/** What a device reported about itself when it was connected. It is stored, so that its assets exist while it is offline. */
export interface KnownDevice {
  readonly identity: KnownIdentity;
  readonly vendors: readonly string[];
  /** True if the device reports on behalf of other devices of the house. Absent: false. */
  readonly isEnergyManager?: boolean;
  readonly points: readonly PointName[];
  readonly controls: readonly KnownControl[];
  /** Controls that are off until the owner confirms them on the device. Absent: none. */
  readonly unconfirmed?: readonly ControlPoint[];
}

/** Everything that an asset is created from before its first reading. */
export interface AssetSeed {
  readonly id: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** Name that the user gave to the device, else one derived from the name of the site. */
  readonly siteName: string;
  /** IANA time zone of the house. */
  readonly timezone: string;
  /** Time of the last answer, or of the linking, wall-clock ms. */
  readonly lastSeenMs: number;
  /** Day that the installer entered, else the time at which the gateway first connected to the device, wall-clock ms. */
  readonly installedAtMs: number;
  readonly device: KnownDevice;
}

/** Returns the top-level fields of a new asset. It is not reachable before its first reading. */
export function seedFields(kind: AssetKind, seed: AssetSeed) {
  return {
    id: seed.id,
    userId: seed.userId,
    vendor: vendorFor(kind, seed.device.vendors),
    lastSeen: instant(seed.lastSeenMs),
    isReachable: false,
    scopes: [...seed.scopes],
  };
}

/** The model of a device that does not report it (rule S14). */
export const UNKNOWN_MODEL = "Unknown";

/** The brand of simulated devices without a vendor. */
const SIMULATED_BRAND = "Simulated";

/** Returns the brand and model as the API shows them, never `null` (rule S14). */
export function seedMake(kind: AssetKind, seed: AssetSeed): { brand: string; model: string } {
  const { identity, vendors } = seed.device;
  const vendor = vendorFor(kind, vendors);
  const fallback = vendor === "SIMULATED" ? SIMULATED_BRAND : vendorName(vendor);
  return { brand: brandFor(vendor, identity.manufacturer) ?? fallback, model: identity.model ?? UNKNOWN_MODEL };
}

/** Returns the control of a point; `null` if the point cannot be written. */
export function controlOf(device: Pick<KnownDevice, "controls">, point: ControlPoint): KnownControl | null {
  return device.controls.find((control) => control.point === point) ?? null;
}
