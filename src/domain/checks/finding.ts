import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import type { MeasuredText } from "./measured-text.ts";

/**
 * What may be wrong with a device. All but two kinds come from physics and concern how the device is installed or read.
 * `control`: somebody else sets the device. `identity`: another device answers at its address.
 */
export type CheckKind =
  | "sign"
  | "phase"
  | "role"
  | "scale"
  | "duplicate"
  | "frozen"
  | "range"
  | "balance"
  | "control"
  | "identity";

/** A correction of a device's readings, or of its configured identity. It is applied when the owner confirms it. */
export type Fix =
  /** The points change their sign. */
  | { readonly kind: "invert"; readonly deviceId: string; readonly points: readonly PointName[] }
  /** The points are multiplied by the factor. */
  | {
      readonly kind: "scale";
      readonly deviceId: string;
      readonly points: readonly PointName[];
      readonly factor: number;
    }
  /** The device's L1, L2 and L3 are these phases of the house, as indices from 0. */
  | { readonly kind: "phases"; readonly deviceId: string; readonly order: readonly [number, number, number] }
  /** The asset is a second view of another one and is not shown. */
  | { readonly kind: "hide"; readonly deviceId: string; readonly assetKind: AssetKind }
  /** The expected device was replaced by the one with this serial number; `source` is where in it the number was read. */
  | { readonly kind: "replace"; readonly deviceId: string; readonly serial: string; readonly source: string };

/** A contradiction between readings and physics, with the figures that show it. */
export interface Finding {
  readonly check: CheckKind;
  readonly deviceId: string;
  readonly assetKind: AssetKind;
  /** The other device of the comparison; `null` if the device contradicts itself. */
  readonly against: string | null;
  /** What was measured, in one English sentence with figures and units. */
  readonly measured: string;
  /** The same as a text for other languages; absent in findings that were stored by older versions. */
  readonly text?: MeasuredText;
  /** `null` if no setting of the gateway helps: somebody has to look at the device or its configuration. */
  readonly fix: Fix | null;
  /** The value that was changed; only with `control`. */
  readonly change?: ForeignChange;
}

/** A value that the gateway held on a device, and that somebody else changed there. Stored with the finding. */
export interface ForeignChange {
  readonly point: ControlPoint;
  readonly held: PointValue;
  readonly found: PointValue;
  /** The value that the device has while nobody controls it; `null` if not known. */
  readonly atRest: PointValue | null;
}

/** Returns the key of a finding. It stays the same when a later check finds the same with other figures. */
export function findingKey({ check, deviceId, assetKind, against, fix, change }: Finding): string {
  const what = [check, deviceId, assetKind, against ?? "", fix === null ? "" : JSON.stringify(fix)];
  return [...what, ...(change === undefined ? [] : [change.point])].join("|");
}

/** Returns the findings with at most one duplicate per asset: an asset shown three times duplicates the first one only. */
export function withoutRepeatedDuplicates(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    ({ check, deviceId, assetKind }, index) =>
      check !== "duplicate" ||
      !findings
        .slice(0, index)
        .some((other) => other.check === check && other.deviceId === deviceId && other.assetKind === assetKind),
  );
}

/** True if a finding says that a device's meter shows import as export, on one phase at least. */
export function isTurnedMeter({ check, assetKind, deviceId }: Finding, meterDeviceId: string): boolean {
  return check === "sign" && assetKind === "meter" && deviceId === meterDeviceId;
}
