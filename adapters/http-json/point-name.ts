import { POINT_UNITS, type PointName } from "hemgate/sdk";

/** Whether a key of a profile is a point; keys like `raw.state` are of use only inside it. */
export function isPointName(key: string): key is PointName {
  return Object.hasOwn(POINT_UNITS, key);
}
