import type { ControlPoint, LinkableType, LinkField } from "hemgate/sdk";
import type { HttpProfile } from "./http-profile.ts";

const TYPES: readonly LinkableType[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];

/** The part of a profile that is needed before a device uses it: to check options and to offer links. */
export interface HttpSummary extends Pick<HttpProfile, "id" | "brand" | "model" | "vendors" | "auth" | "settings"> {
  /** The kinds of asset that its devices may have. */
  readonly vendorTypes: readonly LinkableType[];
  /** What a person who links such a device is asked for. */
  readonly fields: readonly LinkField[];
  /** The points of its controls. */
  readonly controls: readonly ControlPoint[];
}

/** Returns the summary of a profile. */
export function httpSummaryOf(profile: HttpProfile): HttpSummary {
  const { id, brand, model, vendors, auth, settings, points, derived, controls } = profile;
  return {
    id,
    brand,
    model,
    vendors,
    vendorTypes: typesOf([...points.map(({ key }) => key), ...derived.map(({ point }) => point)]),
    auth,
    fields: fieldsOf(profile),
    ...(settings === undefined ? {} : { settings }),
    controls: controls.map(({ point }) => point),
  };
}

/** Returns the kinds of asset that points belong to. */
export function typesOf(points: readonly string[]): readonly LinkableType[] {
  return TYPES.filter((type) => points.some((point) => point.startsWith(`${type}.`)));
}

function fieldsOf({ port, auth, pairing }: HttpProfile): readonly LinkField[] {
  const address: readonly LinkField[] = [
    { name: "host", kind: "host" },
    { name: "port", kind: "port", initial: String(port) },
  ];
  if (pairing !== undefined || auth.kind === "none") return address;
  if (auth.kind === "token") return [...address, { name: "token", kind: "api-key" }];
  const isOptional = auth.kind === "query" || ("isOptional" in auth && auth.isOptional);
  return [...address, { name: "password", kind: "password", ...(isOptional ? { isOptional } : {}) }];
}
