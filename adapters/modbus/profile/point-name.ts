import { POINT_UNITS, type PointName } from "hemgate/sdk";

/** Whether a key of a map is a point; keys like `raw.state` are of use only inside the map. */
export function isPointName(key: string): key is PointName {
  return Object.hasOwn(POINT_UNITS, key);
}
