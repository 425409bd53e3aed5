import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import { instant } from "../fields.ts";
import { brandFor, vendorFor, vendorName } from "../vendors/vendor.ts";
import type { AssetKind } from "./asset.ts";

/** Who the device says it is; null where it does not tell. */
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

/** What a control accepts: the part of it that outlives a connection. */
export interface KnownControl {
  readonly point: ControlPoint;
  readonly values?: readonly PointValue[];
  /** Both ends included, in the point's unit. */
  readonly range?: { readonly min: number; readonly max: number };
}

/** What connecting to a device told about it. Kept, so that its assets are known while it is dead. */
export interface KnownDevice {
  readonly identity: KnownIdentity;
  readonly vendors: readonly string[];
  /** It speaks for other devices of the house. Absent: no. */
  readonly isEnergyManager?: boolean;
  readonly points: readonly PointName[];
  readonly controls: readonly KnownControl[];
  /** Points that it could be told once somebody confirmed them on the device. Absent: none. */
  readonly unconfirmed?: readonly ControlPoint[];
}

/** All that an asset is made from before the first reading. */
export interface AssetSeed {
  readonly id: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** Name the user gave, else one made from the site's. */
  readonly siteName: string;
  /** IANA time zone of the house. */
  readonly timezone: string;
  /** Wall-clock ms of the last answer, or of the linking. */
  readonly lastSeenMs: number;
  /** Wall-clock ms of the installation: the day that the installer set, else when the gateway first met the device. */
  readonly installedAtMs: number;
  readonly device: KnownDevice;
}

/** The fields that every asset starts with; not reachable until a reading says so. */
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

/** The brand of made-up devices that are of no vendor. */
const SIMULATED_BRAND = "Simulated";

/** The brand and model as the API shows them: never null (rule S14). */
export function seedMake(kind: AssetKind, seed: AssetSeed): { brand: string; model: string } {
  const { identity, vendors } = seed.device;
  const vendor = vendorFor(kind, vendors);
  const fallback = vendor === "SIMULATED" ? SIMULATED_BRAND : vendorName(vendor);
  return { brand: brandFor(vendor, identity.manufacturer) ?? fallback, model: identity.model ?? UNKNOWN_MODEL };
}

/** The control of a point, or null when the device does not let us write it. */
export function controlOf(device: Pick<KnownDevice, "controls">, point: ControlPoint): KnownControl | null {
  return device.controls.find((control) => control.point === point) ?? null;
}
