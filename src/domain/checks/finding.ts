import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";

/**
 * What may be wrong about a device. Physics says all but two of them, about how it is installed or read; `control` says
 * that somebody else sets it, `identity` that another device answers at its address.
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

/** What makes it right; it is applied when the owner confirms it. */
export type Fix =
  /** The points count in the other direction. */
  | { readonly kind: "invert"; readonly deviceId: string; readonly points: readonly PointName[] }
  /** The points are multiplied. */
  | {
      readonly kind: "scale";
      readonly deviceId: string;
      readonly points: readonly PointName[];
      readonly factor: number;
    }
  /** What the device calls L1, L2 and L3 are these of the house, as indices from 0. */
  | { readonly kind: "phases"; readonly deviceId: string; readonly order: readonly [number, number, number] }
  /** The asset is another one seen a second time: it is not shown. */
  | { readonly kind: "hide"; readonly deviceId: string; readonly assetKind: AssetKind }
  /** The device with this serial number took the place of the expected one; `source` is where in it the number stands. */
  | { readonly kind: "replace"; readonly deviceId: string; readonly serial: string; readonly source: string };

/** One thing that physics contradicts, with the figures that say so. */
export interface Finding {
  readonly check: CheckKind;
  readonly deviceId: string;
  readonly assetKind: AssetKind;
  /** The other device that it was seen against; null when it is known by itself. */
  readonly against: string | null;
  /** What was measured, in one English sentence with figures and units. */
  readonly measured: string;
  /** Null: no setting of the gateway helps, somebody has to look at the device or its configuration. */
  readonly fix: Fix | null;
  /** What was set otherwise, of a `control`. */
  readonly change?: ForeignChange;
}

/** A value that the gateway held on a device, and that somebody else changed there. */
export interface ForeignChange {
  readonly point: ControlPoint;
  readonly held: PointValue;
  readonly found: PointValue;
  /** The value that the device has when nobody controls it; null: not known. */
  readonly atRest: PointValue | null;
}

/** Says which finding this is: the same over evaluations with other figures. */
export function findingKey({ check, deviceId, assetKind, against, fix, change }: Finding): string {
  const what = [check, deviceId, assetKind, against ?? "", fix === null ? "" : JSON.stringify(fix)];
  return [...what, ...(change === undefined ? [] : [change.point])].join("|");
}

/** A power for people. */
export function watts(value: number): string {
  return Math.abs(value) >= 10_000 ? `${(value / 1_000).toFixed(1)} kW` : `${Math.round(value)} W`;
}
