import type { PointName } from "../../points/points.ts";
import { type AssetLocation, instant, NO_LOCATION } from "../fields.ts";
import { patch } from "../patch.ts";
import type { AssetKind } from "./asset.ts";
import { isFresh, type PointValues, type Snapshot } from "./snapshot.ts";

/** A point on the map, degrees north and east. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The kinds that are found at a location by their coordinates (rule S5.2). */
export type LocatedKind = Exclude<AssetKind, "charger" | "hvac">;

const POINTS = {
  battery: ["battery.latitude", "battery.longitude"],
  inverter: ["inverter.latitude", "inverter.longitude"],
  meter: ["meter.latitude", "meter.longitude"],
  vehicle: ["vehicle.latitude", "vehicle.longitude"],
} as const satisfies Record<LocatedKind, readonly [PointName, PointName]>;

/** Where a device says that it is; null when it does not tell. */
export function coordinatesIn(kind: LocatedKind, values: Readonly<PointValues>): Coordinates | null {
  const latitude = values[POINTS[kind][0]] ?? null;
  const longitude = values[POINTS[kind][1]] ?? null;
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** Whether the user granted that the device's location is read (rule S4.1). */
export function mayBeLocated(kind: LocatedKind, scopes: readonly string[]): boolean {
  return scopes.includes(`${kind}:read:location`);
}

/** The location after a turn; none without the scope that lets it be read. */
export function foldWhereabouts(
  kind: LocatedKind,
  { location, scopes }: { readonly location: AssetLocation; readonly scopes: readonly string[] },
  snapshot: Snapshot,
  nowMs: number,
): AssetLocation {
  if (!mayBeLocated(kind, scopes)) return NO_LOCATION;
  if (!isFresh(snapshot, POINTS[kind])) return location;
  const seen = coordinatesIn(kind, snapshot.values);
  return patch(location, {
    latitude: seen?.latitude ?? null,
    longitude: seen?.longitude ?? null,
    lastUpdated: instant(nowMs),
  });
}

const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Great-circle distance, m, by the haversine formula: exact for short ways, also over the poles and the date line. */
export function distanceM(a: Coordinates, b: Coordinates): number {
  const half = (from: number, to: number): number => Math.sin(((to - from) * RADIANS) / 2) ** 2;
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * half(a.longitude, b.longitude);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** How far from a location's coordinates a device still is at it, m (rule S5.2). */
const RADIUS_M = { vehicle: 150, battery: 500, inverter: 500, meter: 500 } as const satisfies Record<
  LocatedKind,
  number
>;

/** The nearest place in the kind's radius; the first of equally near ones. Null when there is none. */
export function nearestPlace<Place extends Coordinates>(
  kind: LocatedKind,
  at: Coordinates,
  places: Iterable<Place>,
): Place | null {
  let nearest: Place | null = null;
  let nearestM = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const awayM = distanceM(at, place);
    if (awayM > RADIUS_M[kind] || awayM >= nearestM) continue;
    nearest = place;
    nearestM = awayM;
  }
  return nearest;
}
