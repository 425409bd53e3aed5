import type { ControlPoint, DeviceProfile, LinkableType } from "hemgate/sdk";

const TYPES: readonly LinkableType[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];

/** The part of a profile that is needed before a device uses it: to check options, to offer links and to search. */
export interface ProfileSummary
  extends Pick<DeviceProfile, "id" | "brand" | "model" | "vendors" | "transports" | "settings" | "fingerprint"> {
  /** The kinds of asset that its devices may have. */
  readonly vendorTypes: readonly LinkableType[];
  /** The points of its controls. */
  readonly controls: readonly ControlPoint[];
  /** Loads the whole profile. Rejects with a `LoadError`. */
  load(): Promise<DeviceProfile>;
}

/** A profile that is named and cannot be used. Its devices stay unreachable, and say why. */
export interface BrokenProfile {
  readonly id: string;
  readonly problem: string;
}

/** The profiles beside those that are built in. */
export interface OwnProfiles {
  readonly profiles: readonly DeviceProfile[];
  readonly broken: readonly BrokenProfile[];
}

/** Returns the summary of a profile that is loaded already. */
export function summaryOf(profile: DeviceProfile): ProfileSummary {
  const { id, brand, model, vendors, transports, settings, fingerprint, points, derived, controls } = profile;
  return {
    id,
    brand,
    model,
    vendors,
    vendorTypes: typesOf([...points.map(({ key }) => key), ...derived.map(({ point }) => point)]),
    transports,
    ...(settings === undefined ? {} : { settings }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    controls: controls.map(({ point }) => point),
    load: async () => profile,
  };
}

/** Returns the kinds of asset that points belong to. */
export function typesOf(points: readonly string[]): readonly LinkableType[] {
  return TYPES.filter((type) => points.some((point) => point.startsWith(`${type}.`)));
}
