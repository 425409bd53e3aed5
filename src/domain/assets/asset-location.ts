import type { PointName } from "../../points/points.ts";
import { type AssetLocation, instant, NO_LOCATION } from "../fields.ts";
import { patch } from "../patch.ts";
import type { AssetKind } from "./asset.ts";
import { isFresh, type PointValues, type Snapshot } from "./snapshot.ts";

/** A point on the map, degrees; positive north and east. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The kinds of asset that are assigned to a location by their coordinates (rule S5.2). */
export type LocatedKind = Exclude<AssetKind, "charger" | "hvac">;

const POINTS = {
  battery: ["battery.latitude", "battery.longitude"],
  inverter: ["inverter.latitude", "inverter.longitude"],
  meter: ["meter.latitude", "meter.longitude"],
  vehicle: ["vehicle.latitude", "vehicle.longitude"],
} as const satisfies Record<LocatedKind, readonly [PointName, PointName]>;

/** Returns the coordinates that a device reports; `null` if it reports none. */
export function coordinatesIn(kind: LocatedKind, values: Readonly<PointValues>): Coordinates | null {
  const latitude = values[POINTS[kind][0]] ?? null;
  const longitude = values[POINTS[kind][1]] ?? null;
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** Returns true if the user granted the scope to read the device's location (rule S4.1). */
export function hasLocationScope(kind: LocatedKind, scopes: readonly string[]): boolean {
  return scopes.includes(`${kind}:read:location`);
}

/** Returns the location after a poll; `NO_LOCATION` without the scope to read it. */
export function foldLocation(
  kind: LocatedKind,
  { location, scopes }: { readonly location: AssetLocation; readonly scopes: readonly string[] },
  snapshot: Snapshot,
  nowMs: number,
): AssetLocation {
  if (!hasLocationScope(kind, scopes)) return NO_LOCATION;
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

/** Returns the great-circle distance, m, by the haversine formula, which is also exact for short distances. */
export function distanceM(a: Coordinates, b: Coordinates): number {
  const half = (from: number, to: number): number => Math.sin(((to - from) * RADIANS) / 2) ** 2;
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * half(a.longitude, b.longitude);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** The radius around a location's coordinates in which a device counts as there, m (rule S5.2). */
const RADIUS_M = { vehicle: 150, battery: 500, inverter: 500, meter: 500 } as const satisfies Record<
  LocatedKind,
  number
>;

/** Returns the nearest place within the radius of the kind, the first of equally near ones; `null` if there is none. */
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
